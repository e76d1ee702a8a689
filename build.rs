//! Finds libz3 5.3.2 and packs it, so that the program can carry it inside and load it.
//!
//! Three ways, in this order: the feature `vendored-z3`, which lets the z3 crate compile Z3 from
//! source and link it; the library in the folder named by `RMLCUT_Z3_LIB_DIR`; the prebuilt library
//! inside the Python wheel of the same version, fetched once into `target/` and checked against the
//! digests below. A libz3 installed on the system is deliberately never looked for.

// Cargo reads a build script's instructions from its standard output.
#![allow(clippy::print_stdout)]

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, io};

const Z3_VERSION: &str = "5.3.2";
const WHEEL: &str = "z3-solver==5.3.2.0";
const LIB_DIR_VARIABLE: &str = "RMLCUT_Z3_LIB_DIR";

/// A platform that has a wheel with a library we can load, and the wheel's SHA-256 digest.
struct Platform {
    os: &'static str,
    arch: &'static str,
    digest: &'static str,
}

const PLATFORMS: &[Platform] = &[
    Platform {
        os: "linux",
        arch: "x86_64",
        digest: "f17df07300228a383470d4b4e1ad9daf429dc94885996712a1844a8242803935",
    },
    Platform {
        os: "linux",
        arch: "aarch64",
        digest: "b8add6becdc222090b78d4bd5300b6a212d5ecfb0e3eadb1df008b43ddef8602",
    },
    Platform {
        os: "linux",
        arch: "riscv64",
        digest: "229e18c98007771c0e0aed2b2855930b76a422bafe429aa9df71df3ad77aad63",
    },
    Platform {
        os: "macos",
        arch: "aarch64",
        digest: "ac0c1457a8e7a487470386af5f60d6fef7c10db40004647fcfa7dc6e6ccec190",
    },
    Platform {
        os: "macos",
        arch: "x86_64",
        digest: "27f1b0e6333b8b1d57653ef7db34fc9901ed2983b0cb9fb1efd27840e5ea880a",
    },
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed={LIB_DIR_VARIABLE}");
    println!("cargo::rustc-check-cfg=cfg(loads_z3)");
    let prepared = match library_dir() {
        Ok(Some(dir)) => use_library(&dir),
        Ok(None) => Ok(()),
        Err(message) => Err(message),
    };
    if let Err(message) = prepared {
        message.lines().for_each(|line| println!("cargo::error={line}"));
    }
}

/// The folder that holds libz3, or nothing when the z3 crate builds its own.
fn library_dir() -> Result<Option<PathBuf>, String> {
    if env::var_os("CARGO_FEATURE_VENDORED_Z3").is_some() {
        return Ok(None);
    }
    if let Some(dir) = env::var_os(LIB_DIR_VARIABLE) {
        return chosen_dir(Path::new(&dir)).map(Some);
    }
    wheel_dir().map(Some).map_err(|reason| format!("{reason}\n{}", ways_out()))
}

fn chosen_dir(dir: &Path) -> Result<PathBuf, String> {
    let dir = fs::canonicalize(dir)
        .map_err(|error| format!("{LIB_DIR_VARIABLE}={}: {error}", dir.display()))?;
    let library = dir.join(library_name());
    if library.exists() {
        Ok(dir)
    } else {
        Err(format!("{LIB_DIR_VARIABLE}: there is no {}", library.display()))
    }
}

fn library_name() -> &'static str {
    match target("OS").as_str() {
        "macos" => "libz3.dylib",
        "windows" => "libz3.lib",
        _ => "libz3.so",
    }
}

/// The library of the wheel, fetched unless an earlier build already did.
fn wheel_dir() -> Result<PathBuf, String> {
    let platform = platform()?;
    let home = target_dir()?.join(format!("z3-{Z3_VERSION}"));
    let dir = home.join("lib");
    fs::create_dir_all(&home).map_err(|error| format!("{}: {error}", home.display()))?;
    let _lock = lock(&home.join("lock")).map_err(|error| format!("cannot lock: {error}"))?;
    if !dir.join(library_name()).exists() {
        fetch(platform, &home)?;
    }
    Ok(dir)
}

fn platform() -> Result<&'static Platform, String> {
    let (os, arch, abi) = (target("OS"), target("ARCH"), target("ENV"));
    PLATFORMS
        .iter()
        .find(|platform| platform.os == os && platform.arch == arch && abi != "musl")
        .ok_or_else(|| format!("there is no prebuilt Z3 {Z3_VERSION} for {arch} {os} {abi}"))
}

/// Held until dropped, so that two cargo processes do not fetch at the same time.
fn lock(path: &Path) -> io::Result<File> {
    let file = File::create(path)?;
    file.lock()?;
    Ok(file)
}

/// Downloads and unpacks the wheel beside its destination, then moves the library in place at once.
fn fetch(platform: &Platform, home: &Path) -> Result<(), String> {
    let work = home.join("unfinished");
    let failed = |error: io::Error| format!("{}: {error}", work.display());
    if work.exists() {
        fs::remove_dir_all(&work).map_err(failed)?;
    }
    fs::create_dir_all(&work).map_err(failed)?;
    let requirement = format!("{WHEEL} --hash=sha256:{}\n", platform.digest);
    fs::write(work.join("requirements.txt"), requirement).map_err(failed)?;
    download(&work)?;
    let wheel = downloaded_wheel(&work)?;
    python(&work, &["-m", "zipfile", "-e", &wheel, "unpacked"])?;
    let unpacked = work.join("unpacked/z3/lib");
    make_old(&unpacked.join(library_name())).map_err(failed)?;
    fs::rename(unpacked, home.join("lib")).map_err(failed)?;
    fs::remove_dir_all(&work).map_err(failed)
}

