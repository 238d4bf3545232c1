#!/usr/bin/python3
"""rule.py: learns from measured times which variant of libspmv is fastest for which matrix, and prints the rule as C.

    rule.py REPORT.tsv gpu_choice.c FEATURES.tsv WAYS.tsv... > gpu_rule.inc

More FEATURES and WAYS may follow.  A sample is a matrix in one type.  If a variant was timed in several runs, the
geometric mean counts.  If a sample's features appear again, they replace the old ones and remove the times read so far,
because another version of the library took those times.

The regret of a sample with a variant is log(its time / the fastest variant's time).  For each set-up, one decision tree
of scikit-learn predicts exp(-regret / NEAR) of every variant: 1 for the fastest, nearly 0 for one that is 10 % slower.
A leaf takes the variant with the least mean loss of its samples, regret (1 + SEVERE regret), so twice the regret costs
more than twice as much.  A plan's loss includes its set-up time, spread over PRODUCTS products.

An inspection that ends with a slower kernel than no set-up is useless, so such a variant has BEHIND times that loss in
addition, and a leaf of the inspection's tree may answer "as without an inspection".  For long products, a leaf may name
a second variant, which is built and timed beside the first (gpu_choice.h says when); the regret is then the faster's.

The size of the tree: for every family of matrices, trees of each size are grown without the family and then applied to
it.  Of the sizes whose mean regret on left-out families is within CLOSE of the least, the largest is taken.
"""
import csv
import re
import sys

try:
    import numpy
    from sklearn import __version__ as sklearn_version
    from sklearn.tree import DecisionTreeRegressor
except ImportError as lacking:
    sys.exit(f"rule.py: {lacking}: install scikit-learn (Debian and Ubuntu: apt-get install python3-sklearn)")

SIZES = (1, 2, 3, 5, 10, 15, 20, 25, 30, 35, 40)  # leaves
LEAST = 4        # least number of samples in a leaf
NEAR = 0.02      # variants whose times differ by less count as equal
GAIN = 0.0003    # the least reduction of the mean squared error by a split; less is noise
SEVERE = 10
BEHIND, NO_WORSE = 20, 1.05
PRODUCTS = 1000
SECOND = 0.001   # the least reduction of a leaf's mean loss by a second variant
CLOSE = 0.005
WEIGHTS = {"none": 1, "look": 1, "plan": 0}  # the power of a sample's mean regret that is its weight in the tree
LIMITS = {}      # constants of gpu_choice.h: GPU_LONGEST_ROW, GPU_TRY, ...

SIZES_ALONE = "rows cols nnz value_bytes mean".split()
LOOKED_AT = SIZES_ALONE + "longest skew in_order_fill near_fill diagonals sectors gathered alike".split()
FEATURES = {"none": SIZES_ALONE, "look": LOOKED_AT, "plan": LOOKED_AT + ["hot"]}


def fail(why):
    sys.exit(f"rule.py: {why}")


# ---- input -----------------------------------------------------------------------------------------

def read_variants(path):
    """The variants that need no set-up, and those that a plan may use, from the flags in gpu_choice.c's table.  Stores
    the constants of gpu_choice.h in LIMITS."""
    LIMITS.update((name, float(value)) for name, value in re.findall(r"\b(GPU_[A-Z_]+)(?: =)? ([0-9.]+)",
                                                                     open(re.sub("c$", "h", path)).read()))
    found = re.findall(r'^ *\[VARIANT_\w+\] *= *\{"(\w+)".*?(true|false), +(true|false)\}', open(path).read(), re.M)
    # gpu_choice.c chooses granules itself: with them in the tree, left-out families took 0.7 % longer.
    found = [(name, none, plan) for name, none, plan in found if name != "granules"]
    return [v[0] for v in found if v[1] == "true"], [v[0] for v in found if v[2] == "true"]


def read_samples(paths):
    """{(case, type): {"features": ..., "times": {variant: [(log time, set-up in us)]}}}, and the header's lines."""
    samples, header = {}, []
    for path in paths:
        lines = open(path).read().splitlines()
        header += [line for line in lines if re.match("# (gpu|commit|date): ", line)]
        for row in csv.DictReader([line for line in lines if not line.startswith("#")], delimiter="\t"):
            key = row["case"], row["dtype"]
            if "chapter" not in row:
                row["gathered"] = float(row["sectors"]) * 32 / (float(row["value_bytes"]) + 4)  # as in gpu_features.cu
                samples[key] = {"features": row, "times": {}}
            elif key in samples and row["status"] == "ok" and row["cold_us"] not in ("-", "0"):
                setup_us = 1000 * float(row["setup_ms"]) if row.get("setup_ms", "-") != "-" else 0
                samples[key]["times"].setdefault(row["step"], []).append((numpy.log(float(row["cold_us"])), setup_us))
    return samples, header


