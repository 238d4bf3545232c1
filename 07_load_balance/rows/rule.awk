# rule.awk - learns which variant is fastest for which matrix: a small decision tree, printed as C (gpu_rule.inc).
#
#   awk -v REPORT=07_rule.tsv -f rule.awk gpu_choice.c 07_features.tsv 07_ways.tsv [07_ways_again.tsv]
#       [07_features_fields.tsv 07_ways_fields.tsv] [07_features_later.tsv 07_ways_later.tsv] > gpu_rule.inc
#
# A sample is a matrix in one type.  If a variant was timed in several runs, the geometric mean counts, because the
# third digit of a single run is noise.  If features of a sample come again, they replace the old ones, and the times so
# far are dropped: another library took them.
#
# The tree.  The regret r of a sample under a variant is the log of (time of that variant / time of the fastest).  The
# loss is r (1 + SEVERE r): to be twice as far off is more than twice as bad.  For a plan the loss also has the set-up,
# in products of that variant, divided by PRODUCTS.  A leaf picks the variant with the least sum of losses.  The leaf
# whose best cut takes most loss away is cut, until there are LEAVES.  A look that ends slower than no set-up is
# useless: such a variant has BEHIND more loss.  A leaf of a look may say "as without a look" (NONE): if the features of
# a look bring nothing there, the tree that was learned from fewer numbers holds.
#
# A second variant.  A leaf of a large matrix may name one: both are then timed, and the faster one stays (gpu_choice.h
# says from how many nonzeros on, and at most how long create may take).  It is the variant that takes most loss away on
# the samples where the first one has it, less its set-up wherever it is tried; the regret is that of the faster.  Of
# the two, in_order is the first if most slices are diagonals, and the second if rows are uneven.  "alone" in REPORT is
# the regret of the first variants, which run with `deterministic`.
#
# The number of leaves.  The tree is grown without a family and then asked about it, and the regrets are added up for
# each number of leaves.  A family is all matrices of a recipe, in both types; transposed and scrambled ones are
# families of their own, and so is any other matrix.  If there are more than FOLDS families, several are left out
# together.  Of the numbers whose mean is within CLOSE of the least (0.7 percent, 0.3 for a look, 3 for a plan, which
# pays for being exact by many products), the largest is kept, because it fits the known matrices better; but each
# further leaf must lower the mean on these by GAIN, because less is noise.  REPORT gets all of that.
BEGIN {
    FS = "\t"; OFS = "\t"
    if (!LEAVES) LEAVES = 40
    if (!SEVERE) SEVERE = 10
    if (!NO_WORSE) NO_WORSE = 1.05 # times what runs without a look: a look that takes longer has
    if (!BEHIND) BEHIND = 20       # this loss more, times the log
    if (!FOLDS) FOLDS = 40   # trees grown without some of the families, at most
    if (!LEAST) LEAST = 4    # samples in a leaf, at least: two matrices
    CLOSE["none"] = 1.007; CLOSE["look"] = 1.003; CLOSE["plan"] = 1.03
    GAIN["none"] = GAIN["look"] = 0.0003; GAIN["plan"] = 0.0001
    if (!LONGEST) LONGEST = 16000 # GPU_LONGEST_ROW of gpu_choice.h: with a longer row spans_4 runs where a variant by rows is picked
    if (!TRY) TRY = 1000000 # GPU_TRY there
    if (!TRY_PRODUCTS) TRY_PRODUCTS = 60 # GPU_TRY_PRODUCTS there
    if (!TRY_US) TRY_US = 400 # GPU_TRY_US there
    if (!MOSTLY) MOSTLY = 0.5 # GPU_MOSTLY_DIAGONALS there
    if (!UNEVEN) UNEVEN = 6 # GPU_UNEVEN there
    if (!PRODUCTS) PRODUCTS = 1000 # that a plan's set-up is spread over
    if (!SECOND) SECOND = 0.001 # what a second variant must take off the mean loss
    NONE = "none" # a leaf of a look: the variant that the tree without a look picks
    MANY = 10000 # more than there are samples, or variants: i * MANY + w is an index that awk finds sooner than [i, w]
    split("none look plan", SETUPS, " ")
    count["none"] = split("rows cols nnz value_bytes mean", f_none, " ") # what is known without a look
    looked_at = "rows cols nnz value_bytes mean longest skew in_order_fill near_fill diagonals sectors gathered alike"
    count["look"] = split(looked_at, f_look, " ")
    count["plan"] = split(looked_at " hot", f_plan, " ")
    for (i in f_none) feature["none", i] = f_none[i]
    for (i in f_look) feature["look", i] = f_look[i]
    for (i in f_plan) feature["plan", i] = f_plan[i]
}

