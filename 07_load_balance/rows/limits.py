#!/usr/bin/env python3
"""limits.py PROGRAM FILE [CASE:DTYPE ...]: names the limit of libspmv's plans by the profiler's counters.

Runs PROGRAM (build/cuda/bin/07_load_balance) under ncu for each case, one product of libspmv_plan with cold caches, and
writes FILE (plots/data/h200/07_limits.tsv).  ncu sees the product alone: it would slow the candidates that create
times.  Without cases it takes those of RECORD in which a plan is less than 1.2 times as fast as the best form of
cuSPARSE.

Columns: the product's time under ncu; the percentage of its peak that DRAM, L2, L1 and instruction issue reach; the
mean percentage of the warps that an SM can hold; the percentage of a warp's time in which it waits for a load.  The
limit is the busiest unit if it is busy for at least 70 % of the time; otherwise the warps wait.
"""
import collections
import csv
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, "common/lib/spmv")
import results

METRICS = {
    "us": "gpu__time_duration.sum",
    "dram_pct": "dram__throughput.avg.pct_of_peak_sustained_elapsed",
    "l2_pct": "lts__throughput.avg.pct_of_peak_sustained_elapsed",
    "l1_pct": "l1tex__throughput.avg.pct_of_peak_sustained_active",
    "issue_pct": "sm__inst_issued.avg.pct_of_peak_sustained_elapsed",
    "warps_pct": "sm__warps_active.avg.pct_of_peak_sustained_active",
    "waits_pct": "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio",
    "latency": "smsp__average_warp_latency_per_inst_issued.ratio",
}
UNITS = "DRAM", "L2", "L1", "issue"
COLUMNS = ["step", "case", "dtype", "status", "kernel", "limit", "times_best",
           *(name for name in METRICS if name != "latency")]
RECORD = "plots/data/h200/07_load_balance_bars.tsv"


def close_cases():
    """(matrix, dtype, speedup over the best form) of the results file's rows in which a plan gains less than a fifth.
    """
    times = collections.defaultdict(dict)
    for row in results.timed_rows(RECORD):
        times[row["case"], row["dtype"]][row["step"]] = float(row["cold_us"])
    for (case, dtype), of in times.items():
        if "libspmv_plan" not in of:
            continue
        gain = min(us for step, us in of.items() if step.startswith("cusparse")) / of["libspmv_plan"]
        if gain < 1.2:
            yield case, dtype, gain


def counted(program, matrix, dtype):
    """(kernel, {metric: number}) of the last kernel of a run, which is the product."""
    command = ["ncu", "--profile-from-start", "off", "--clock-control", "none", "--csv",
               "--metrics", ",".join(METRICS.values()), program, "--matrix", matrix, "--dtype", dtype,
               "--only", "libspmv_plan", "--once", "--format", "tsv"]
    ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if ended.returncode:
        sys.exit(f"{matrix}: ncu ended with status {ended.returncode}:\n{ended.stdout[-2000:]}{ended.stderr[-2000:]}")
    lines = ended.stdout.splitlines()
    rows = list(csv.DictReader(lines[next(i for i, line in enumerate(lines) if line.startswith('"ID"')):]))
    last = rows[-1]["ID"]
    of = {row["Metric Name"]: float(row["Metric Value"].replace(",", "")) for row in rows if row["ID"] == last}
    numbers = {name: of[metric] for name, metric in METRICS.items()}
    numbers["us"] /= 1e3  # ncu prints nanoseconds
    numbers["waits_pct"] *= 100 / numbers.pop("latency")
    return re.search(r"\w+_kernel", rows[-1]["Kernel Name"]).group(), numbers


def limit(numbers):
    """The unit that is busy for at least 70 % of the time, or "waits"."""
    units = {unit: numbers[f"{unit.lower()}_pct"] for unit in UNITS}
    busiest = max(units, key=units.get)
    return busiest if units[busiest] >= 70 else "waits"


def write(out, rows):
    """Writes the results file: how many cases each unit limits, then the rows."""
    limits = collections.Counter(row[COLUMNS.index("limit")] for row in rows)
    head = ["# what limits the plans of libspmv: 07_load_balance/rows/limits.py", "# backend: cuda",
            "# gpu: NVIDIA H200", f"# cases: {len(rows)}"]
    head += [f"# {unit.lower()}: {limits[unit]}" for unit in UNITS + ("waits",)]
    lines = ["\t".join(row) for row in [COLUMNS, *rows]]
    pathlib.Path(out).write_text("\n".join(head + lines) + "\n", encoding="utf-8")


def main():
    if len(sys.argv) < 3 or sys.argv[1] in ("-h", "--help"):
        sys.exit(__doc__)
    program, out = sys.argv[1:3]
    cases = [(*case.rsplit(":", 1), float("nan")) for case in sys.argv[3:]] or list(close_cases())
    rows = []
    for done, (case, dtype, gain) in enumerate(cases, 1):
        matrix = results.matrix_of(case)
        if not matrix:
            continue
        kernel, numbers = counted(program, matrix, dtype)
        rows.append(["libspmv_plan", case, dtype, "ok", kernel, limit(numbers), f"{gain:.2f}",
                     *(f"{number:.1f}" for number in numbers.values())])
        print(f"{done}/{len(cases)}", *rows[-1], flush=True)
    write(out, rows)


if __name__ == "__main__":
    main()
