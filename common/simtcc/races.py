#!/usr/bin/env python3
"""races.py CORPUS --runs FILE [OPTION]...: counts the planted bugs and the false alarms that simtcc's programs report.
races.py --sum RECORD...: prints a line for each results file and kind of bug.

Each .cu file below the folder CORPUS is a program, and its name says what is wrong with it: a part of the name that
ends in Bug, as in push_boundsBug.cu or push_BoundsBug_NoRaceBug.cu, is a planted bug, unless the part starts with No.
A program without a planted bug is right.

Each line of FILE has the arguments of one run.  A line that starts with "name:" is only for programs whose name matches
that regular expression.  CORPUS stands for the folder.  The results file contains these lines.

A planted bug counts as found if a run reports anything.  A right program counts as falsely accused if a run reports an
error, and as falsely warned if it reports only a warning.  The results file has names, digests and results, but no
source.
"""
import collections
import concurrent.futures
import hashlib
import os
import pathlib
import re
import resource
import shlex
import signal
import subprocess
import sys
import tempfile

from score import options, plain, run

BUG = re.compile(r"(?:^|_)(?!No[A-Z])([A-Za-z]+)Bug(?=_|$)")
COLUMNS = ["program", "digest", "planted", "runs", "error_in", "warning_in", "first"]


def planted(name):
    """The bugs in a program's name, joined by "+"; '-' if the program is right."""
    return "+".join(sorted({bug[0].lower() + bug[1:] for bug in BUG.findall(pathlib.Path(name).stem)})) or "-"