# ---- input ----------------------------------------------------------------------------------------

FNR == 1 { file++ }
file == 1 { # the table of variants: who may be picked when
    if ($0 ~ /^ *\[VARIANT_[A-Z0-9_]*\] *= *\{/) {
        split($0, part, "\""); name = part[2]
        if (name == "granules") next # gpu_choice.c picks them; by the tree, families left out took 0.7 % longer
        n = split($0, part, /[ ,}]+/)
        allow(name, part[n - 2] == "true", part[n - 1] == "true")
    }
    next
}
/^# gpu: / { gpu = substr($0, 8) }
/^# (gpu|commit|date): / { header[++headers] = $0 }
/^#/ { next }
$1 == "case" {
    if (!at["case"]) { variant["look", ++variants["look"]] = NONE; as_it_is[NONE] = 1 }
    for (i = 1; i <= NF; i++) at[$i] = i
    looked = file # this is a table of features
    next
}
looked == file {
    if (!(($at["case"], $at["dtype"]) in place)) place[$at["case"], $at["dtype"]] = ++samples
    s = place[$at["case"], $at["dtype"]]
    name_of[s] = $at["case"]; type_of[s] = $at["dtype"]
    for (k in at) value[s, k] = $at[k]
    value[s, "gathered"] = $at["sectors"] * 32 / ($at["value_bytes"] + 4) # as gpu_features.cu
    since[s]++
    next
}
$1 == "chapter" { for (i = 1; i <= NF; i++) col[$i] = i; next }
$col["status"] == "ok" && $col["cold_us"] > 0 && (($col["case"], $col["dtype"]) in place) {
    s = place[$col["case"], $col["dtype"]]; w = $col["step"] # taken in several runs: their geometric mean
    if (taken[s, w] != since[s]) { taken[s, w] = since[s]; runs[s, w] = logs[s, w] = setup_us[s, w] = 0 }
    runs[s, w]++
    logs[s, w] += log($col["cold_us"]); time[s, w] = exp(logs[s, w] / runs[s, w])
    setup_us[s, w] += (1000 * $col["setup_ms"] - setup_us[s, w]) / runs[s, w]
}

# All matrices of a recipe; all of them that are transposed, or scrambled; else the matrix alone.
function family(name) {
    if (name ~ /^like:/ || name !~ /:/) return name
    sub(/:[0-9].*/, "", name)
    return name
}

function allow(name, none, plan) {
    as_it_is[name] = none
    if (none) variant["none", ++variants["none"]] = variant["look", ++variants["look"]] = name
    if (plan) variant["plan", ++variants["plan"]] = name
}

# ---- learning, for one set-up at a time ------------------------------------------------------------

