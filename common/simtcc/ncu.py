#!/usr/bin/env python3
"""ncu.py FILE.cu... [OPTION]... [-- ARGUMENT...]: compares a program's counts in the simulator with ncu's counts.
ncu.py --sum RECORD CAUSES: sums up a results file.

Builds the program with nvcc and with simtcc, runs the first under ncu (on a machine with a GPU) and the second as
`simt run --count`, and prints the counts of each launch that differ: requests and sectors of global loads and stores,
and wavefronts of shared loads and stores.  For wavefronts it prefers ncu's counts per instruction; those of the memory
pipe grow with other traffic and vary between runs.  Active lanes are printed but not compared: ncu counts them for all
instructions, the simulator for memory accesses only.

--card PROGRAM and --simt PROGRAM name programs that are built already; --csv FILE (output of ncu --csv) and
--counts FILE (output of simt run --counts) replace the runs.  The first --launches launches are compared, one by one,
as long as both sides launch the same shapes.  Kernels have ncu's names, because a pointer to a kernel has another here.
"""
import argparse
import collections
import csv
import hashlib
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

from score import COURSE

# For each count of ours, ncu's metrics; the first that ncu has is used.
METRICS = {
    "ld_requests": ["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"],
    "ld_sectors": ["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"],
    "st_requests": ["l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"],
    "st_sectors": ["l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"],
    "sh_ld_wavefronts": ["smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
                         "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"],
    "sh_st_wavefronts": ["smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
                         "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"],
    "active_lanes": ["smsp__thread_inst_executed_per_inst_executed.ratio"],
}
SMS = "device__attribute_multiprocessor_count"
COLUMNS = ["program", "digest", "launches", "kernel", "grid", "block", "count", "simt", "ncu", "equal"]
NVCC = ["nvcc", "-w", "-std=c++17", "-O3", "-lineinfo"]


def shape(text):
    """Normalises a shape: (256, 1, 1) is 256, and (16, 16, 1) is 16x16."""
    sizes = re.findall(r"\d+", text)
    while len(sizes) > 1 and sizes[-1] == "1":
        sizes.pop()
    return "x".join(sizes)


def bare(kernel):
    """The name without its namespaces and template arguments."""
    return re.sub(r"<.*|\(.*", "", kernel.removeprefix("void ")).split("::")[-1].strip()


def call(words, what):
    """Runs a command and returns its output; exits if the command fails."""
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode not in (0, 86):
        sys.exit(f"{what} failed: {(done.stderr or done.stdout).decode(errors='replace')[-2000:]}")
    return done.stdout.decode(errors="replace")


def of_ncu(text):
    """ncu's launches in order, and the number of SMs of its GPU (0: unknown)."""
    lines = text[text.find('"ID",'):].splitlines()      # the program's own output comes first and may contain quotes
    lines = [line for line in lines if line.startswith('"')]
    launches, sms = {}, 0
    for row in csv.DictReader(lines):
        value = row["Metric Value"].replace(",", "")
        if row["Metric Name"] == SMS:
            sms = int(float(value))
        one = launches.setdefault(int(row["ID"]), {"kernel": bare(row["Kernel Name"]), "grid": shape(row["Grid Size"]),
                                                   "block": shape(row["Block Size"])})
        one[row["Metric Name"]] = value
    return [launches[i] for i in sorted(launches)], sms


def of_simt(path):
    """The simulator's launches in order."""
    with open(path, encoding="utf-8") as f:
        return [{**row, "kernel": bare(row["kernel"])} for row in csv.DictReader(f, delimiter="\t")]


def compare(ours, theirs):
    """Yields a row for each launch and count, as long as both sides launch the same shapes."""
    for number, (a, b) in enumerate(zip(ours, theirs), 1):
        if a["grid"] != b["grid"] or a["block"] != b["block"]:
            print(f"launch {number}: here {a['kernel']} {a['grid']} {a['block']}, "
                  f"on the GPU {b['kernel']} {b['grid']} {b['block']}")
            return
        for count, metrics in METRICS.items():
            values = [b[metric] for metric in metrics if b.get(metric, "").replace(".", "").isdigit()]
            if not values:
                continue
            here, there = float(a[count]), float(values[0])
            equal = "-" if count == "active_lanes" else "yes" if here == there else "no"
            yield [number, b["kernel"], a["grid"], a["block"], count, f"{here:.10g}", f"{there:.10g}", equal]


