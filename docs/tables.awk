# tables.awk - copies a page, with its tables and numbers written anew from the records in plots/data.
#
#   <!-- table: RECORD dtype=fp32 kind=gpu,peer case=NAME | step=Step | idea=Idea | cold_us=cold, us -->
#       (not_step=thrust_omp leaves rows out)
#   ...                       replaced by a row for each row of plots/data/RECORD.tsv that matches
#   <!-- end -->
#
#   <!-- = RECORD v3 fp32 cold_us -->315.9<!-- . -->          one value
#   <!-- = RECORD v2/v3 fp32 cold_us -->1.28<!-- . -->        a ratio of two steps; of those with a / in their names: c1//c1/O0
#   <!-- = RECORD v3 fp32 cold_us n=4096 -->...<!-- . -->      of that case, where a record has several
#   <!-- = RECORD # ceiling_read_gbps -->4489<!-- . -->       a header line
#
# Columns of a table beside the record's own: x_prev (times as fast as the row above), x_first,
# and x_STEP (times as fast as that step), all from cold_us; pays_STEP (runs after which the set-up
# is paid back against that step); sect_per_req; pct_peak
# (of the data sheet's bandwidth).
# Stops with status 1 if a page asks for something no record has.

# One complaint for a record that is not there; everything else by line.
function fail(text) { failed = 1; if (missing[asked]) return "?"; print FILENAME ":" FNR ": " text > "/dev/stderr"; return "?" }

function load(record,    file, line, f, n, i, column, key) {
    asked = record
    if (record in loaded) return
    loaded[record] = 1
    file = DATA "/" record ".tsv"
    while ((getline line < file) > 0) {
        n = split(line, f, "\t")
        if (line ~ /^# /) {
            key = substr(line, 3); sub(/:.*/, "", key)
            meta[record, key] = substr(line, length(key) + 5)
        } else if (!(record in width)) {
            width[record] = n
            for (i = 1; i <= n; i++) column_name[record, i] = f[i]
        } else {
            rows[record]++
            for (i = 1; i <= n; i++) cell[record, rows[record], column_name[record, i]] = f[i]
        }
    }
    close(file)
    if (!rows[record]) { fail("no record " file); missing[record] = 1 }
}

function find(record, step, dtype, case_name,    r) {
    load(record)
    for (r = 1; r <= rows[record]; r++)
        if (cell[record, r, "step"] == step && cell[record, r, "dtype"] == dtype && \
            (case_name == "" || cell[record, r, "case"] == case_name)) return r
    fail(record " has no row " step " " dtype " " case_name)
    return 0
}

function is_step(record, step,    r) {
    load(record)
    for (r = 1; r <= rows[record]; r++) if (cell[record, r, "step"] == step) return 1
    return 0
}

# A number as a reader wants it: three to four digits, whole counts untouched.
function pretty(v) {
    if (v == "-" || v == "") return "-"
    if (v ~ /^-?[0-9.]+(e[-+]?[0-9]+)?$/) v += 0 # a number, not text
    if (v !~ /^-?[0-9.]+(e[-+]?[0-9]+)?$/) return v
    if (v == int(v)) return v + 0 == v ? sprintf("%.0f", v) : v
    if (v >= 1000 || v <= -1000) return sprintf("%.0f", v)
    if (v >= 100 || v <= -100) return sprintf("%.1f", v)
    if (v >= 0.01) return sprintf("%.2f", v)
    return sprintf("%.2g", v)
}