# Samples that have a time for every variant; regrets; the order of the samples by each feature.
function prepare(setup,    s, w, best, complete, i, j, f, v, name, too_long) {
    W = variants[setup]; F = count[setup]; n = 0
    for (s = 1; s <= samples; s++) {
        best = 0; complete = 1
        for (w = 1; w <= W; w++) {
            name = variant[setup, w] == NONE ? picked_none[s] : variant[setup, w]
            too_long = name ~ /^rows_/ && value[s, setup == "none" ? "cols" : "longest"] > LONGEST
            v = took[w] = time[s, too_long ? "spans_4" : name] * (too_long ? 1.01 : 1)
            if (!v) complete = 0
            if (!best || v < best) best = v
        }
        if (!complete) { print "rule.awk: no time of every variant for " name_of[s] " " type_of[s] ": left out" > "/dev/stderr"; continue }
        sample[++n] = s
        family_of[n] = family(name_of[s])
        for (w = 1; w <= W; w++) {
            name = variant[setup, w]
            regret[n, w] = log(took[w] / best)
            off[n * MANY + w] = regret[n, w] * (1 + SEVERE * regret[n, w])
            pays[n * MANY + w] = setup == "plan" ? setup_us[s, name] / (PRODUCTS * took[w]) : 0
            loss[n * MANY + w] = off[n * MANY + w] + pays[n * MANY + w]
            if (setup == "look" && took[w] > NO_WORSE * time[s, without[s]])
                loss[n * MANY + w] += BEHIND * log(took[w] / time[s, without[s]])
            built_us[n, w] = as_it_is[name] ? 0 : setup_us[s, name]; took_us[n, w] = took[w]
        }
        large[n] = setup != "none" && value[s, "nnz"] >= TRY
        uneven[n] = value[s, "skew"] >= UNEVEN
        straight[n] = value[s, "diagonals"] >= MOSTLY && !uneven[n]
    }
    for (f = 1; f <= F; f++)
        for (i = 1; i <= n; i++) {
            v = value[sample[i], feature[setup, f]] + 0
            for (j = i; j > 1 && x[f * MANY + order[f * MANY + j - 1]] > v; j--) order[f * MANY + j] = order[f * MANY + j - 1]
            order[f * MANY + j] = i; x[f * MANY + i] = v
        }
}

# The variant with the least loss over the samples in leaf `l`; *sum of them in leaf_sum.
function best_variant(l,    i, w, sum, best) {
    best = 0
    for (w = 1; w <= W; w++) {
        sum[w] = 0
        for (i = 1; i <= n; i++) if (leaf_of[i] == l) sum[w] += loss[i * MANY + w]
        if (variant[SETUP, w] == NONE) continue
        if (!best || sum[w] < sum[best]) best = w
    }
    leaf_sum[l] = sum[best]
    return SETUP == "look" && sum[W] <= sum[best] ? W : best # NONE is the last of them
}

# Is variant `w` tried beside `first` on sample i?
function tried(i, first, w) {
    return large[i] && (as_it_is[variant[SETUP, w]] ? 1 : 3) * built_us[i, first] + TRY_US <= TRY_PRODUCTS * took_us[i, first]
}

# The variant that, tried beside the first, takes most loss away in leaf `l`; 0 if none takes SECOND of the mean.
function second_variant(l,    i, w, first, size, sum, best, gained) {
    first = leaf_variant[l]; best = size = 0
    for (i = 1; i <= n; i++) if (leaf_of[i] == l) size++
    for (w = 1; w <= W; w++) {
        sum[w] = 0
        if (variant[SETUP, w] == NONE) continue
        for (i = 1; i <= n; i++) if (leaf_of[i] == l && tried(i, first, w)) {
            gained = off[i * MANY + first] - off[i * MANY + w]
            sum[w] += (gained > 0 ? gained : 0) - pays[i * MANY + w]
        }
        if (sum[w] > SECOND * size && (!best || sum[w] > sum[best])) best = w
    }
    return best
}

# Where to cut leaf `l`: gain[l], cut_f[l], cut_low[l] and cut_high[l] (values on both sides).
function find_cut(l,    f, i, k, w, total, left, size, seen, a, b, g) {
    gain[l] = 0; size = 0
    for (w = 1; w <= W; w++) total[w] = 0
    for (i = 1; i <= n; i++) if (leaf_of[i] == l) { size++; for (w = 1; w <= W; w++) total[w] += loss[i * MANY + w] }
    for (f = 1; f <= F; f++) {
        seen = 0
        for (w = 1; w <= W; w++) left[w] = 0
        for (k = 1; k <= n; k++) {
            i = order[f * MANY + k]
            if (leaf_of[i] != l) continue
            if (seen >= LEAST && size - seen >= LEAST && x[f * MANY + i] > x[f * MANY + last]) {
                a = b = -1
                for (w = 1; w <= W - (SETUP == "look"); w++) {
                    if (a < 0 || left[w] < a) a = left[w]
                    if (b < 0 || total[w] - left[w] < b) b = total[w] - left[w]
                }
                g = leaf_sum[l] - a - b
                if (g > gain[l] + 1e-9) { gain[l] = g; cut_f[l] = f; cut_low[l] = x[f * MANY + last]; cut_high[l] = x[f * MANY + i] }
            }
            for (w = 1; w <= W; w++) left[w] += loss[i * MANY + w]
            seen++; last = i
        }
    }
}

