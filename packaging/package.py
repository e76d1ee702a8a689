#!/usr/bin/env python3
"""Packs the program as an archive to unpack anywhere, or as a wheel for pip.

    packaging/package.py archive            rmlcut-VERSION-ARCH-linux.tar.gz
    packaging/package.py wheel              rmlcut-VERSION-py3-none-manylinux_X_Y_ARCH.whl

Both are written to `target/packages` (`--out FOLDER` for another place). The same program gives the
same bytes. Needs cargo, the standard library of python3, and objdump.
"""

import argparse
import base64
import gzip
import hashlib
import io
import json
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
# The first moment that a zip file can name, for archives that do not depend on when they were made.
MOMENT = (1980, 1, 1, 0, 0, 0)
SECONDS = 315532800
DOCUMENTS = ["README.md", "CHANGELOG.md", "SECURITY.md", "LICENSE-MIT", "LICENSE-APACHE"]
COMPLETIONS = {"bash": "rmlcut.bash", "zsh": "_rmlcut", "fish": "rmlcut.fish"}


def main():
    arguments = parse_arguments()
    package = tomllib.loads((PROJECT / "Cargo.toml").read_text())["package"]
    target = build()
    program = target / "release" / "rmlcut"
    arguments.out.mkdir(parents=True, exist_ok=True)
    make = {"archive": make_archive, "wheel": make_wheel}[arguments.kind]
    made = make(package, program, target, arguments.out)
    print(f"{made}  {made.stat().st_size / 1e6:.1f} MB")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kind", choices=["archive", "wheel"])
    parser.add_argument("--out", type=Path, default=PROJECT / "target" / "packages")
    return parser.parse_args()


def run(*command):
    return subprocess.run(command, cwd=PROJECT, check=True, stdout=subprocess.PIPE).stdout


def metadata():
    host = re.search(r"^host: (\S+)", run("rustc", "-vV").decode(), re.MULTILINE).group(1)
    arguments = ["--locked", "--format-version", "1", "--filter-platform", host]
    return json.loads(run("cargo", "metadata", *arguments))


def build():
    """Builds the program; the folder that holds what was built."""
    run("cargo", "build", "--locked", "--release")
    return Path(metadata()["target_directory"])


def make_archive(package, program, _target, out):
    name = f"rmlcut-{package['version']}-{architecture(program)}-linux"
    files = {f"{name}/bin/rmlcut": program.read_bytes()}
    for document in DOCUMENTS:
        files[f"{name}/{document}"] = (PROJECT / document).read_bytes()
    for document in ["grammar/README.md", "protocols"]:
        for path in tracked(document):
            files[f"{name}/{path}"] = (PROJECT / path).read_bytes()
    for shell, file in COMPLETIONS.items():
        files[f"{name}/completions/{file}"] = run(program, "completions", shell)
    files[f"{name}/THIRD-PARTY.txt"] = third_party().encode()
    made = out / f"{name}.tar.gz"
    with open(made, "wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as packed:
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.GNU_FORMAT) as archive:
            for path, content in sorted(files.items()):
                entry = tarfile.TarInfo(path)
                entry.size, entry.mtime = len(content), SECONDS
                entry.mode = 0o755 if path.endswith("/bin/rmlcut") else 0o644
                archive.addfile(entry, io.BytesIO(content))
    return made


def make_wheel(package, program, target, out):
    version = package["version"]
    tag = f"py3-none-{manylinux(program, target)}_{architecture(program)}"
    info = f"rmlcut-{version}.dist-info"
    files = {
        f"rmlcut-{version}.data/scripts/rmlcut": program.read_bytes(),
        f"{info}/METADATA": wheel_metadata(package).encode(),
        f"{info}/WHEEL": (
            f"Wheel-Version: 1.0\nGenerator: rmlcut packaging\nRoot-Is-Purelib: false\nTag: {tag}\n"
        ).encode(),
        f"{info}/licenses/THIRD-PARTY.txt": third_party().encode(),
    }
    for document in ["LICENSE-MIT", "LICENSE-APACHE"]:
        files[f"{info}/licenses/{document}"] = (PROJECT / document).read_bytes()
    record = f"{info}/RECORD"
    lines = [f"{path},{digest(content)},{len(content)}" for path, content in files.items()]
    files[record] = "\n".join([*lines, f"{record},,", ""]).encode()
    made = out / f"rmlcut-{version}-{tag}.whl"
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as wheel:
        for path, content in files.items():
            entry = zipfile.ZipInfo(path, MOMENT)
            entry.compress_type = zipfile.ZIP_DEFLATED
            mode = 0o755 if path.endswith("/scripts/rmlcut") else 0o644
            entry.external_attr = (0o100000 | mode) << 16
            wheel.writestr(entry, content)
    return made


