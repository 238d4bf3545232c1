#!/usr/bin/env python3
"""score.py CORPUS [OPTION]...: counts how many programs of other people work.
score.py --sum RECORD...: prints a line for each results file.

Builds every CUDA program below the folder CORPUS with simtcc, runs it, and records whether it compiles, runs and is
right: exit status 0, no report, and no line in which its own check says that it failed.  A program that does not end
within the limit is built and run again by simtcc --unchecked, and its row describes that run (checked: no).

A folder whose Makefile calls nvcc is one program: make builds it, in a copy of the corpus, with simtcc as nvcc, and the
file `run` or the goal run tells how to run it.  A folder whose CMakeLists.txt makes a separate file of kernels (-ptx,
-cubin, -fatbin, NVRTC) is built by CMake and run in its build folder.  Elsewhere each .cu file with a main() is a
program; if it is the only one in its folder, it is built with the sources there that have no main().

The list has a line for each program that needs more, separated by tabs: name, files, options (of make, if there is a
Makefile), arguments, and a regular expression that its output must match; - means none.  Arguments NAME=VALUE at the
beginning are environment variables.  A line whose files are "no" leaves a program out and ends with the reason.  The
results file has names, digests and results, but no source.
"""
import argparse
import concurrent.futures
import hashlib
import os
import pathlib
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve()
COURSE = HERE.parents[2]
MAIN = re.compile(rb"^[^/\n]*\bmain\s*\(", re.M)
# A line of output that matches FAILED and not FINE makes a run wrong.
FAILED = re.compile(r"\bFAIL(ED)?\b|\bFAILURE\b|\bfailed\b|mismatch|does not match|do not match|\bincorrect\b|"
                    r"\bwrong\b|\bTest FAIL|\bInvalid result|verification error|CUDA error|cudaError[A-Z]", re.I)
FINE = re.compile(r"0 (failed|errors|mismatch)|no (error|failure|mismatch)|not? fail|without fail|as expected|"
                  r"mismatch(es)?\s*[:=]\s*0\b|errors?\s*[:=]\s*0\b", re.I)
# Programs with these headers need graphics or closed libraries; they are counted separately.
CLOSED = re.compile(rb"#\s*include\s*[<\"](GL/|GLES|EGL/|cuda_gl|cudaGL|cuda_d3d|vulkan|GLFW|d3d|nvscibuf|cudaEGL|"
                    rb"cuda_egl|nvmedia|X11/|mpi\.h|nccl\.h|nvshmem|cudnn|cusolver(?:Mg|Mp|Rf|Sp)|cusparseLt|"
                    rb"cutensor|nvjpeg|npp|"
                    rb"nvJitLink|FreeImage|opencv|cufile|nvml|NvInfer|cutlass|cute/)")
# The options for those of CUDA's libraries that simtcc has.
LIBRARIES = {rb"#\s*include\s*[<\"]cublas": ["-lcublas"], rb"#\s*include\s*[<\"]curand": ["-lcurand"],
             rb"#\s*include\s*[<\"]cufft": ["-lcufft"], rb"#\s*include\s*[<\"]cusolver": ["-lcusolver"],
             rb"#\s*include\s*[<\"]cusparse": ["-lcusparse"], rb"#\s*include\s*[<\"]nvrtc": ["-lnvrtc"],
             rb"#\s*include\s*[<\"]omp.h": ["-Xcompiler", "-fopenmp"]}
INCLUDED = re.compile(rb"#\s*include\s*\"([^\"\n]+)\"")
# A report of the simulator in a program's output; reports quote source lines.
REPORT = re.compile(r"^simt: .*\n?(?:  .*\n?)*", re.M)
VARIABLE = re.compile(r"[A-Z_]+=")
COLUMNS = ["program", "digest", "needs", "arguments", "compiles", "runs", "right", "why", "reports", "seconds",
           "checked"]
# The last message of a program of simtcc --unchecked, which is no report; and reports that are not errors.
UNCHECKED = "simt: this program was compiled with simtcc --unchecked"
NOTE = re.compile("simt: (warning: |hint: |cudaEventElapsedTime gives |total: )")
SOURCES = (".cu", ".cpp", ".cc", ".c")