# A round number between low (not included) and high: the middle of their logs with as few digits as will do.
function round_between(low, high,    middle, d, r) {
    middle = low > 0 ? exp((log(low) + log(high)) / 2) : (low + high) / 2
    for (d = 1; d < 17; d++) { r = sprintf("%." d "g", middle) + 0; if (r > low && r <= high) return r }
    return high
}

# Grows a tree on all samples but those of fold `out` (0: on all), asks it about `out` (or all) at every size.
function grow(out,    i, l, leaves, best) {
    for (i = 1; i <= n; i++) leaf_of[i] = fold_of[i] == out ? 0 : 1
    nodes = leaves = 1; split_at[1] = 0; leaf_variant[1] = best_variant(1); leaf_second[1] = second_variant(1); find_cut(1)
    ask(out, 1)
    while (leaves < LEAVES) {
        best = 0
        for (l = 1; l <= nodes; l++) if (!split_at[l] && gain[l] > 0 && (!best || gain[l] > gain[best])) best = l
        if (best) {
            split_at[best] = round_between(cut_low[best], cut_high[best])
            child[best] = nodes + 1; nodes += 2
            for (l = nodes - 1; l <= nodes; l++) split_at[l] = 0
            for (i = 1; i <= n; i++) if (leaf_of[i] == best) leaf_of[i] = child[best] + (x[cut_f[best] * MANY + i] >= split_at[best])
            for (l = nodes - 1; l <= nodes; l++) { leaf_variant[l] = best_variant(l); leaf_second[l] = second_variant(l); find_cut(l) }
        }
        ask(out, ++leaves)
    }
}

# The variant that runs in the end: the faster of a leaf's two, where both are tried.  FIRST: the one that is not timed.
function walk(i,    l, w) {
    l = 1
    while (split_at[l]) l = child[l] + (x[cut_f[l] * MANY + i] >= split_at[l])
    w = leaf_second[l]; FIRST = leaf_variant[l]
    if (w && ((variant[SETUP, w] == "in_order" && straight[i]) ||
              (variant[SETUP, FIRST] == "in_order" && uneven[i] && !as_it_is[variant[SETUP, w]]))) { w = FIRST; FIRST = leaf_second[l] }
    return w && tried(i, FIRST, w) && regret[i, w] < regret[i, FIRST] ? w : FIRST
}
function ask(out, leaves,    i) {
    for (i = 1; i <= n; i++) if (!out || fold_of[i] == out) answer[out != 0, leaves, i] = walk(i)
}

# ---- what came of it -------------------------------------------------------------------------------

# Sets MEAN, WORST, WHERE and FASTEST (how often) from the regrets of the variants picked[1..n].
function sum_up(    i, sum) {
    sum = 0; WORST = -1; FASTEST = 0
    for (i = 1; i <= n; i++) {
        sum += regret[i, picked[i]]; FASTEST += regret[i, picked[i]] == 0
        if (regret[i, picked[i]] > WORST) { WORST = regret[i, picked[i]]; WHERE = name_of[sample[i]] " " type_of[sample[i]] }
    }
    MEAN = exp(sum / n); WORST = exp(WORST)
}
function line(setup, kind, name, leaves, fastest, r, worst, where, loo, loo_worst, loo_where) {
    if (REPORT) print "07_rule", setup, kind, name, "both", "ok", leaves, n, fastest, four(r), four(worst), where, loo ? four(loo) : "-", \
        loo ? four(loo_worst) : "-", loo ? loo_where : "-", "-", "-", "-", "-" > REPORT
}
function four(v) { return sprintf("%.4f", v) }

