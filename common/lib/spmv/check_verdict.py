#!/usr/bin/env python3
"""check_verdict.py PROGRAM RECORD [--most BYTES] [--limit N] [--out FILE]: verdicts by predicted times, and measured times.

For each matrix of the record (plots/data/h200/07_load_balance_suite.tsv) whose product moves that many bytes,
smallest first, PROGRAM (build/simt/bin/07_load_balance) names a step: the best of all kernels, and the best of the
chapter's steps.  Printed is the measured time of the named one over that of the fastest, a line a matrix, and how many
are within a tenth; FILE is plots/data/h200/07_verdicts.tsv.  A matrix that has no recipe is taken from $MATRIX_DIR, or
left out.
"""
import argparse
import json
import pathlib
import subprocess
import sys

import results


def measured(path):
    """{case: ({step: us}, bytes)} of the kernels in fp32."""
    cases = {}
    for row in results.timed_rows(path):
        if row["dtype"] == "fp32" and row["kind"] == "gpu":
            times, _ = cases.setdefault(row["case"], ({}, float(row["bytes"])))
            times[row["step"]] = float(row["cold_us"])
    return cases


def named(program, matrix):
    """The kernel that the verdict names as best, and the step."""
    command = [program, "--matrix", matrix, "--dtype", "fp32", "--verdict", "json"]
    ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if ended.returncode:
        sys.exit(ended.stderr)
    verdict = json.loads(ended.stdout)
    return verdict["best"]["step"], verdict["best_step"]["step"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("record")
    parser.add_argument("--most", type=float, default=20e6, help="bytes of a product (default: 20 million)")
    parser.add_argument("--least", type=float, default=0, help="bytes of a product (default: 0)")
    parser.add_argument("--limit", type=int, default=40, help="matrices (default: 40)")
    parser.add_argument("--out", help="a results file to write")
    a = parser.parse_args()
    seen, near, near_step, lines = 0, 0, 0, ["step\tcase\tdtype\ttimes_fastest\town_step\ttimes_fastest_step"]
    for case, (times, size) in sorted(measured(a.record).items(), key=lambda item: item[1][1]):
        matrix = results.matrix_of(case)
        if not a.least < size <= a.most or seen == a.limit or not matrix:
            continue
        best, step = named(a.program, matrix)
        own = {s: us for s, us in times.items() if not s.startswith("libspmv")}
        off, off_step = times[best] / min(times.values()), times[step] / min(own.values())
        seen, near, near_step = seen + 1, near + (off <= 1.1), near_step + (off_step <= 1.1)
        lines.append(f"{best}\t{case}\tfp32\t{off:.2f}\t{step}\t{off_step:.2f}")
        print(f"{case:28} {best:14} {off:5.2f}   {step:4} {off_step:5.2f} of {min(own, key=own.get)}", flush=True)
    print(f"of {seen} matrices the kernel named is within a tenth of the fastest in {near}, the step in {near_step}")
    if a.out:
        head = ["# verdicts by predicted times beside measured times: common/lib/spmv/check_verdict.py",
                "# backend: cuda", "# gpu: NVIDIA H200", f"# matrices: {seen}", f"# near: {near}", f"# near_step: {near_step}"]
        pathlib.Path(a.out).write_text("\n".join(head + lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