class Program:
    """One program: its sources, how it is run, and what it must print."""

    def __init__(self, name, files, options=(), arguments=(), says=None):
        self.name, self.files, self.options, self.arguments, self.says = name, files, options, arguments, says

    def digest(self):
        """The digest of the sources."""
        total = hashlib.sha256()
        for file in self.files:
            total.update(file.read_bytes())
        return total.hexdigest()[:16]

    def closed(self):
        """The graphics or closed library that the program or its own headers include; '-' for none."""
        waiting, seen = list(self.files), set()
        while waiting:
            file = waiting.pop().resolve()
            if file in seen or not file.is_file():
                continue
            seen.add(file)
            text = file.read_bytes()
            found = CLOSED.search(text)
            if found:
                return found[1].decode().strip("/")
            waiting += [file.parent / name.decode(errors="replace") for name in INCLUDED.findall(text)]
        return "-"

    def libraries(self):
        """The link options for the libraries of CUDA that its files include."""
        text = b"\n".join(file.read_bytes() for file in self.files)
        return [word for header, options in LIBRARIES.items() if re.search(header, text) for word in options]

    def build(self, simtcc, place, checked):
        """Builds it; returns the command that runs it, or None, and the compiler's messages (None: it is slow)."""
        binary = pathlib.Path(place) / "program"
        how = [] if checked else ["--unchecked"]
        status, _, said = run([str(simtcc), "-w", *how, *self.options, "-o", str(binary), *map(str, self.files),
                               *self.libraries()], self.files[0].parent, 300)
        return [str(binary)] if status == 0 else None, said if status is not None else None

    def folder(self):
        """The folder in which it runs."""
        return self.files[0].parent


class Made(Program):
    """A program that a Makefile builds."""

    def __init__(self, name, where):
        super().__init__(name, [f for f in sorted(where.rglob("*")) if f.suffix in SOURCES + (".cuh", ".h")
                                and f.is_file()])
        self.where, self.arguments = where, None

    def folder(self):
        return self.where

    def call(self):
        """The command that runs it, or the only program in its folder; None if unknown."""
        script = self.where / "run"
        lines = script.read_text(errors="replace").splitlines() if script.is_file() else []
        if not lines:
            lines = run(["make", "-n", "run"], self.where, 60)[1].splitlines()
        for line in lines:
            line = line.split("#")[0]
            words = re.split(r"[;|>&]", line[line.index("./"):] if "./" in line else line)[0].split()
            if words and "/" in words[0] and (self.where / words[0]).is_file():
                return [str(self.where / words[0]), *words[1:]]
        built = [f for f in self.where.iterdir() if f.is_file() and f.read_bytes()[:4] == b"\x7fELF"
                 and os.access(f, os.X_OK)]
        return [str(built[0])] if len(built) == 1 else None

    def build(self, simtcc, _, checked):
        toolkit = simtcc.resolve().parents[1] / "lib/simt/toolkit"
        home = [f"{name}={toolkit}" for name in ("CUDA_DIR", "CUDA_PATH", "CUDA_HOME", "CUDA_INSTALL_PATH")]
        how = ["make"] if checked else ["SIMTCC_UNCHECKED=1", "make", "-B"] # rebuilds everything
        words = ["env", f"PATH={toolkit}/bin:{os.environ['PATH']}", "SIMTCC_QUIET=yes", *how, *home, *self.options]
        status, _, said = run(words, self.where, 600)
        call = self.call() if status == 0 else None
        if status == 0 and not call:
            said = "error: nothing says how it is run"
        if call and self.arguments is not None:
            call[1:] = self.arguments
        self.arguments = [word.replace(str(self.where), ".") for word in (call or [])[1:]]
        return call, said if status is not None else None


class Configured(Program):
    """A program that CMake builds, and that runs in its build folder."""

    def __init__(self, name, where):
        super().__init__(name, [f for f in sorted(where.iterdir()) if f.suffix in SOURCES + (".cuh", ".h")])
        self.where, self.place = where, None

    def folder(self):
        return self.place

    def build(self, simtcc, place, checked):
        self.place = pathlib.Path(place) / ("build" if checked else "unchecked")
        how = ["env", f"SIMTCC_UNCHECKED={'' if checked else 1}"]
        home = simtcc.resolve().parents[1] / "lib/simt"
        configure = [*how, "cmake", "-S", str(self.where), "-B", str(self.place), *self.options,
                     f"-DCMAKE_TOOLCHAIN_FILE={home}/simtcc.cmake"]
        status, out, said = run(configure, self.where, 300)
        if status == 0:
            status, out, said = run([*how, "cmake", "--build", str(self.place)], self.where, 600)
        built = [f for f in self.place.iterdir() if f.is_file() and os.access(f, os.X_OK)] if status == 0 else []
        if status == 0 and len(built) != 1:
            return None, "error: nothing says how it is run"
        return [str(built[0])] if built else None, out + said if status is not None else None