/// Cargo runs a build script again if a file that it names is newer than the script's start, and
/// then compiles everything once more: what was fetched meanwhile must not look new.
fn make_old(library: &Path) -> io::Result<()> {
    let day = std::time::Duration::from_secs(24 * 60 * 60);
    File::options().write(true).open(library)?.set_modified(std::time::UNIX_EPOCH + day)
}

fn download(work: &Path) -> Result<(), String> {
    let pip = ["-m", "pip", "download", "--quiet", "--disable-pip-version-check"];
    let what = ["--no-deps", "--only-binary=:all:", "--require-hashes", "-r", "requirements.txt"];
    python(work, &[&pip[..], &what[..], &["--dest", "wheel"]].concat())
}

fn downloaded_wheel(work: &Path) -> Result<String, String> {
    let entries = fs::read_dir(work.join("wheel")).map_err(|error| error.to_string())?;
    entries
        .flatten()
        .map(|entry| entry.path().display().to_string())
        .find(|path| path.ends_with(".whl"))
        .ok_or_else(|| "pip reported success and left no wheel".to_owned())
}

fn python(work: &Path, arguments: &[&str]) -> Result<(), String> {
    let output = Command::new("python3")
        .args(arguments)
        .current_dir(work)
        .output()
        .map_err(|error| format!("cannot start python3: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let command = arguments.iter().take(3).copied().collect::<Vec<_>>().join(" ");
    let stderr = String::from_utf8_lossy(&output.stderr);
    Err(format!("`python3 {command}` failed:\n{}", stderr.trim()))
}

fn ways_out() -> String {
    format!(
        "Z3 {Z3_VERSION} could not be fetched. Three ways out:\n\
         1. install python3 with pip, and let the build fetch the package {WHEEL}\n\
         2. set {LIB_DIR_VARIABLE} to a folder that holds libz3 {Z3_VERSION}\n\
         3. compile Z3 from source: cargo build --release --features vendored-z3 (slow; needs \
         cmake 3.26 and a C++20 compiler)"
    )
}

/// `target/`, or `target/<triple>/` when cross-compiling: four levels above our own output folder.
fn target_dir() -> Result<PathBuf, String> {
    let above = out_dir()?.ancestors().nth(4).map(Path::to_path_buf);
    above.ok_or_else(|| "OUT_DIR is too short".to_owned())
}

fn out_dir() -> Result<PathBuf, String> {
    env::var_os("OUT_DIR").map(PathBuf::from).ok_or_else(|| "cargo did not set OUT_DIR".to_owned())
}

fn target(property: &str) -> String {
    env::var(format!("CARGO_CFG_TARGET_{property}")).unwrap_or_default()
}

/// Prepares the program to load the library in `dir` while it runs, where that can be done; links it
/// on other systems.
fn use_library(dir: &Path) -> Result<(), String> {
    let library = dir.join(library_name());
    println!("cargo::rerun-if-changed={}", library.display());
    if !is_loaded() {
        println!("cargo::rustc-link-search=native={}", dir.display());
        return Ok(());
    }
    println!("cargo::rustc-cfg=loads_z3");
    println!("cargo::rustc-env=RMLCUT_Z3_BUILT={}", library.display());
    let out = out_dir()?;
    let failed = |error: io::Error| format!("{}: {error}", out.display());
    let packed = pack(&fs::read(&library).map_err(failed)?)?;
    fs::write(out.join("libz3.packed"), packed).map_err(failed)?;
    satisfy_linker(dir, &out).map_err(failed)
}

/// Whether src/smt/z3/library knows how to load a library on the target.
fn is_loaded() -> bool {
    let (os, arch) = (target("OS"), target("ARCH"));
    PLATFORMS.iter().any(|platform| platform.os == os && platform.arch == arch)
}

/// The z3 crate asks the linker for a library of the name `z3`. Every function of it is our own
/// (src/smt/z3/library/binding.rs), so what the linker gets must not become a part of the program.
fn satisfy_linker(dir: &Path, out: &Path) -> io::Result<()> {
    if target("OS") == "macos" {
        // Its linker wants a library that has something in it, and drops one that nothing uses.
        println!("cargo::rustc-link-search=native={}", dir.display());
        println!("cargo::rustc-link-arg=-Wl,-dead_strip_dylibs");
        return Ok(());
    }
    let empty = out.join("empty");
    fs::create_dir_all(&empty)?;
    fs::write(empty.join("libz3.a"), "!<arch>\n")?;
    println!("cargo::rustc-link-search=native={}", empty.display());
    Ok(())
}

/// The library in blocks, each packed by itself with its packed length before it, so that it can be
/// unpacked piece by piece.
fn pack(library: &[u8]) -> Result<Vec<u8>, String> {
    const BLOCK: usize = 1 << 20;
    let mut packed = Vec::new();
    for block in library.chunks(BLOCK) {
        let block = lz4_flex::block::compress_prepend_size(block);
        let length = u32::try_from(block.len()).map_err(|error| error.to_string())?;
        packed.extend(length.to_le_bytes());
        packed.extend(block);
    }
    Ok(packed)
}
