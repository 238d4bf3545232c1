#!/usr/bin/env python3
"""check.py - how far the predictions are from the rows that were measured.

    check.py [--held-out] [--fresh] [--write FILE] MEASURED_FOLDER GPU_FILE PREDICTED.tsv...   (`make predict-check`)

Joins predicted rows with the kernels' rows of the records in MEASURED_FOLDER by chapter, step, case and type.  Rows of
held_out.txt have a table of their own, printed with --held-out.  Prints, for the prediction as it was made, for the
model without a fitted constant, and for constants fitted without the step, the chapter or the case that a row is of:
the error's mean, median and ninth decile, the rank within a problem and the regret of choosing the predicted best.
--fresh: the rows were measured after the model was frozen, and nothing is fitted to them (`make predict-fresh`).
With --write the rows go to FILE, the errors to FILE_errors.
"""
import glob
import os
import sys
from statistics import mean, median

HERE = os.path.dirname(os.path.abspath(__file__))


def rows_of(path):
    names = None
    with open(path, encoding="utf-8") as f:
        for line in f:
            fields = line.rstrip("\n").split("\t")
            if line.startswith("#"):
                continue
            if names is None:
                names = fields
            elif len(fields) == len(names):
                yield dict(zip(names, fields))


def number(text):
    try:
        return float(text)
    except (TypeError, ValueError):
        return None


def key_of(row):
    return row["chapter"], row["step"], row["case"], row["dtype"]


def measured_rows(folder):
    found = {}
    for path in sorted(glob.glob(os.path.join(folder, "0[1-9]_*.tsv"))):
        for row in rows_of(path):
            if row.get("kind") == "gpu" and number(row.get("cold_us")) and "step" in row and "case" in row:
                found.setdefault(key_of(row), number(row["cold_us"]))
    return found


def held_out():
    with open(os.path.join(HERE, "held_out.txt"), encoding="utf-8") as f:
        pairs = [line.rstrip("\n").split("\t") for line in f if not line.startswith("#")]
    return {p[1] for p in pairs if p[0] == "step"}, {p[1] for p in pairs if p[0] == "case"}


class Row:
    def __init__(self, key, us, row, gpu):
        self.chapter, self.step, self.case, self.dtype = key
        self.measured, self.made = us, number(row["predicted_us"])
        self.parts = (gpu["floor_us"], number(row["predicted_nodes"]) - 1, number(row["replayed_us"]))
        self.unfitted = self.parts[0] + self.parts[1] * gpu["gap_us"] + self.parts[2]
        self.limiter = row["limiter"]


def join(measured, paths, gpu, want_held):
    steps, cases = held_out()
    rows, seen = [], set()
    for path in paths:
        for row in rows_of(path):
            key = key_of(row)
            held = key[0] + " " + key[1] in steps or key[2] in cases
            if key in seen or key not in measured or number(row.get("predicted_us")) is None:
                continue
            if want_held not in (held, None): # None: all of them
                continue
            seen.add(key)
            rows.append(Row(key, measured[key], row, gpu))
    return rows


def solve(a, b):
    """The 3 x 3 system a x = b, by elimination."""
    m = [list(r) + [v] for r, v in zip(a, b)]
    for i in range(3):
        pivot = max(range(i, 3), key=lambda k: abs(m[k][i]))
        m[i], m[pivot] = m[pivot], m[i]
        for k in range(3):
            if k != i and m[i][i]:
                factor = m[k][i] / m[i][i]
                m[k] = [x - factor * y for x, y in zip(m[k], m[i])]
    return [m[i][3] / m[i][i] if m[i][i] else 1 for i in range(3)]


def fit(rows):
    """floor, gap and time factors with the least squares of relative errors."""
    scaled = [[p / r.measured for p in r.parts] for r in rows]
    a = [[sum(s[i] * s[k] for s in scaled) for k in range(3)] for i in range(3)]
    return solve(a, [sum(s[i] for s in scaled) for i in range(3)])


def predicted_by(constants, row):
    return sum(c * p for c, p in zip(constants, row.parts))


def left_out(rows, group):
    """Each row's time by constants fitted to the rows of other groups."""
    constants = {g: fit([r for r in rows if group(r) != g]) for g in {group(r) for r in rows}}
    return [predicted_by(constants[group(r)], r) for r in rows]


def ranks(values):
    order = sorted(range(len(values)), key=lambda i: values[i])
    place = [0.0] * len(values)
    for position, i in enumerate(order):
        place[i] = position
    return place


def correlation(a, b):
    ma, mb = mean(a), mean(b)
    over = sum((x - ma) * (y - mb) for x, y in zip(a, b))
    under = (sum((x - ma) ** 2 for x in a) * sum((y - mb) ** 2 for y in b)) ** 0.5
    return over / under if under else 0


def by_problem(rows, times):
    problems = {}
    for r, t in zip(rows, times):
        problems.setdefault((r.chapter, r.case, r.dtype), []).append((r.measured, t))
    return [p for p in problems.values() if len(p) >= 5]


def report(name, rows, times, key, kept):
    """Prints a line of errors, and keeps it as a row of the record `key`: prediction, which rows, set."""
    errors = sorted(abs(t / r.measured - 1) for r, t in zip(rows, times))
    problems = by_problem(rows, times)
    rank = mean(correlation(ranks([m for m, _ in p]), ranks([t for _, t in p])) for p in problems) if problems else 0
    regret = mean(min(p, key=lambda x: x[1])[0] / min(m for m, _ in p) for p in problems) if problems else 0
    ranked = "%8.2f %7.3f" % (rank, regret) if problems else "%8s %7s" % ("-", "-")
    line = (len(rows), 100 * mean(errors), 100 * median(errors), 100 * errors[int(0.9 * (len(errors) - 1))])
    print("%-34s %5d %6.1f %6.1f %6.1f %s" % ((name,) + line + (ranked,)))
    kept.append("%s\t%s\t%s\t%d\t%.1f\t%.1f\t%.1f\t" % (key + line) + "\t".join(ranked.split()))