# A CMakeLists.txt that does more than list the sources of a program.
KERNELS_APART = re.compile(rb"add_executable(.|\n)*(-fatbin|-ptx\b|-cubin|::nvrtc)")


def found_in(corpus):
    """Yields the programs of a folder, found by their Makefile, CMakeLists.txt or main()."""
    folders, made = {}, []
    for file in sorted(corpus.rglob("[Mm]akefile")):
        if file.parent != corpus and b"nvcc" in file.read_bytes() and not any(m in file.parents for m in made):
            # The folder above is the program if it has a Makefile and says how to run it.
            above = file.parent.parent
            where = above if list(above.glob("[Mm]akefile")) and (above / "run").is_file() else file.parent
            made.append(where)
            yield Made(str(where.relative_to(corpus)), where)
    for file in sorted(corpus.rglob("CMakeLists.txt")):
        if not any(m in file.parents for m in made) and KERNELS_APART.search(file.read_bytes()):
            made.append(file.parent)
            yield Configured(str(file.parent.relative_to(corpus)), file.parent)
    for file in sorted(corpus.rglob("*.cu")):
        if not any(m in file.parents for m in made):
            folders.setdefault(file.parent, []).append(file)
    for folder, files in folders.items():
        with_main = [f for f in files if MAIN.search(f.read_bytes())]
        beside = [f for f in sorted(folder.iterdir()) if f.suffix in SOURCES
                  and f.is_file() and f not in with_main]
        mains_beside = [f for f in beside if f.suffix != ".cu" and MAIN.search(f.read_bytes())]
        if not with_main and len(mains_beside) == 1 and files:
            yield Program(str(folder.relative_to(corpus)), beside)
        for file in with_main:
            alone = len(with_main) > 1 or mains_beside
            yield Program(str(file.relative_to(corpus)), [file] if alone else [file, *beside])


def listed(path, corpus, programs):
    """The programs with what the list says about them."""
    known = {p.name: p for p in programs}
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        name, files, options, arguments, says = (line.split("\t") + ["-"] * 5)[:5]
        if files == "no":
            known.pop(name, None)
            continue
        p = known.setdefault(name, Program(name, [corpus / name]))
        if files != "-":
            p.files = [corpus / f for f in files.split()]
        p.options = [] if options == "-" else shlex.split(options.replace("CORPUS", str(corpus)))
        p.arguments = [] if arguments == "-" else shlex.split(arguments.replace("CORPUS", str(corpus)))
        p.says = None if says == "-" else says
    return [known[name] for name in sorted(known)]


def run(words, folder, seconds):
    """Exit status, output, errors; the status is None after `seconds` of processor time, or 5 * seconds of time."""
    def limits():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))

    with subprocess.Popen(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
                          start_new_session=True, preexec_fn=limits) as process:
        try:
            out, err = process.communicate(timeout=5 * seconds)
            status = process.returncode if process.returncode not in (-signal.SIGXCPU, -signal.SIGKILL) else None
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            out, err = process.communicate()
            status = None
    return status, out[-200000:].decode(errors="replace"), err[-200000:].decode(errors="replace")


def plain(text):
    """The text as one line, without tabs and without folders of this machine."""
    return re.sub(r"\s+", " ", re.sub(r"(?<![\w.])/[\w.+/-]*/", "", text)).strip()[:160] or "-"


def first(pattern, text):
    """The first line that matches."""
    return plain(next((line for line in text.splitlines() if re.search(pattern, line)), ""))


def wrong_line(text):
    """The first line in which the program says that it has failed; '' if there is none."""
    return next((line for line in REPORT.sub("", text).splitlines()
                 if FAILED.search(line) and not FINE.search(line)), "")


