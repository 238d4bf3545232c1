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
FILENAME ~ /\/v[0-9]+_[^\/]*\.cu$/ && /__global__/ && !kernel {
    kernel = 1
    step = FILENAME; sub(/.*\//, "", step); sub(/_.*/, "", step)
    tag("step " chapter "/" step, FILENAME, FNR)
}
/\{\{"[a-z][a-z0-9_\/-]*", STEP_/ {
    id = $0; sub(/.*\{\{"/, "", id); sub(/".*/, "", id)
    row[++rows] = "step " chapter "/" id; row_at[rows] = FILENAME "\t" FNR; row_text[rows] = $0
}
END {
    for (r = 1; r <= rows; r++) {
        if (row[r] in where) continue
        at = row_at[r]; text = row_text[r]
        if (text ~ /STEP_CPU,/ && match(text, /\.(cpu|run) = [a-z0-9_A-Z]+/)) {
            name = substr(text, RSTART, RLENGTH); sub(/.* /, "", name)
            if (name in where) at = where[name]
        }
        where[row[r]] = at; names[++n] = row[r]
    }
    for (i = 1; i <= n; i++) if (!(names[i] in many)) print names[i] "\t" where[names[i]]
}