# The tree as C, from node `l` on.
function word(setup, l,    first) {
    first = variant[setup, leaf_variant[l]] == NONE ? "rule_none(f, second)" : "VARIANT_" toupper(variant[setup, leaf_variant[l]])
    return leaf_second[l] ? "return either(" first ", VARIANT_" toupper(variant[setup, leaf_second[l]]) ", second);" : "return " first ";"
}
function show(setup, l, indent,    t) {
    if (!split_at[l]) { print indent word(setup, l); return }
    t = split_at[l] == int(split_at[l]) ? sprintf("%.0f", split_at[l]) : split_at[l]
    if (split_at[child[l]]) {
        print indent "if (f->" feature[setup, cut_f[l]] " < " t ") {"
        show(setup, child[l], indent "    ")
        print indent "}"
    } else print indent "if (f->" feature[setup, cut_f[l]] " < " t ") " word(setup, child[l])
    show(setup, child[l] + 1, indent)
}

# What becomes of each family of several matrices: of the tree that knew it, and of the one that was grown without it.
function by_family(setup, k,    i, f, g, in_sum, out_sum, in_most, out_most, size, all, families) {
    for (i = 1; i <= n; i++) {
        f = family_of[i]
        if (f == name_of[sample[i]]) continue
        if (!(f in size)) all[++families] = f
        size[f]++; in_sum[f] += regret[i, answer[0, k, i]]; out_sum[f] += regret[i, answer[1, k, i]]
        if (regret[i, answer[0, k, i]] > in_most[f]) in_most[f] = regret[i, answer[0, k, i]]
        if (regret[i, answer[1, k, i]] > out_most[f]) out_most[f] = regret[i, answer[1, k, i]]
    }
    for (i = 1; i <= families && REPORT; i++) {
        f = all[i]; g = size[f]
        print "07_rule", setup, "family", f, "both", "ok", "-", g, "-", four(exp(in_sum[f] / g)), four(exp(in_most[f])), "-", \
            four(exp(out_sum[f] / g)), four(exp(out_most[f])), "-", "-", "-", "-", "-" > REPORT
    }
}