def judge(program, simtcc, limit):
    """A row of the results file: for the checked program or, if that does not end in time, for the unchecked one.  A
    program with an error is not run unchecked."""
    row = judge_once(program, simtcc, limit, True)
    if row["why"] != "time" or row["error"]:
        return row
    again = judge_once(program, simtcc, limit, False)
    if row["reports"] != "-":
        again["reports"] = row["reports"]
    return again


def judge_once(program, simtcc, limit, checked):
    """A row of the results file, and under "said" a text that is printed but not stored, as it is the program's."""
    row = dict.fromkeys(COLUMNS, "no")
    row.update(program=program.name, digest=program.digest(), needs=program.closed(), why="-", reports="-",
               seconds="-", said="-", checked="yes" if checked else "no", error=False)
    with tempfile.TemporaryDirectory() as place:
        call, said = program.build(simtcc, place, checked)
        row["arguments"] = plain(shlex.join(program.arguments or []))
        if not call:
            row.update(why="compiler", said="too long" if said is None else
                       first(r"simtcc:.*(not|no )|error|undefined|multiple def", said))
            return row
        row["compiles"] = "yes"
        begin = time.monotonic()
        first_word, words = call[0], list(program.arguments or [])
        surroundings = [words.pop(0) for _ in list(words) if words and VARIABLE.match(words[0])]
        status, out, err = run(["env", *surroundings, first_word, *words], program.folder(), limit)
        row["seconds"] = f"{time.monotonic() - begin:.1f}"
        reports = [line for line in err.splitlines() if line.startswith("simt: ") and not line.startswith(UNCHECKED)]
        row["reports"] = plain(reports[0][6:]) if reports else "-"
        row["error"] = any(not NOTE.match(line) for line in reports)
        if status is None:
            row.update(why="time", said=f"not done in {limit:g} s{'' if checked else ', unchecked'}")
            return row
        row["runs"] = "yes" if status == 0 else f"exit {status}"
        if status != 0:
            last = (err or out).strip().splitlines()
            row.update(why="report" if status == 86 else "status",
                       said=row["reports"] if reports else plain(last[-1] if last else "-"))
            return row
        bad = wrong_line(out + "\n" + err) if not program.says else ""
        if program.says and not re.search(program.says, out + err):
            row.update(why="its check", said=f"does not say {program.says}")
        elif bad:
            row.update(why="its check", said=plain(bad))
        else:
            row["right"] = "yes"
    return row


def is_checked(row):
    """Whether the row is of the checked program.  Older results files have no other rows."""
    return row.get("checked", "yes") == "yes"


def counts_of(rows):
    """The numbers of programs that exist, compile, end in time, are right, have reported errors, end only unchecked,
    and are right unchecked."""
    checked, others = list(filter(is_checked, rows)), [r for r in rows if not is_checked(r)]
    return (len(rows), sum(r["compiles"] == "yes" for r in rows), sum(r["runs"] != "no" for r in checked),
            sum(r["right"] == "yes" for r in checked), sum(r["runs"] == "exit 86" for r in checked),
            sum(r["runs"] != "no" for r in others), sum(r["right"] == "yes" for r in others))


def is_open(row):
    """Whether it needs neither graphics nor a closed library."""
    return row["needs"] == "-"


def summary(rows):
    """Yields two lines: for all programs, and for those that need neither graphics nor a closed library."""
    for what, some in (("all", rows), ("without graphics and closed libraries", list(filter(is_open, rows)))):
        n, *counts = counts_of(some)
        yield f"{what}: {n} programs; " + ", ".join(f"{word} {k} ({100 * k / (n or 1):.0f} %)" for word, k in zip(
            ("compile", "end in time", "are right", "have an error reported", "end in time only unchecked",
             "are right unchecked"), counts))


def read_record(path):
    """The version of simtcc in a results file, and its rows."""
    text = path.read_text(encoding="utf-8").splitlines()
    lines = [line for line in text if not line.startswith("#")]
    columns = lines[0].split("\t")
    version = next((line.split(": ", 1)[1] for line in text if line.startswith("# simtcc: ")), "-")
    return version, [dict(zip(columns, line.split("\t"))) for line in lines[1:]]


