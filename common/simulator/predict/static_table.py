#!/usr/bin/env python3
"""static_table.py - what nvcc makes of the kernels: a table of the facts that the simulator's g++ cannot know.

    static_table.py KERNELS.tsv FILE.cu...    compiles each to PTX (nvcc) and sm_90 (ptxas -v), writes the table
    static_table.py --check KERNELS.tsv FILE.cu...    compiles and says which rows differ; exit status 1 if any

Rows, tab-separated.  A kernel's own:

    K  symbol  registers  shared bytes  spilled bytes  instructions

and below it one for each line of its source and kind of memory instruction there, those of a file behind its name:

    F  file
    M  kind  line  copies  instructions  waits

kind: load store atomic red shared_load shared_store shared_atomic barrier warp_op.  copies: how many of them stand in
the innermost loop of that line after nvcc's unrolling (outside of loops: in the kernel), that is how many requests can
be under way together.  instructions: what the warp issues for each of them, itself included.  waits: 1 if the loop's
branch depends on a load of that loop, as a binary search's does.
"""
import glob
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
ROOMS = ["/lib", "/lib/base", "/lib/matrix", "/lib/report", "/lib/measure", "/lib/spmv"]

# What one PTX instruction becomes, in issue slots of a warp.  Whole-number guesses from the CUDA C Programming Guide's
# table of throughputs (compute capability 9.0); moves and address casts are folded away by ptxas.
FREE = re.compile(r"(mov|cvta|ld\.param|st\.param|\.loc|\.pragma|\.reg|\.shared|\.param)")
SLOW = [(re.compile(r"(div|rem)\.[su]64"), 70), (re.compile(r"(div|rem)\.[su]32"), 20),
        (re.compile(r"(div|sqrt)\.(rn|approx)?\.?f(32|64)"), 10), (re.compile(r"(fma|add|mul)\S*\.f64"), 2),
        (re.compile(r"(add|sub|mul|mad)\S*\.[su]64"), 2)]
KINDS = [("load", re.compile(r"ld\.(volatile\.|relaxed\.\S*|acquire\.\S*)?global")),
         ("load", re.compile(r"ld\.global")),
         ("store", re.compile(r"st\.(volatile\.|relaxed\.\S*|release\.\S*)?global")),
         ("atomic", re.compile(r"atom\.(global|\S*\.global)")),
         ("red", re.compile(r"red\.(global|\S*\.global)")), ("shared_load", re.compile(r"ld\.(volatile\.)?shared")),
         ("shared_store", re.compile(r"st\.(volatile\.)?shared")),
         ("shared_atomic", re.compile(r"(atom|red)\S*\.shared")),
         ("load", re.compile(r"ld\.(v\d\.)?[fubs]\d+\s")),
         ("atomic", re.compile(r"atom\.")), ("red", re.compile(r"red\.")),
         ("barrier", re.compile(r"(bar|barrier)\.(sync|red|cta|arrive)")),
         ("warp_op", re.compile(r"(shfl|vote|match|redux|bar\.warp)"))]


def kind_of(op):
    return next((kind for kind, pattern in KINDS if pattern.match(op)), None)


def weight(op):
    if FREE.match(op):
        return 0
    return next((w for pattern, w in SLOW if pattern.match(op)), 1)


class Kernel:
    def __init__(self, symbol):
        self.symbol, self.code, self.labels = symbol, [], {}     # code: (operation, text, place)

    def loops(self):
        """Stretches of the code that a branch jumps back over: [(first, last)]."""
        found = []
        for i, (op, text, _) in enumerate(self.code):
            target = re.search(r"(\$L\w+)", text) if op.startswith("bra") else None
            if target and self.labels.get(target.group(1), i + 1) <= i:
                found.append((self.labels[target.group(1)], i))
        return found

    def waits(self, first, last):
        """Does a branch of the loop depend on a load of the loop?"""
        loaded = set()
        for _ in range(2):
            for op, text, _ in self.code[first:last + 1]:
                words = re.findall(r"%\w+", text)
                if op.startswith("bra"):
                    continue
                if kind_of(op) in ("load", "atomic", "shared_load"):
                    loaded.update(re.findall(r"%\w+", text.split("[")[0]))
                elif len(words) > 1 and not op.startswith("st") and loaded & set(words[1:]):
                    loaded.add(words[0])
        return any(op.startswith("bra") and self.decides(text, first, last) and loaded & set(re.findall(r"%\w+", text))
                   for op, text, _ in self.code[first:last + 1])

    def decides(self, text, first, last):
        """Does this branch of the loop say whether the loop goes on?"""
        target = re.search(r"(\$L\w+)", text)
        return bool(target) and not first < self.labels.get(target.group(1), first) <= last

    def rows(self):
        loops, sums, since = self.loops(), {}, 0
        kinds = [kind_of(op) for op, _, _ in self.code]
        weights = [weight(op) for op, _, _ in self.code]
        waits = {loop: self.waits(*loop) for loop in loops}
        for i, (op, text, place) in enumerate(self.code):
            since += weights[i]
            if not kinds[i]:
                continue
            inside = [loop for loop in loops if loop[0] <= i <= loop[1]]
            loop = min(inside, key=lambda l: l[1] - l[0]) if inside else None
            cost = since
            if loop:
                stretch = range(loop[0], loop[1] + 1)
                cost = sum(weights[k] for k in stretch) / max(1, sum(1 for k in stretch if kinds[k]))
            since = 0
            seen = sums.setdefault((kinds[i],) + place, {})
            copies = seen.setdefault(loop, [0, 0])
            copies[0] += 1
            copies[1] += cost
        last = None
        for (kind, file, line), seen in sorted(sums.items(), key=lambda s: (s[0][1], s[0][2], s[0][0])):
            loop, (copies, cost) = max(seen.items(), key=lambda s: (s[0] is not None, s[1][0]))
            if file != last:
                yield ["F", file]
            last = file
            yield ["M", kind, str(line), str(copies), "%.1f" % (cost / copies), str(int(bool(loop and waits[loop])))]