def range_of(rows, times):
    """Nine of ten rows took between these factors of what was predicted."""
    factors = sorted(r.measured / t for r, t in zip(rows, times))
    return factors[int(0.05 * (len(factors) - 1))], factors[int(0.95 * (len(factors) - 1) + 0.5)]


def write(path, rows, left, held, kind, errors, ranges):
    """Rows measured and predicted into path, errors into the file beside it."""
    head = "# predicted, not measured, beside what was measured: common/simulator/predict/check.py;"
    head += " `make predict-check`\n"
    head += "# backend: cuda\n# gpu: NVIDIA H200\n"
    with open(path, "w", encoding="utf-8") as f:
        f.write(head)
        f.write("chapter\tstep\tcase\tdtype\tmeasured_us\tpredicted_us\tunfitted_us\tstep_left_out_us\treplayed_us\t"
                "nodes\tlimiter\tset\n")
        for r, us, kind in [(r, us, "seen") for r, us in zip(rows, left)] + [(r, None, kind) for r in held]:
            f.write("%s\t%s\t%s\t%s\t%.3f\t%.3f\t%.3f\t%s\t%.3f\t%d\t%s\t%s\n" %
                    (r.chapter, r.step, r.case, r.dtype, r.measured, r.made, r.unfitted,
                     "-" if us is None else "%.3f" % us, r.parts[2], r.parts[1] + 1, r.limiter, kind))
    with open(path.replace(".tsv", "_errors.tsv"), "w", encoding="utf-8") as f:
        f.write(head + "".join("# %s: %.2f\n" % pair for pair in ranges.items()))
        f.write("step\tcase\tdtype\trows\tmean\tmedian\tp90\trank\tregret\n" + "\n".join(errors) + "\n")


def gpu_of(path):
    with open(path, encoding="utf-8") as f:
        pairs = [line.split("#")[0].split() for line in f]
    return {p[0]: number(p[1]) for p in pairs if len(p) == 2}


def heading(title):
    print("%-34s %5s %6s %6s %6s %8s %7s" % (title, "rows", "mean", "median", "p90", "Spearman", "regret"))


def by_size_and_chapter(rows, kind, kept):
    for low, high in ((0, 5), (5, 10), (10, 20), (20, 50), (50, 100000)):
        some = [r for r in rows if low <= r.measured < high]
        if len(some) > 1:
            name = "%d-%d" % (low, high)
            report("  measured %s us" % name, some, [r.made for r in some], ("made", name, kind), kept)
    for chapter in sorted({r.chapter for r in rows}):
        some = [r for r in rows if r.chapter == chapter]
        report("  " + chapter, some, [r.made for r in some], ("made", chapter, kind), kept)


def report_seen(rows, kept, ranges):
    heading("seen rows, errors in per cent")
    report("as predicted", rows, [r.made for r in rows], ("made", "all", "seen"), kept)
    report("no fitted constant", rows, [r.unfitted for r in rows], ("unfitted", "all", "seen"), kept)
    left = left_out(rows, lambda r: (r.chapter, r.step))
    report("fitted, step left out", rows, left, ("step_left_out", "all", "seen"), kept)
    for name, group in (("chapter", lambda r: r.chapter), ("case", lambda r: r.case)):
        if len({group(r) for r in rows}) > 1:
            report("fitted, %s left out" % name, rows, left_out(rows, group), (name + "_left_out", "all", "seen"), kept)
    by_size_and_chapter(rows, "seen", kept)
    print("fitted to all: floor %.3f, gap %.3f, time %.3f" % tuple(fit(rows)))
    ranges["low_seen"], ranges["high_seen"] = range_of(rows, left)
    print("range by step left out: %(low_seen).2f to %(high_seen).2f" % ranges)
    return left


def report_unseen(rows, title, kind, kept, ranges):
    heading(title + ", errors in per cent")
    report("as predicted", rows, [r.made for r in rows], ("made", "all", kind), kept)
    report("no fitted constant", rows, [r.unfitted for r in rows], ("unfitted", "all", kind), kept)
    by_size_and_chapter(rows, kind, kept)
    low, high = range_of(rows, [r.made for r in rows])
    ranges["low_" + kind], ranges["high_" + kind] = low, high
    print("range: %.2f to %.2f" % (low, high))


def main(arguments):
    output = arguments[arguments.index("--write") + 1] if "--write" in arguments else None
    paths = [a for a in arguments if not a.startswith("--") and a != output]
    gpu, measured = gpu_of(paths[1]), measured_rows(paths[0])
    fresh = "--fresh" in arguments
    rows = join(measured, paths[2:], gpu, None if fresh else False)
    if len(rows) < 10:
        print("only %d rows are both measured and predicted" % len(rows))
        return 1
    kept, ranges = [], {}
    if fresh:
        report_unseen(rows, "fresh rows", "fresh", kept, ranges)
        if output:
            write(output, [], [], rows, "fresh", kept, ranges)
        return 0
    left = report_seen(rows, kept, ranges)
    held = join(measured, paths[2:], gpu, True) if "--held-out" in arguments else []
    if held:
        report_unseen(held, "rows set aside", "aside", kept, ranges)
    if output:
        write(output, rows, left, held, "aside", kept, ranges)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
