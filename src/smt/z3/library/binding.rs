//! Binds the functions that the z3 crate calls to a Z3 library that is opened while the program
//! runs. All unsafe code of this project is in this file.
//!
//! The z3 crate expects every function of Z3's C interface as a symbol. Were these symbols left to
//! the system's loader, nothing could run without the library, not even `rmlcut --help`, and it
//! would have to lie where the loader looks. So the symbols are defined here: each jumps to an
//! address in a table that [`Opened::bind`] fills.
#![allow(unsafe_code)]

use std::arch::global_asm;
use std::ffi::{c_uint, c_void};
use std::io::Write;
use std::mem;
use std::path::Path;
use std::process;

use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW, Symbol};

use super::functions::z3_functions;

/// The name of a symbol in assembly, where macOS puts an underscore before the name in C.
#[cfg(target_os = "macos")]
macro_rules! symbol {
    ($name:expr) => {
        concat!("_", $name)
    };
}
#[cfg(not(target_os = "macos"))]
macro_rules! symbol {
    ($name:expr) => {
        $name
    };
}

/// Keeps a symbol within the program: the library must never find our functions in place of its own.
#[cfg(target_os = "macos")]
macro_rules! internal {
    ($name:expr) => {
        concat!(".globl ", symbol!($name), "\n.private_extern ", symbol!($name), "\n")
    };
}
#[cfg(not(target_os = "macos"))]
macro_rules! internal {
    ($name:expr) => {
        concat!(".globl ", symbol!($name), "\n.hidden ", symbol!($name), "\n")
    };
}

/// Jumps to the address in a slot, with all arguments as they are.
#[cfg(target_arch = "x86_64")]
macro_rules! jump {
    ($slot:expr) => {
        concat!("jmp qword ptr [rip + ", $slot, "]")
    };
}
#[cfg(all(target_arch = "aarch64", target_os = "macos"))]
macro_rules! jump {
    ($slot:expr) => {
        concat!("adrp x16, ", $slot, "@PAGE\nldr x16, [x16, ", $slot, "@PAGEOFF]\nbr x16")
    };
}
#[cfg(all(target_arch = "aarch64", not(target_os = "macos")))]
macro_rules! jump {
    ($slot:expr) => {
        concat!("adrp x16, ", $slot, "\nldr x16, [x16, :lo12:", $slot, "]\nbr x16")
    };
}
#[cfg(target_arch = "riscv64")]
macro_rules! jump {
    ($slot:expr) => {
        concat!("lla t3, ", $slot, "\nld t3, 0(t3)\njr t3")
    };
}

macro_rules! define {
    ($($name:ident)*) => {
        /// The names of all functions, in the order of the table, as C writes them.
        const NAMES: &[&str] = &[$(concat!(stringify!($name), "\0")),*];

        global_asm!(
            ".text",
            $(
                internal!(stringify!($name)),
                ".p2align 2",
                concat!(symbol!(stringify!($name)), ":"),
                jump!(symbol!(concat!("rmlcut_slot_", stringify!($name)))),
            )*
            ".data",
            ".p2align 3",
            internal!("rmlcut_z3_table"),
            concat!(symbol!("rmlcut_z3_table"), ":"),
            $(
                concat!(symbol!(concat!("rmlcut_slot_", stringify!($name))), ":"),
                ".quad {unbound}",
            )*
            ".text",
            unbound = sym unbound,
        );
    };
}

z3_functions!(define);

unsafe extern "C" {
    /// The addresses of the functions, in the order of [`NAMES`].
    #[link_name = "rmlcut_z3_table"]
    static mut TABLE: [*const c_void; NAMES.len()];
}

/// Where every function leads before the table is filled.
extern "C" fn unbound() -> ! {
    // It stands for a C function, which cannot report an error in any other way. Whoever calls Z3
    // without `load` gets here; no input does.
    let message = "rmlcut: a function of Z3 was called before the library was loaded\n";
    let _ = std::io::stderr().write_all(message.as_bytes());
    process::abort()
}