def family(case):
    """The family of a matrix: all matrices of a recipe, all transposed ones, all scrambled ones, or else the matrix
    alone."""
    return case if case.startswith("like:") or ":" not in case else re.sub(":[0-9].*", "", case)


# ---- one set-up: none, look or plan ----------------------------------------------------------------

class Problem:
    """The samples of a set-up as arrays with a row for each sample and a column for each variant."""

    def __init__(self, setup, variants, as_it_is, samples, without=None):
        self.setup, self.variants = setup, list(variants)
        self.keys = [k for k, s in samples.items() if all(v in s["times"] for v in [*variants, *as_it_is])]
        for key in samples.keys() - set(self.keys):
            print(f"rule.py: no time of every variant for {key[0]} {key[1]}: left out", file=sys.stderr)
        if len(self.keys) < 2 * LEAST:
            fail(f"only {len(self.keys)} samples with times for set-up {setup}, which are too few")
        self.features = [samples[k]["features"] for k in self.keys]
        self.x = numpy.array([[float(f[name]) for name in FEATURES[setup]] for f in self.features])
        n = len(self.keys)
        logs, self.setup_us = numpy.zeros((2, n, len(variants)))
        for i, key in enumerate(self.keys):
            too_long = float(self.features[i]["cols" if setup == "none" else "longest"]) > LIMITS["GPU_LONGEST_ROW"]
            for j, variant in enumerate(variants):
                instead = "spans_4" if too_long and variant.startswith("rows_") else variant
                logs[i, j] = numpy.mean([t[0] for t in samples[key]["times"][instead]]) + 0.01 * (instead != variant)
                self.setup_us[i, j] = numpy.mean([t[1] for t in samples[key]["times"][variant]])
        self.asis = numpy.array([v in as_it_is for v in variants])
        if without is not None:  # an inspection may also select the variant of no set-up
            logs = numpy.hstack([logs, logs[numpy.arange(n), without][:, None]])
            self.setup_us = numpy.hstack([self.setup_us, numpy.zeros((n, 1))])
            self.variants.append("none")
            self.asis = numpy.append(self.asis, True)
        self.us = numpy.exp(logs)
        self.regret = logs - logs.min(1, keepdims=True)
        self.off = self.regret * (1 + SEVERE * self.regret)
        self.pays = self.setup_us / (PRODUCTS * self.us) if setup == "plan" else 0 * self.us
        self.loss = self.off + self.pays
        if without is not None:
            slower = self.us / self.us[:, -1:]
            self.loss += numpy.where(slower > NO_WORSE, BEHIND * numpy.log(slower), 0)
        column = lambda name: numpy.array([float(f[name]) for f in self.features])
        self.large = (column("nnz") >= LIMITS["GPU_TRY"]) & (setup != "none")
        self.uneven = column("skew") >= LIMITS["GPU_UNEVEN"]
        self.straight = (column("diagonals") >= LIMITS["GPU_MOSTLY_DIAGONALS"]) & ~self.uneven
        self.families = numpy.unique([family(k[0]) for k in self.keys], return_inverse=True)[1]

    def tried(self, samples, first, other):
        """Whether there is time to build `other` and time it beside `first`."""
        built = self.setup_us[samples, first] * (not self.asis[first])
        spent = (1 if self.asis[other] else 3) * built + LIMITS["GPU_TRY_US"]
        return self.large[samples] & (spent <= LIMITS["GPU_TRY_PRODUCTS"] * self.us[samples, first])

    def leaf(self, samples):
        """A leaf's variant, and the second one that reduces the loss of these samples most, or None."""
        loss = self.loss[samples].sum(0)
        last = len(loss) - (self.variants[-1] == "none")
        first = int(loss[:last].argmin())
        if last < len(loss) and loss[last] <= loss[first]:
            first = last
        gains = [((self.off[samples, first] - self.off[samples, w]).clip(0) - self.pays[samples, w])
                 @ self.tried(samples, first, w) for w in range(last)]
        second = int(numpy.argmax(gains))
        return first, second if gains[second] > SECOND * len(samples) else None

    def grow(self, samples):
        """A tree learned from these samples, and {node: (variant, second)} for all its nodes."""
        weights = numpy.minimum(self.regret[samples], 0.5).mean(1) ** WEIGHTS[self.setup] + 1e-9
        tree = DecisionTreeRegressor(max_leaf_nodes=max(SIZES), min_samples_leaf=LEAST, min_impurity_decrease=GAIN,
                                     random_state=0)
        tree.fit(self.x[samples], numpy.exp(-self.regret[samples] / NEAR), sample_weight=weights)
        below = tree.decision_path(self.x[samples]).toarray().astype(bool)
        return tree, [self.leaf(samples[below[:, node]]) for node in range(tree.tree_.node_count)]

    def ask(self, tree, answers, samples):
        """For each size of the tree and each sample: the variant that finally runs, and the first one of the leaf."""
        below = tree.decision_path(self.x[samples]).toarray()
        for size in SIZES:
            leaves = cut(tree, size)
            at = [leaves[k] for k in below[:, leaves].argmax(1)]
            yield size, numpy.array([self.runs(i, *answers[node]) for i, node in zip(samples, at)])

    def runs(self, i, first, second):
        if second is not None:
            to_order = self.variants[second] == "in_order" and self.straight[i]
            from_order = self.variants[first] == "in_order" and self.uneven[i] and not self.asis[second]
            if to_order or from_order:
                first, second = second, first
        faster = second is not None and self.regret[i, second] < self.regret[i, first] and self.tried(i, first, second)
        return second if faster else first, first

    def left_out(self):
        """For each size and sample: the variant that a tree selects that was grown without the sample's family."""
        chosen = {size: numpy.zeros(len(self.keys), int) for size in SIZES}
        for f in range(self.families.max() + 1):
            unseen = numpy.flatnonzero(self.families == f)
            for size, answer in self.ask(*self.grow(numpy.flatnonzero(self.families != f)), unseen):
                chosen[size][unseen] = answer[:, 0]
        return chosen