def known_metrics():
    """The metrics that this ncu has for its GPU; if unknown, the last of each list, which every ncu has."""
    asked = subprocess.run(["ncu", "--query-metrics"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    names = set(asked.stdout.decode(errors="replace").split())
    return [metric for metrics in METRICS.values() for metric in metrics
            if metric == metrics[-1] or metric.rsplit(".", 1)[0] in names]


def take(words):
    """The launches of both sides; runs the programs unless their output is given."""
    with tempfile.TemporaryDirectory() as place:
        gpu, simt, counts = words.card, words.simt, words.counts
        if not words.csv and not gpu:
            gpu = f"{place}/gpu"
            call([*NVCC, *words.nvcc, *words.options, "-o", gpu, *words.files], "nvcc")
        if not counts and not simt:
            simt = f"{place}/simt"
            call([str(words.simtcc), "-w", *words.options, "-o", simt, *words.files], "simtcc")
        if words.csv:
            text = pathlib.Path(words.csv).read_text(encoding="utf-8", errors="replace")
        else:
            text = call(["ncu", "--clock-control", "none", "--csv", "--kill", "yes", "--launch-count",
                         str(words.launches), "--kernel-name-base", "function", "--metrics",
                         ",".join([*known_metrics(), SMS]), gpu, *words.arguments], "ncu")
        theirs, sms = of_ncu(text)
        if not counts:
            counts = f"{place}/counts.tsv"
            call([str(words.simtcc.parent / "simt"), "run", "--counts", counts, "--launches", str(words.launches),
                  "--sms", str(sms or 132), simt, *words.arguments], "simt run")
        return of_simt(counts), theirs


def sum_up(record, causes):
    """Prints how many counts and kernels are equal, and the others by cause.  Each line of the file `causes` has a
    program, a kernel and a cause."""
    rows = list(csv.DictReader(open(record, encoding="utf-8"), delimiter="\t"))
    judged = csv.DictReader(open(causes, encoding="utf-8"), delimiter="\t")
    cause = {(c["program"], c["kernel"]): c["cause"] for c in judged}
    rows = [row for row in rows if row["equal"] != "-"]
    kernels, counts, parts = collections.defaultdict(lambda: "equal"), collections.Counter(), collections.Counter()
    for row in rows:
        key = row["program"], row["kernel"]
        kernels[key] = cause[key] if row["equal"] == "no" else kernels[key]
        counts[cause[key] if row["equal"] == "no" else "equal"] += int(row["launches"])
    for what in kernels.values():
        parts[what] += 1
    total, every, programs = sum(counts.values()), len(kernels), len({row["program"] for row in rows})
    print("step\tcase\tdtype\tprograms\tkernels\tcounts\tkernels_pct\tcounts_pct")
    print("foreign", "all", "-", programs, every, total, 100, 100, sep="\t")
    for what in sorted(counts, key=lambda c: (c != "equal", c)):
        print("foreign", what, "-", programs, parts[what], counts[what], f"{100 * parts[what] / every:.1f}",
              f"{100 * counts[what] / total:.1f}", sep="\t")


def main():
    """Reads the options, runs both sides and prints the differences."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*")
    parser.add_argument("--options", type=shlex.split, default=[], help="options of both, e.g. '-I folder -DN=3'")
    parser.add_argument("--nvcc", type=shlex.split, default=["-arch=native"], help="options of nvcc only")
    parser.add_argument("--card", help="the program, built by nvcc")
    parser.add_argument("--simt", help="the program, built by simtcc")
    parser.add_argument("--csv", help="output of ncu --csv")
    parser.add_argument("--counts", help="output of simt run --counts")
    parser.add_argument("--launches", type=int, default=20)
    parser.add_argument("--name", help="name of the program in the results file")
    parser.add_argument("--out", type=pathlib.Path, help="results file: its rows of this program are replaced")
    parser.add_argument("--simtcc", type=pathlib.Path, default=COURSE / "build/simtcc/bin/simtcc")
    words, rest = sys.argv[1:], []
    if words[:1] == ["--sum"]:
        return sum_up(*words[1:])
    if "--" in words:
        words, rest = words[:words.index("--")], words[words.index("--") + 1:]
    words = parser.parse_args(words)
    words.arguments = rest
    if not words.files and not ((words.card or words.csv) and (words.simt or words.counts)):
        sys.exit("no program: set PROGRAM=FILE.cu, or give --card and --simt")
    rows = list(compare(*take(words)))
    exact = [r for r in rows if r[-1] != "-"]
    for row in rows:
        if row[-1] == "no":
            print("\t".join(map(str, row[:-1])))
    kernels = {r[1] for r in exact}
    good = kernels - {r[1] for r in exact if r[-1] == "no"}
    print(f"{sum(r[-1] == 'yes' for r in exact)} of {len(exact)} counts equal, "
          f"all counts of {len(good)} of {len(kernels)} kernels")
    if words.out:
        record(words, rows)
    return None


def record(words, rows):
    """Writes the rows to the results file, replacing earlier rows of this program."""
    name = words.name or pathlib.Path(words.files[0]).name
    digest = hashlib.sha256(b"".join(pathlib.Path(f).read_bytes() for f in words.files)).hexdigest()[:16]
    old = words.out.read_text(encoding="utf-8").splitlines()[1:] if words.out.exists() else []
    lines = [line for line in old if line.split("\t")[0] != name]
    same = collections.Counter(tuple(row[1:]) for row in rows)     # equal launches share one row
    lines += ["\t".join(map(str, [name, digest, n, *row])) for row, n in same.items()]
    words.out.parent.mkdir(parents=True, exist_ok=True)
    lines.sort(key=lambda line: line.split("\t")[0])
    words.out.write_text("\n".join(["\t".join(COLUMNS), *lines]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