function value(spec,    w, n, step, a, b) {
    n = split(spec, w, " ")
    if (w[2] == "#") {
        load(w[1])
        if (!((w[1], w[3]) in meta)) return fail(w[1] " has no header line " w[3])
        return pretty(meta[w[1], w[3]])
    }
    if (!is_step(w[1], w[2]) && split(w[2], step, w[2] ~ /\/\// ? "//" : "/") == 2) {
        a = find(w[1], step[1], w[3], w[5]); b = find(w[1], step[2], w[3], w[5])
        a = cell[w[1], a, w[4]]; b = cell[w[1], b, w[4]]
        return b > 0 ? sprintf("%.2f", a / b) : fail(spec ": nothing to divide by")
    }
    a = find(w[1], w[2], w[3], w[5])
    if (!((w[1], a, w[4]) in cell)) return fail(w[1] " has no column " w[4])
    return pretty(cell[w[1], a, w[4]])
}

function speed(record, r, other,    t, o) {
    t = cell[record, r, "cold_us"]; o = other ? cell[record, other, "cold_us"] : "-"
    return t > 0 && o > 0 ? sprintf("%.2f", o / t) : "-"
}

function pays(record, r, other,    gain) {
    if (r == other || cell[record, r, "setup_ms"] !~ /[0-9]/) return "-"
    gain = cell[record, other, "cold_us"] - cell[record, r, "cold_us"]
    return gain > 0 ? sprintf("%.0f", 1000 * cell[record, r, "setup_ms"] / gain + 0.5) : "never"
}

function table(spec,    part, n, w, m, i, record, r, want, out, name, head, prev, first, ok, k, list, v, count) {
    n = split(spec, part, " *[|] *")
    m = split(part[1], w, " ")
    record = w[1]
    load(record)
    for (i = 2; i <= m; i++) { k = index(w[i], "="); want[substr(w[i], 1, k - 1)] = substr(w[i], k + 1) }
    head = "|"; out = "|"
    for (i = 2; i <= n; i++) {
        k = index(part[i], "="); name[i] = substr(part[i], 1, k - 1); v = substr(part[i], k + 1)
        head = head " " v " |"; out = out (i <= 2 || name[i] == "idea" || name[i] == "step" || name[i] == "case" || name[i] == "happened" ? " :-- |" : " --: |")
    }
    print head; print out
    for (r = 1; r <= rows[record]; r++) {
        ok = cell[record, r, "status"] == "ok"
        for (k in want) {
            list = "," want[k] ","
            if (k ~ /^not_/ ? index(list, "," cell[record, r, substr(k, 5)] ",") > 0 \
                            : index(list, "," cell[record, r, k] ",") == 0) ok = 0
        }
        if (!ok) continue
        count++
        if (!first) first = r
        out = "|"
        for (i = 2; i <= n; i++) {
            k = name[i]
            if (k == "x_prev") v = cell[record, r, "kind"] == "peer" ? "-" : speed(record, r, prev)
            else if (k == "x_first") v = speed(record, r, first)
            else if (k ~ /^x_/) v = speed(record, r, find(record, substr(k, 3), cell[record, r, "dtype"], cell[record, r, "case"]))
            else if (k ~ /^pays_/) v = pays(record, r, find(record, substr(k, 6), cell[record, r, "dtype"], cell[record, r, "case"]))
            else if (k == "pct_peak") v = cell[record, r, "cold_gbps"] > 0 && meta[record, "peak_gbps"] > 0 ? sprintf("%.1f", 100 * cell[record, r, "cold_gbps"] / meta[record, "peak_gbps"]) : "-"
            else if (k == "sect_per_req") v = cell[record, r, "ld_requests"] > 0 ? sprintf("%.2f", cell[record, r, "ld_sectors"] / cell[record, r, "ld_requests"]) : "-"
            else if (!((record, r, k) in cell)) v = fail(record " has no column " k)
            else v = pretty(cell[record, r, k])
            out = out " " v " |"
        }
        print out
        prev = r
    }
    if (!count) fail("no row of " record " matches: " part[1])
}

/^<!-- table: / {
    print
    spec = $0; sub(/^<!-- table: */, "", spec); sub(/ *-->.*/, "", spec)
    table(spec)
    inside = 1
    next
}
/^<!-- end -->/ { inside = 0 }
inside { next }
{
    line = $0; out = ""
    while ((at = index(line, "<!-- = ")) > 0) {
        close_at = index(substr(line, at), "-->")
        spec = substr(line, at + 7, close_at - 9)
        stop = index(line, "<!-- . -->")
        if (!close_at || !stop || stop < at) { fail("<!-- = without <!-- . --> on its line"); break }
        out = out substr(line, 1, at + close_at + 1) value(spec) "<!-- . -->"
        line = substr(line, stop + 10)
    }
    print out line
}
END { exit failed }