/// Why a file is not the library that is needed.
#[derive(Debug)]
pub(super) enum Unfit {
    /// The system's loader refuses it, for this reason.
    Refused(String),
    /// It has no function of this name.
    Lacks(&'static str),
}

/// A library that has every function of Z3's C interface, by its name.
pub(super) struct Opened {
    functions: Vec<*const c_void>,
    get_version: GetVersion,
}

type GetVersion = unsafe extern "C" fn(*mut c_uint, *mut c_uint, *mut c_uint, *mut c_uint);

/// Opens the library in a file, whose path must have a slash in it: a bare name would be looked for
/// among the libraries of the system.
pub(super) fn open(file: &Path) -> Result<Opened, Unfit> {
    // SAFETY: loading a library runs its initialisers. The file is the Z3 that this program was
    // built with, or one that its user names for that purpose; Z3's initialisers may run at any
    // time and on any thread.
    let library = unsafe { Library::open(Some(file), RTLD_NOW | RTLD_LOCAL) };
    let library = library.map_err(|error| {
        // The error itself only says that loading failed; the loader's own words say why.
        let reason = std::error::Error::source(&error).map(ToString::to_string);
        Unfit::Refused(reason.unwrap_or_else(|| error.to_string()))
    })?;
    let mut functions = Vec::with_capacity(NAMES.len());
    for name in NAMES {
        functions.push(address(&library, name)?);
    }
    // SAFETY: this is the signature of `Z3_get_version` in every release of Z3.
    let get_version = unsafe { library.get::<GetVersion>(b"Z3_get_version\0") };
    let get_version = *get_version.map_err(|_| Unfit::Lacks("Z3_get_version"))?;
    // The addresses must stay good as long as the program runs, so it is never closed.
    mem::forget(library);
    Ok(Opened { functions, get_version })
}

fn address(library: &Library, name: &'static str) -> Result<*const c_void, Unfit> {
    // SAFETY: the address is not used as anything but an address here.
    let found: Result<Symbol<*const c_void>, _> = unsafe { library.get(name.as_bytes()) };
    found
        .ok()
        .map(|symbol| symbol.as_raw_ptr().cast_const())
        .filter(|address| !address.is_null())
        .ok_or(Unfit::Lacks(name.trim_end_matches('\0')))
}

impl Opened {
    /// The version that the library reports: major, minor, build.
    pub(super) fn version(&self) -> [u32; 3] {
        let [mut major, mut minor, mut build, mut revision] = [0; 4];
        // SAFETY: the function writes one number to each address and nothing else.
        unsafe { (self.get_version)(&mut major, &mut minor, &mut build, &mut revision) };
        [major, minor, build]
    }

    /// Makes every function of the z3 crate lead to this library. To be called once, before any of
    /// them is called.
    pub(super) fn bind(self) {
        let table = &raw mut TABLE;
        for (index, function) in self.functions.iter().enumerate() {
            // SAFETY: the table has as many slots as there are names, and so functions. Only `load`
            // gets here, under its lock, and whoever calls Z3 has called `load` before: no one
            // reads a slot while it is written.
            unsafe { (&raw mut (*table)[index]).write(*function) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_distinct_and_end_as_in_c() {
        let mut sorted = NAMES.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), NAMES.len());
        assert!(NAMES.iter().all(|name| name.starts_with("Z3_") && name.ends_with('\0')));
    }

    #[test]
    fn a_library_that_is_no_z3_is_refused_by_what_it_lacks() {
        // Every program on these systems has the C library open already.
        let c_library = ["/lib/x86_64-linux-gnu/libm.so.6", "/lib64/libm.so.6"];
        for file in c_library.iter().filter(|file| Path::new(file).exists()) {
            assert!(matches!(open(Path::new(file)), Err(Unfit::Lacks(_))), "{file}");
        }
    }
}