def parse(ptx):
    """The kernels of a PTX file, each instruction with the innermost place in the reader's files."""
    files, kernels, kernel, place = {}, [], None, ("", 0)
    for line in ptx.splitlines():
        if match := re.match(r'\s*\.file\s+(\d+) "([^"]*)"', line):
            files[match.group(1)] = os.path.relpath(match.group(2), ROOT) if match.group(2).startswith(ROOT) else ""
    for line in ptx.splitlines():
        text = line.strip()
        if match := re.search(r"\.entry (\w+)", text):
            kernel = Kernel(match.group(1))
            kernels.append(kernel)
        elif match := re.match(r"\.loc\s+(\d+) (\d+) \d+(.*)", text):
            if files.get(match.group(1)):
                place = (files[match.group(1)], int(match.group(2)))
            elif (outer := re.search(r"inlined_at (\d+) (\d+)", match.group(3))) and files.get(outer.group(1)):
                place = (files[outer.group(1)], int(outer.group(2)))
        elif kernel and (match := re.match(r"(\$L\w+):", text)):
            kernel.labels[match.group(1)] = len(kernel.code)
        elif kernel and text.endswith(";") and not text.startswith("."):
            op = re.sub(r"^(\{\s*)?(@!?%\w+\s+)?", "", text)
            kernel.code.append((op, text, place))
    return kernels


def rows_of(source):
    """Those of one file, kept in build/kernels until it changes; after a change of a header remove that folder."""
    kept = os.path.join(ROOT, "build", "kernels", source.replace("/", "_") + ".tsv")
    newest = max(os.path.getmtime(f) for f in [os.path.join(ROOT, source), __file__])
    if os.path.exists(kept) and os.path.getmtime(kept) > newest:
        with open(kept, encoding="utf-8") as f:
            return f.read().splitlines()
    os.makedirs(os.path.dirname(kept), exist_ok=True)
    rows = compile_one(source)
    with open(kept, "w", encoding="utf-8") as f:
        f.write("".join(row + "\n" for row in rows))
    return rows


def compile_one(source):
    folder, name = os.path.split(os.path.join(ROOT, source))
    includes = ["-I" + ROOT + "/common" + room for room in ROOMS] + ["-I.", "-I.."]
    library = ROOT + "/07_load_balance/libspmv"
    includes += ["-I" + room for room in (library, library + "/gpu", *glob.glob(library + "/gpu/*/"))]
    includes += ["-I" + ROOT + "/07_load_balance"]
    with tempfile.TemporaryDirectory() as scratch:
        ptx = os.path.join(scratch, "k.ptx")
        subprocess.run(["nvcc", "-std=c++17", "-O3", "-lineinfo", "-ptx", "-arch=compute_90", *includes, name, "-o",
                        ptx],
                       cwd=folder, check=True)
        said = subprocess.run(["ptxas", "-v", "-arch=sm_90", ptx, "-o", os.path.join(scratch, "k.cubin")], check=True,
                              capture_output=True, text=True).stderr
        with open(ptx, encoding="utf-8") as f:
            kernels = parse(f.read())
    resources = {}
    for part in re.split(r"Compiling entry function '", said)[1:]:
        number = lambda pattern: int((re.search(pattern, part) or [0, 0])[1])
        resources[part.split("'")[0]] = [number(r"Used (\d+) registers"), number(r"(\d+) bytes smem"),
                                         number(r"(\d+) bytes spill loads")]
    rows = []
    for kernel in kernels:
        known = resources.get(kernel.symbol, [0, 0, 0]) + [sum(weight(op) > 0 for op, _, _ in kernel.code)]
        rows.append("\t".join(["K", kernel.symbol] + [str(v) for v in known]))
        rows += ["\t".join(row) for row in kernel.rows()]
    return rows


def main(arguments):
    check = arguments[:1] == ["--check"]
    table, sources = arguments[check], arguments[check + 1:]
    with ThreadPoolExecutor(2) as pool:
        rows = [row for rows in pool.map(compile_one if check else rows_of, sources) for row in rows]
    if not check:
        with open(table, "w", encoding="utf-8") as f:
            f.write("# made by common/simulator/predict/static_table.py from nvcc's PTX and ptxas -v for sm_90;"
                    " `make kernels`\n")
            f.write("\n".join(rows) + "\n")
        return 0
    with open(table, encoding="utf-8") as f:
        kept = f.read().split("\nK\t")[1:]
    fresh = ("\n" + "\n".join(rows)).split("\nK\t")[1:]
    stale = sorted(kernel.split("\t")[0] for kernel in fresh if kernel.rstrip() not in {k.rstrip() for k in kept})
    for symbol in stale[:10]:
        print("%s is not what nvcc makes of %s: make kernels" % (os.path.relpath(table, ROOT), symbol))
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
