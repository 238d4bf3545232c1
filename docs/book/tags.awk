# tags.awk - where things are, for the links of the book: name, file and line of each function, and
# "step CHAPTER/ID" for each step: its kernel, its CPU function, or its line in the table STEPS.
function tag(name, file, line) { if (!((name) in where)) { where[name] = file "\t" line; names[++n] = name } else if (name !~ /^step /) many[name] = 1 }

FNR == 1 { chapter = FILENAME; sub(/\/.*/, "", chapter); kernel = 0 }

# A definition starts in the first column and does not end in a semicolon.
/^[A-Za-z_][A-Za-z0-9_ *<>,:]*\(/ && !/;[ \t]*$/ && !/^(else|if|for|while|switch|return|typedef|template|extern)/ {
    name = $0
    sub(/\(.*/, "", name)
    if (name ~ /__global__/ && name ~ /__launch_bounds__$/) {                 # the name comes after the bounds
        name = $0; sub(/.*__launch_bounds__\([^)]*\)[ \t]*/, "", name); sub(/\(.*/, "", name)
    }
    if (name ~ /[ *]/) { sub(/.*[ *]/, "", name); tag(name, FILENAME, FNR) }
}
FILENAME ~ /\/v[0-9]+_[^\/]*\.cu$/ && FILENAME !~ /_plan\.cu$/ && /__global__/ && !kernel {
    kernel = 1
    step = FILENAME; sub(/.*\//, "", step); sub(/_.*/, "", step); sub(/^v0*/, "v", step)
    tag("step " chapter "/" step, FILENAME, FNR)
}
# A line of a steps.def: CPU(c1, serial, "idea"), STEP(v3, "idea"), SAME(v3, 8, "idea") for v3/8; of another table of steps:
# RSB_STEP("librsb", "idea"), {"student", STEP_GPU, ...}.
FILENAME ~ /\.def$/ && /^[A-Z_]+\("?[a-z]/ || FILENAME ~ /\.c$/ && /^ *([A-Z]+_STEP|ROW)\("[a-z]|\{"[a-z][a-z0-9_]*", STEP_/ {
    split(substr($0, match($0, /([A-Z_]+\(|\{")/)), part, /[({,]/)
    id = part[2]; gsub(/"/, "", id)
    second = part[3]; gsub(/[ "]/, "", second)
    if (part[1] == "SAME") id = id "/" second
    row[++rows] = "step " chapter "/" id; row_at[rows] = FILENAME "\t" FNR
    row_function[rows] = part[1] ~ /^(CPU|FORMAT)$/ ? "_" second "$" : ""
}
END {
    for (r = 1; r <= rows; r++) {
        if (row[r] in where) continue
        at = row_at[r]
        chapter = at; sub(/\/.*/, "", chapter)
        for (i = 1; i <= n && row_function[r] != ""; i++)
            if (names[i] ~ row_function[r] && index(where[names[i]], chapter "/cpu_") == 1) at = where[names[i]]
        where[row[r]] = at; names[++n] = row[r]
    }
    for (i = 1; i <= n; i++) if (!(names[i] in many)) print names[i] "\t" where[names[i]]
}