def wheel_metadata(package):
    licenses = ["LICENSE-MIT", "LICENSE-APACHE", "THIRD-PARTY.txt"]
    return "\n".join([
        "Metadata-Version: 2.4",
        f"Name: {package['name']}",
        f"Version: {package['version']}",
        f"Summary: {package['description']}",
        f"Keywords: {','.join(package['keywords'])}",
        f"License-Expression: {package['license']}",
        *[f"License-File: {name}" for name in licenses],
        "Description-Content-Type: text/markdown",
        "",
        (PROJECT / package["readme"]).read_text(),
    ])


def digest(content):
    digest = hashlib.sha256(content).digest()
    return "sha256=" + base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def tracked(path):
    return run("git", "ls-files", path).decode().split("\n")[:-1]


def architecture(program):
    """The architecture that the header of the program names."""
    header = program.read_bytes()[:20]
    if header[:4] != b"\x7fELF":
        sys.exit(f"{program} is not a program for Linux")
    machines = {62: "x86_64", 183: "aarch64", 243: "riscv64"}
    return machines[int.from_bytes(header[18:20], "little")]


def manylinux(program, target):
    """The tag of the oldest C library that has all that the program and its Z3 ask for."""
    libraries = sorted(target.glob("z3-*/lib/libz3.so"))
    if not libraries:
        sys.exit("the Z3 library of the build is not under target: what it needs is not known")
    asked = b"".join(run("objdump", "-p", file) for file in [program, *libraries]).decode()
    versions = {tuple(map(int, found)) for found in re.findall(r"\bGLIBC_(\d+)\.(\d+)", asked)}
    major, minor = max(versions)
    return f"manylinux_{major}_{minor}"


def third_party():
    """What the program is made of besides this project, with the licences."""
    parts = [
        section("Z3", "MIT", (PROJECT / "packaging" / "LICENSE-Z3").read_text()),
        section("The Rust standard library", "MIT OR Apache-2.0", "The Rust Project Developers"),
    ]
    for package in sorted(shipped_packages(metadata()), key=lambda each: each["name"]):
        folder = Path(package["manifest_path"]).parent
        names = re.compile(r"(LICEN[CS]E|COPYING|NOTICE|UNLICENSE)", re.IGNORECASE)
        files = sorted(file for file in folder.iterdir() if names.match(file.name) and file.is_file())
        texts = [file.read_text(errors="replace").strip() for file in files]
        title = f"{package['name']} {package['version']}"
        parts.append(section(title, package["license"] or "see below", "\n\n".join(texts)))
    return "\n".join(parts)


def shipped_packages(data):
    """The packages whose code is in the program: none that only the build or the tests use."""
    packages = {package["id"]: package for package in data["packages"]}
    nodes = {node["id"]: node for node in data["resolve"]["nodes"]}
    reached, waiting = set(), [data["resolve"]["root"]]
    while waiting:
        for dependency in nodes[waiting.pop()]["deps"]:
            key = dependency["pkg"]
            linked = any(kind["kind"] is None for kind in dependency["dep_kinds"])
            kinds = [kind for target in packages[key]["targets"] for kind in target["kind"]]
            if linked and "proc-macro" not in kinds and key not in reached:
                reached.add(key)
                waiting.append(key)
    return [packages[key] for key in reached]


def section(title, licence, text):
    line = "=" * 78
    return f"{line}\n{title}\nLicence: {licence}\n{line}\n\n{text.strip()}\n"


if __name__ == "__main__":
    main()
