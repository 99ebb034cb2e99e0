#!/usr/bin/env python3
"""Fails on an include that points down the folder list, on a library met outside its folder, or on
what hone-train cannot have where it is built alone.

The list is the one CMakeLists.txt builds by: `hone_folder(NAME USES ...)`, in include order.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Where the headers of heavy libraries may appear.
LIBRARIES = {
    "llvm/": {"codegen"},
    "google/protobuf": {"model"},
    "onnx/": {"model"},
    "simdjson": {"tests"},
    "sqlite3": {"record"},
    "xgboost/": {"score"},
    "zlib": {"base"},
    "nlohmann/": {"cli", "benchmarks"},
    "CLI/": {"cli", "benchmarks"},
    "dnnl": {"benchmarks"},
    "torch/": {"train"},
}


def read_folders():
    """Folder -> folders it may include, from CMakeLists.txt; each USES must point up the list."""
    allowed = {"runtime": {"runtime"}}
    for line in (ROOT / "CMakeLists.txt").read_text().splitlines():
        if not (call := re.match(r"hone_folder\((\w+)(?: USES ([\w ]+?))?(?: LINK\w*.*| INCLUDE\w*.*)?\)", line)):
            continue
        name, uses = call[1], (call[2] or "").split()
        if unknown := [used for used in uses if used not in allowed]:
            sys.exit(f"CMakeLists.txt: {name} uses {unknown[0]}, which stands below it")
        allowed[name] = {name}.union(*(allowed[used] for used in uses))
    return allowed


def faults(path, folder, allowed):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not (include := re.match(r'#include ["<]([^">]+)[">]', line)):
            continue
        header = include[1]
        used = header.split("/")[0]
        if folder in allowed and used in allowed and used not in allowed[folder]:
            yield f"{path.relative_to(ROOT)}:{number}: {folder} may not include {used}"
        for library, homes in LIBRARIES.items():
            if header.startswith(library) and folder not in homes:
                yield f"{path.relative_to(ROOT)}:{number}: {header} belongs in {', '.join(sorted(homes))} only"


def faults_of_train():
    """hone-train is built where there is nothing but a compiler and libtorch: from its own files and those shared."""
    shared = re.search(r"set\(shared ([^)]*)\)", (ROOT / "train/CMakeLists.txt").read_text())[1].split()
    paths = list((ROOT / "train").glob("*.[hc]*")) + [ROOT / f"src/{name}{end}" for name in shared for end in (".h", ".cpp")]
    for path in sorted(paths):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if not (include := re.match(r'#include ["<]([^">]+/[^">]+)[">]', line)):
                continue
            header = include[1]
            is_ours = header.startswith("train/") or header.removesuffix(".h") in shared
            is_header_only = (ROOT / "src" / header).exists() and not (ROOT / "src" / header).with_suffix(".cpp").exists()
            if not (is_ours or is_header_only or header.startswith(("torch/", "ATen/", "sys/"))):
                yield f"{path.relative_to(ROOT)}:{number}: hone-train is built without {header}"


def main():
    allowed = read_folders()
    found = list(faults_of_train())
    for path in sorted(ROOT.glob("*/**/*.[hc]*")):
        top, *rest = path.relative_to(ROOT).parts
        if top in {"src", "runtime", "cli", "benchmarks", "train"} and path.suffix in {".h", ".cpp"}:
            found += faults(path, rest[0] if top == "src" else top, allowed)
    print("\n".join(found) or "layers: every include points up the list")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