def cut(tree, size):
    """The nodes that would be leaves if the tree had stopped at this size; it splits the best node first."""
    t, leaves = tree.tree_, [0]
    weight = t.impurity * t.weighted_n_node_samples
    gain = {n: weight[n] - weight[t.children_left[n]] - weight[t.children_right[n]]
            for n in range(t.node_count) if t.children_left[n] >= 0}
    while len(leaves) < size and any(n in gain for n in leaves):
        best = max((n for n in leaves if n in gain), key=gain.get)
        leaves.remove(best)
        leaves += [t.children_left[best], t.children_right[best]]
    return leaves


# ---- the tree as C ---------------------------------------------------------------------------------

def round_between(low, high):
    """A number with few digits, above low and not above high: their geometric mean if both are positive."""
    middle = (low * high) ** 0.5 if low > 0 else (low + high) / 2
    for digits in range(1, 17):
        rounded = float(f"{middle:.{digits}g}")
        if low < rounded <= high:
            return rounded
    return high


def as_c(problem, t, answers, leaves, node, samples, indent):
    """The lines of code below a node.  If both sides have the same answer, they are one line."""
    if node in leaves:
        first, second = ("VARIANT_" + problem.variants[w].upper() if w is not None else None for w in answers[node])
        first = first.replace("VARIANT_NONE", "rule_none(f, second)")
        return [indent + (f"return either({first}, {second}, second);" if second else f"return {first};")]
    values = problem.x[samples, t.feature[node]]
    left = values <= t.threshold[node]
    border = round_between(values[left].max(), values[~left].min())
    low = as_c(problem, t, answers, leaves, t.children_left[node], samples[left], indent + "    ")
    high = as_c(problem, t, answers, leaves, t.children_right[node], samples[~left], indent)
    if [line.strip() for line in low] == [line.strip() for line in high]:
        return high
    border = int(border) if border == int(border) else border
    condition = f"{indent}if (f->{FEATURES[problem.setup][t.feature[node]]} < {border})"
    if len(low) == 1:
        return [f"{condition} {low[0].strip()}", *high]
    return [condition + " {", *low, indent + "}", *high]


# ---- the report -----------------------------------------------------------------------------------

COLUMNS = ("chapter step kind case dtype status leaves samples fastest regret worst worst_case left_out left_out_worst "
           "left_out_case picked picked_left_out picked_before times_before").split()


class Report:
    def __init__(self, path, header):
        self.file = open(path, "w")
        print(*header, "\t".join(COLUMNS), sep="\n", file=self.file)

    def line(self, setup, kind, case, dtype="both", **more):
        row = {"chapter": "07_rule", "step": setup, "kind": kind, "case": case, "dtype": dtype, "status": "ok", **more}
        cells = [row.get(c, "-") for c in COLUMNS]
        print(*(f"{c:.4f}" if isinstance(c, float) else c for c in cells), sep="\t", file=self.file)


def summed(problem, chosen, prefix="", samples=None):
    """Geometric mean and worst case of time / time of the fastest, and the worst case's name."""
    samples = numpy.arange(len(problem.keys)) if samples is None else samples
    regrets = problem.regret[samples, chosen[samples]]
    worst = samples[regrets.argmax()]
    return {prefix or "regret": float(numpy.exp(regrets.mean())),
            f"{prefix}_worst".strip("_"): float(numpy.exp(regrets.max())),
            f"{prefix or 'worst'}_case": " ".join(problem.keys[worst])}


