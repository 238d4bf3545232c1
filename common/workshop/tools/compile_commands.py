#!/usr/bin/env python3
"""compile_commands.py OUT BACKEND FOLDER...: writes to OUT how each file is built, for an editor (clangd).

Runs make -n in each folder and keeps the commands that compile a file.  clang reads kernels in its own CUDA mode: on
simt with common/simulator/simt/editor.h, on cuda with the toolkit.  If this machine's clang does not know the toolkit,
kernels are read as on simt.
"""
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

COURSE = pathlib.Path.cwd()
COMPILERS = re.compile(r"(^|/)(\S+-)?(cc|c\+\+|gcc|g\+\+|clang|clang\+\+|nvcc)(-\d+)?$")
# Options for nvcc and for the instrumented build, which clang does not know or should not use.
DROPPED = re.compile(r"-(gencode|arch|Xptxas|lineinfo|fsanitize|param=|-param=|fno-tree|finline|MMD|MP|MD|MT|O\d|"
                     r"Werror)")
KERNELS = ["-x", "cuda", "--cuda-host-only", "-nocudalib", "-Wno-unknown-cuda-version", "-Wno-unknown-attributes",
           "-Wno-unknown-pragmas"]
STAND_IN = ["-nocudainc", "-Xclang", "-fcuda-allow-variadic-functions",
            "-include", str(COURSE / "common/simulator/simt/editor.h"), "-I" + str(COURSE / "common/simulator/simt/include"), "-I" + str(COURSE / "common/simulator/simt")]


def commands(backend, folder):
    """(source, words) of every command that compiles a file there.  For a .cu file on simt it is the command of its
    preprocessor, which has the options that clang needs."""
    said = subprocess.run(["make", "-C", folder, "--no-print-directory", "-Bnk", "V=1", f"BACKEND={backend}",
                           "TRANSLATE=", "PREFIX_HEADER=", "PREFIX_FIRST=",  # another folder's make builds these
                           "all", "test"],
                          capture_output=True, text=True, check=False,
                          env={**os.environ, "MAKELEVEL": "1", "MAKEFLAGS": ""}).stdout
    for line in said.replace("\\\n", " ").splitlines():
        kernel = re.search(r"' (\S+\.cu); \} \| (.*) -x c\+\+ -E - ", line)
        try:
            words = shlex.split(kernel[2] if kernel else line.split(" 2> ")[0])
        except ValueError:
            continue
        if kernel:
            yield kernel[1], [*words, "-c", kernel[1]]
        elif words and COMPILERS.search(words[0]) and "-c" in words[:-1]:
            yield words[words.index("-c") + 1], words


def clang_knows(toolkit):
    """Whether this machine's clang can read this toolkit's headers; an old clang knows no new toolkit."""
    try:
        return subprocess.run(["clang++", *KERNELS, f"--cuda-path={toolkit}", "-fsyntax-only", "-"], input="",
                              capture_output=True, text=True, check=False).returncode == 0
    except OSError:
        return True  # only clangd is installed, so this cannot be tested


def for_clang(words, toolkit):
    """A command for a kernel in clang's form; toolkit: the folder of CUDA, or nothing for the simulator."""
    kept, skip = [], False
    for word in words[1:]:
        if skip or DROPPED.match(word):
            skip = not skip and word in ("-Xptxas", "-gencode", "-Xcompiler", "-MF", "-MT")
            continue
        if word in ("-Xcompiler", "-MF", "-MT", "-o"):
            skip = True
            continue
        if not toolkit and word == "-DCOURSE_CUDA":
            continue
        kept.append(word)
    return ["clang++", *KERNELS, *([f"--cuda-path={toolkit}"] if toolkit else STAND_IN), *kept]


def of_learners(entries):
    """Commands for the files in work/: that of a kernel of the chapter whose launcher the file defines."""
    launcher = re.compile(rb"\b(\w+_student)\b")
    for skeleton in sorted(COURSE.glob("0?_*/exercise.cu")):
        name = launcher.search(skeleton.read_bytes())
        of_chapter = [e for e in entries if e["file"].endswith(".cu") and e["directory"] == str(skeleton.parent)]
        for file in sorted(COURSE.glob("work/**/*.cu")):
            found = launcher.search(file.read_bytes())
            if name and found and found[1] == name[1] and of_chapter:
                like = of_chapter[0]
                source = os.path.relpath(like["file"], like["directory"])
                yield {"directory": like["directory"], "file": str(file),
                       "arguments": [str(file) if word == source else word for word in like["arguments"]]}


def main():
    """Runs make and writes the file."""
    out, backend, folders = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
    toolkit = os.environ.get("CUDA_HOME", "") if backend == "cuda" else ""
    known = bool(toolkit) and clang_knows(toolkit)
    entries = []
    for folder in folders:
        where = str((COURSE / folder).resolve())
        for source, words in commands(backend, folder):
            file = os.path.normpath(os.path.join(where, source))
            if source.endswith(".cu"):
                words = for_clang(words, toolkit if known else "")
                if not os.path.exists(file) or "/build/" in file:  # a file of another folder's make, or a generated one
                    continue
            entries.append({"directory": where, "file": file, "arguments": words})
    entries += of_learners(entries)
    if not entries:
        sys.exit("make compile-commands: make names no compiler; make BACKEND=" + backend + " says why")
    out.write_text(json.dumps(entries, indent=1) + "\n", encoding="utf-8")
    kernels = sum(entry["file"].endswith(".cu") for entry in entries)
    print(f"{out}: {len(entries)} commands for {backend}, {kernels} of kernels")
    if toolkit and not known:
        print(f"clang here does not know the toolkit in {toolkit}: kernels are read with the simulator's declarations")


if __name__ == "__main__":
    main()