def write_record(words, rows):
    """Adds those rows of words.into that are of other programs, and writes the results file."""
    version = run([str(words.simtcc), "--version"], "/", 10)[1].split(":")[0].removeprefix("simtcc of ")
    if words.into:
        before, kept = read_record(words.into)
        judged = {r["program"] for r in rows}
        version = f"{before}; {version}: {len(judged)} programs"
        rows = sorted(rows + [r for r in kept if r["program"] not in judged], key=lambda r: r["program"])
    words.out.parent.mkdir(parents=True, exist_ok=True)
    with words.out.open("w", encoding="utf-8") as f:
        print(f"# corpus: {words.origin}", f"# simtcc: {version}", f"# limit_s: {words.limit:g}",
              "\t".join(COLUMNS), sep="\n", file=f)
        for r in rows:
            print("\t".join(r.get(c, "yes") for c in COLUMNS), file=f) # rows of older files are checked
    return rows


def sum_up(paths):
    """Prints a line for each results file of simt-score."""
    print("# programs that nobody here wrote: make simt-score, score.py --sum",
          "step\tcase\tdtype\tall\tprograms\tcompile\tend\tright\treported\tcompile_pct\tright_pct\t"
          "end_unchecked\tright_unchecked\tright_any\tright_any_pct", sep="\n")
    for path in map(pathlib.Path, paths):
        rows = read_record(path)[1]
        n, compiles, ends, right, reported, unchecked, right_so = counts_of(list(filter(is_open, rows)))
        print(path.stem, "open", "foreign", len(rows), n, compiles, ends, right, reported,
              f"{100 * compiles / n:.0f}\t{100 * right / n:.0f}", unchecked, right_so, right + right_so,
              f"{100 * (right + right_so) / n:.0f}", sep="\t")


def options(text, limit):
    """A parser of the options that races.py has, too."""
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=pathlib.Path)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="each Nth program alone")
    parser.add_argument("--only", default="", help="programs in whose name this regular expression is found")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--limit", type=float, default=limit, help="seconds of a processor that a run may take")
    parser.add_argument("--out", type=pathlib.Path, help="the record")
    parser.add_argument("--simtcc", type=pathlib.Path, default=COURSE / "build/simtcc/bin/simtcc")
    parser.add_argument("--origin", default="-", help="what the corpus is, with its commit: a line of the record")
    return parser


def main():
    """Reads the words, judges all, writes the record."""
    parser = options(__doc__, 60)
    parser.add_argument("--list", type=pathlib.Path)
    parser.add_argument("--into", type=pathlib.Path, help="a record, of which the rows of other programs are kept")
    if sys.argv[1:2] == ["--sum"]:
        return sum_up(sys.argv[2:])
    words = parser.parse_args()
    corpus = words.corpus.resolve()
    if not corpus.is_dir():
        sys.exit(f"{words.corpus} is not a folder: set CORPUS to a folder with CUDA programs")
    if not words.simtcc.exists():
        sys.exit(f"{words.simtcc} does not exist: build it by make simtcc")
    words.simtcc = words.simtcc.absolute() # programs are built in other folders
    os.environ.setdefault("SIMT_WORKERS", "1") # runs blocks in order, so that reports are the same each time
    os.environ.setdefault("SIMT_STEPS", str(10**15)) # the time limit, not a limit on steps, ends long programs
    with tempfile.TemporaryDirectory() as copy: # make writes beside the sources
        shutil.copytree(corpus, copy, symlinks=True, dirs_exist_ok=True)
        judge_all(words, pathlib.Path(copy))


def judge_all(words, corpus):
    """Judges the programs of the corpus, writes the results file."""
    programs = [p for p in found_in(corpus) if re.search(words.only, p.name)]
    if words.list:
        programs = [p for p in listed(words.list, corpus, programs) if re.search(words.only, p.name)]
    programs = programs[::words.every]
    rows = []
    with concurrent.futures.ThreadPoolExecutor(words.jobs) as pool:
        tasks = [pool.submit(judge, p, words.simtcc, words.limit) for p in programs]
        for number, task in enumerate(concurrent.futures.as_completed(tasks), 1):
            rows.append(task.result())
            r = rows[-1]
            print(f"[{number}/{len(tasks)}] {r['program']}: " + ("right" if r["right"] == "yes" else
                  f"{'compiles' if r['compiles'] == 'yes' else 'does not compile'}; {r['said']}"), flush=True)
    rows.sort(key=lambda r: r["program"])
    if words.out:
        rows = write_record(words, rows)
    for line in summary(rows):
        print(line)


if __name__ == "__main__":
    main()