def learn(problem, report):
    """Prints the function of a set-up and reports on it; returns what it chooses for each sample."""
    everything, count = numpy.arange(len(problem.keys)), len(problem.keys)
    fastest = lambda chosen: int((problem.regret[everything, chosen] == 0).sum())
    tree, answers = problem.grow(everything)
    asked = dict(problem.ask(tree, answers, everything))
    known, unseen = {size: answer[:, 0] for size, answer in asked.items()}, problem.left_out()
    for size in SIZES:
        report.line(problem.setup, "leaves", size, leaves=size, samples=count, fastest=fastest(known[size]),
                    **summed(problem, known[size]), **summed(problem, unseen[size], "left_out"))
    mean = {size: problem.regret[everything, unseen[size]].mean() for size in SIZES}
    size = max(s for s in SIZES if mean[s] <= min(mean.values()) + CLOSE)
    lines = as_c(problem, tree.tree_, answers, cut(tree, size), 0, everything, "    ")
    size_in_c = sum("return" in line for line in lines)
    here, out = summed(problem, known[size]), summed(problem, unseen[size], "left_out")
    report.line(problem.setup, "rule", "rule", leaves=size_in_c, samples=count, fastest=fastest(known[size]), **here,
                **out)

    # The variants that the library selected when the times were measured.  gpu_choice.c selects granules, not the tree,
    # so for those samples the present tree's variant counts.
    names = [f["rule_" + problem.setup] for f in problem.features]
    unknown = set(names) - set(problem.variants) - {"granules"}
    if unknown:
        fail(f"unknown variant {unknown.pop()} in the features (column rule_{problem.setup})")
    index = problem.variants.index
    before = numpy.array([known[size][i] if v == "granules" else index(v) for i, v in enumerate(names)])
    report.line(problem.setup, "before", "before", samples=count, fastest=fastest(before), **summed(problem, before))
    alone = asked[size][:, 1]
    report.line(problem.setup, "alone", "alone", leaves=size_in_c, samples=count, fastest=fastest(alone),
                **summed(problem, alone))
    for w, variant in enumerate(problem.variants):
        always = numpy.full(count, w)
        report.line(problem.setup, "always", variant, samples=count, fastest=fastest(always), **summed(problem, always))
    for i, (case, dtype) in enumerate(problem.keys):
        now, then = known[size][i], before[i]
        report.line(problem.setup, "sample", case, dtype, regret=float(numpy.exp(problem.regret[i, now])),
                    left_out=float(numpy.exp(problem.regret[i, unseen[size][i]])), picked=problem.variants[now],
                    picked_left_out=problem.variants[unseen[size][i]], picked_before=problem.variants[then],
                    times_before=float(numpy.exp(problem.regret[i, then] - problem.regret[i, now])))
    for name in dict.fromkeys(family(case) for case, _ in problem.keys):
        members = numpy.array([i for i in everything if family(problem.keys[i][0]) == name])
        if problem.keys[members[0]][0] != name:
            row = {**summed(problem, known[size], "", members), **summed(problem, unseen[size], "left_out", members)}
            report.line(problem.setup, "family", name, samples=len(members),
                        **{k: v for k, v in row.items() if "case" not in k})

    print(f"\n/* {size_in_c} leaves, from {count} samples of {len({k[0] for k in problem.keys})} matrices.  Time over"
          f" that of the fastest variant, geometric mean and worst:\n"
          f" *   {here['regret']:.3f}, {here['worst']:.2f} ({here['worst_case']}) on these;\n"
          f" *   {out['left_out']:.3f}, {out['left_out_worst']:.2f} ({out['left_out_case']}) on families left out,"
          f" {problem.families.max() + 1} of them. */")
    print(f"static gpu_variant_t rule_{problem.setup}(const gpu_features_t *f, gpu_variant_t *second)", "{", sep="\n")
    text = "\n".join(lines)
    for parameter in ("f", "second"):
        if not re.search(rf"\b{parameter}\b", text):
            print(f"    (void){parameter};")
    print(text, "}", sep="\n")
    return known[size]


def main():
    if len(sys.argv) < 5:
        fail("usage: rule.py REPORT.tsv gpu_choice.c FEATURES.tsv WAYS.tsv...")
    as_it_is, for_plans = read_variants(sys.argv[2])
    samples, header = read_samples(sys.argv[3:])
    report = Report(sys.argv[1], header)
    gpu = next((line[7:] for line in header if line.startswith("# gpu: ")), "?")
    print(f"/* gpu_rule.inc - written by rule.py (make rule) with scikit-learn {sklearn_version}, do not edit."
          f"  From times on: {gpu}. */")
    none = learn(Problem("none", as_it_is, as_it_is, samples), report)
    learn(Problem("look", as_it_is, as_it_is, samples, without=none), report)
    learn(Problem("plan", for_plans, as_it_is, samples), report)


main()