function learn(setup,    before, i, k, l, w, m, matrices, families, seen, seconds, best_k, kept, loo, loo_worst, loo_where, in_mean, in_worst, in_where, in_fastest, fold, least, asks, nones) {
    SETUP = setup
    prepare(setup)
    if (n < 2 * LEAST) { print "rule.awk: " n " samples with times for set-up " setup ": too few" > "/dev/stderr"; exit failed = 1 }
    matrices = families = seconds = 0
    for (i = 1; i <= n; i++) {
        m = name_of[sample[i]]
        if (!(m in seen)) { seen[m] = 1; matrices++ }
        if (!(family_of[i] in fold)) fold[family_of[i]] = ++families
        fold_of[i] = (fold[family_of[i]] - 1) % FOLDS + 1
    }
    for (k = 1; k <= families && k <= FOLDS; k++) grow(k)
    grow(0)
    for (k = 1; k <= LEAVES; k++) {
        for (i = 1; i <= n; i++) picked[i] = answer[0, k, i]
        sum_up(); in_mean[k] = MEAN; in_worst[k] = WORST; in_where[k] = WHERE; in_fastest[k] = FASTEST
        for (i = 1; i <= n; i++) picked[i] = answer[1, k, i]
        sum_up(); loo[k] = MEAN; loo_worst[k] = WORST; loo_where[k] = WHERE
        line(setup, "leaves", k, k, in_fastest[k], in_mean[k], in_worst[k], in_where[k], loo[k], loo_worst[k], loo_where[k])
        if (!best_k || loo[k] < loo[best_k] - 0.0001) best_k = k # less than that is no gain
    }
    least = loo[best_k]
    for (k = best_k + 1; k <= LEAVES; k++) if (loo[k] <= CLOSE[setup] * least && in_mean[k] <= in_mean[best_k] - GAIN[setup] * (k - best_k)) best_k = k
    kept = LEAVES; LEAVES = best_k; grow(0); LEAVES = kept
    k = best_k
    for (i = 1; i <= n && setup == "none"; i++) {
        w = picked_none[sample[i]] = variant[setup, answer[0, k, i]]
        without[sample[i]] = w ~ /^rows_/ && value[sample[i], "cols"] > LONGEST ? "spans_4" : w # what runs
    }
    line(setup, "rule", "rule", k, in_fastest[k], in_mean[k], in_worst[k], in_where[k], loo[k], loo_worst[k], loo_where[k])
    # what the library picked when the times were taken
    for (i = 1; i <= n; i++) {
        picked[i] = 0
        for (w = 1; w <= W; w++) if (variant[setup, w] == value[sample[i], "rule_" setup]) picked[i] = w
        if (value[sample[i], "rule_" setup] == "granules") picked[i] = answer[0, k, i] # no leaf's: then and now
        if (!picked[i]) { print "rule.awk: " value[sample[i], "rule_" setup] " is no variant" > "/dev/stderr"; exit failed = 1 }
    }
    sum_up(); line(setup, "before", "before", "-", FASTEST, MEAN, WORST, WHERE)
    for (i = 1; i <= n; i++) { before[i] = picked[i]; walk(i); picked[i] = FIRST }
    sum_up(); line(setup, "alone", "alone", k, FASTEST, MEAN, WORST, WHERE)
    for (w = 1; w <= W; w++) {
        for (i = 1; i <= n; i++) picked[i] = w
        sum_up(); line(setup, "always", variant[setup, w], "-", FASTEST, MEAN, WORST, WHERE)
    }
    for (i = 1; i <= n && REPORT; i++)
        print "07_rule", setup, "sample", name_of[sample[i]], type_of[sample[i]], "ok", "-", "-", "-", four(exp(regret[i, answer[0, k, i]])), \
            "-", "-", four(exp(regret[i, answer[1, k, i]])), "-", "-", variant[setup, answer[0, k, i]], variant[setup, answer[1, k, i]], \
            variant[setup, before[i]], four(exp(regret[i, before[i]] - regret[i, answer[0, k, i]])) > REPORT
    by_family(setup, k)
    printf "\n/* %d leaves, from %d samples of %d matrices.  Time over that of the fastest variant, geometric mean and worst:\n", k, n, matrices
    printf " *   %.3f, %.2f (%s) on these;\n", in_mean[k], in_worst[k], in_where[k]
    printf " *   %.3f, %.2f (%s) on families left out, %d of them. */\n", loo[k], loo_worst[k], loo_where[k], families
    print "static gpu_variant_t rule_" setup "(const gpu_features_t *f, gpu_variant_t *second)\n{"
    for (l = 1; l <= nodes; l++) if (!split_at[l]) { asks = variant[setup, leaf_variant[l]] == NONE; nones += asks; seconds += asks || leaf_second[l] }
    if (!split_at[1] && !nones) print "    (void)f;"
    if (!seconds) print "    (void)second;"
    show(setup, 1, "    ")
    print "}"
}

END {
    if (failed) exit 1
    if (!samples || !variants["plan"]) { print "rule.awk: usage: rule.awk gpu_choice.c FEATURES.tsv WAYS.tsv" > "/dev/stderr"; exit 1 }
    print "/* gpu_rule.inc - written by rule.awk (make rule), do not edit.  From times on: " gpu ". */"
    for (k = 1; k <= headers && REPORT; k++) print header[k] > REPORT
    if (REPORT) print "chapter", "step", "kind", "case", "dtype", "status", "leaves", "samples", "fastest", "regret", "worst", "worst_case", \
        "left_out", "left_out_worst", "left_out_case", "picked", "picked_left_out", "picked_before", "times_before" > REPORT
    for (k = 1; k <= 3 && !failed; k++) learn(SETUPS[k])
    exit failed
}