def read_runs(path, corpus):
    """Yields a pattern and the arguments of a run for each line."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        name, colon, words = line.partition(":")
        if not colon:
            name, words = "", line
        yield re.compile(name), shlex.split(words.replace("CORPUS", str(corpus)))


def reports_of(err):
    """Whether there is an error and a warning, and the first of them: "out of bounds", "race on global memory", ..."""
    lines = [line[6:] for line in err.splitlines() if line.startswith("simt: ")]
    lines = [line for line in lines if not line.startswith(("hint: ", "total: "))]
    errors = [line for line in lines if not line.startswith("warning: ")]
    first = (errors or lines or [""])[0]
    return bool(errors), len(errors) < len(lines), first.removeprefix("warning: ").split(": ")[0]


def run_once(call, folder, seconds):
    """Runs a program; returns its stderr, at most 1 MB (a program that prints more is stopped), and its status."""
    def limits():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))

    with tempfile.TemporaryFile() as err:
        try:
            status = subprocess.run(call, cwd=folder, stdout=subprocess.DEVNULL, stderr=err, stdin=subprocess.DEVNULL,
                           preexec_fn=limits, timeout=5 * seconds, check=False).returncode
        except subprocess.TimeoutExpired:
            status = -signal.SIGKILL
        err.seek(0)
        return err.read().decode(errors="replace"), status


def judge(file, corpus, runs, words):
    """A row of the results file; None if the program does not compile, or no line says how to run it."""
    name = str(file.relative_to(corpus))
    row = {"program": name, "digest": hashlib.sha256(file.read_bytes()).hexdigest()[:16], "planted": planted(name),
           "runs": 0, "error_in": 0, "warning_in": 0, "first": "-"}
    runs = [arguments for pattern, arguments in runs if pattern.search(name)]
    if not runs:
        print(f"{name} is left out, because no line of {words.runs} says how to run it", flush=True)
        return None
    silent = [] # statuses of runs that failed without a report
    with tempfile.TemporaryDirectory() as place:
        binary = pathlib.Path(place) / "program"
        status, _, said = run([str(words.simtcc), "-w", *words.options, "-o", str(binary), str(file)], file.parent, 300)
        if status != 0:
            print(f"{name} does not compile: {plain(said)}", flush=True)
            return None
        for arguments in runs:
            err, status = run_once([str(binary), *arguments], file.parent, words.limit)
            error, warning, kind = reports_of(err)
            row["runs"] += 1
            row["error_in"] += error
            row["warning_in"] += warning and not error
            if kind and (row["first"] == "-" or error and row["error_in"] == 1):
                row["first"] = plain(kind)
            if status in (-signal.SIGXCPU, -signal.SIGKILL):
                row["first"] = "time" if row["first"] == "-" else row["first"]
            elif status and not kind:
                silent.append(status)
    if len(silent) == row["runs"]:
        print(f"{name}: each run ended with status {silent[0]} and no report: are its arguments right?", flush=True)
    return row


def summary(rows):
    """Yields for each kind of bug the number of programs, found by an error, found only by a warning, and missed."""
    kinds = collections.defaultdict(list)
    for row in rows:
        kinds[row["planted"]].append(row)
    for kind in sorted(kinds, key=lambda k: (k == "-", k)):
        some = kinds[kind]
        errors = sum(r["error_in"] > 0 for r in some)
        warned = sum(r["error_in"] == 0 and r["warning_in"] > 0 for r in some)
        yield kind, len(some), errors, warned, len(some) - errors - warned


def total(rows):
    """Recall and false alarms as a sentence."""
    bad, good = [r for r in rows if r["planted"] != "-"], [r for r in rows if r["planted"] == "-"]
    found = sum(r["error_in"] + r["warning_in"] > 0 for r in bad)
    wrong = sum(r["error_in"] > 0 for r in good)
    warned = sum(r["error_in"] == 0 and r["warning_in"] > 0 for r in good)
    return (f"{len(bad)} with a bug, found {found} (recall {found / (len(bad) or 1):.3f}); {len(good)} right, "
            f"falsely accused {wrong}, falsely warned {warned}")


def sum_up(paths):
    """Prints a line for each results file and kind of bug; "any" is the sum."""
    print("# programs whose names say what is wrong with them: make simt-races, races.py --sum",
          "step\tcase\tdtype\tprograms\terror\twarning\tnothing\tfound_pct", sep="\n")
    for path in map(pathlib.Path, paths):
        lines = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
        rows = [dict(zip(COLUMNS, line.split("\t"))) for line in lines[1:]]
        for row in rows:
            row.update(error_in=int(row["error_in"]), warning_in=int(row["warning_in"]))
        bad = [{**row, "planted": "any"} for row in rows if row["planted"] != "-"]
        for kind, n, errors, warned, nothing in [*summary(rows), *summary(bad)]:
            print(path.stem, "right" if kind == "-" else kind, "foreign", n, errors, warned, nothing,
                  f"{100 * (errors + warned) / n:.1f}", sep="\t")


def write(path, rows, words, corpus):
    """Writes the results file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    version = run([str(words.simtcc), "--version"], corpus, 10)[1].split(":")[0].removeprefix("simtcc of ")
    with path.open("w", encoding="utf-8") as f:
        runs = [line for line in words.runs.read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]
        print(f"# corpus: {words.origin}", f"# simtcc: {version}", *(f"# run: {line}" for line in runs),
              "\t".join(COLUMNS), sep="\n", file=f)
        for row in rows:
            print("\t".join(str(row[c]) for c in COLUMNS), file=f)


def main():
    """Reads the words, judges all, writes the record."""
    parser = options(__doc__, 20)
    parser.add_argument("--runs", type=pathlib.Path, required=True)
    parser.add_argument("--options", type=shlex.split, default=[], help="of simtcc, e.g. '-I folder'")
    if sys.argv[1:2] == ["--sum"]:
        return sum_up(sys.argv[2:])
    words = parser.parse_args()
    corpus = words.corpus.resolve()
    files = [f for f in sorted(corpus.rglob("*.cu")) if re.search(words.only, str(f.relative_to(corpus)))]
    if not files:
        sys.exit(f"{words.corpus}: no .cu files there")
    os.environ.setdefault("SIMT_WORKERS", "1") # runs blocks in order, so that reports are the same each time
    runs = list(read_runs(words.runs, corpus))
    with concurrent.futures.ThreadPoolExecutor(words.jobs) as pool:
        rows = list(filter(None, pool.map(lambda f: judge(f, corpus, runs, words), files[::words.every])))
    if not rows:
        sys.exit("no program was run")
    print("planted\tprograms\terror\twarning\tnothing")
    for line in summary(rows):
        print(*line, sep="\t")
    print(total(rows))
    if words.out:
        write(words.out, rows, words, corpus)


if __name__ == "__main__":
    main()
