# directives.awk - the directives of a submission: `awk -v name=e1.cu -f directives.awk`.  Prints a line for each thing that is
# refused.  It does not tell comments and texts from code: what looks like a directive counts.  Which headers are included is
# seen behind the preprocessor (headers.awk), and words are refused by it (entrance.h).
{ line = line $0; if (!start) start = NR }
line ~ /\\[[:space:]]*$/ { sub(/\\[[:space:]]*$/, "", line); next }
{ look(line); line = ""; start = 0 }
END { if (start) look(line) }

function look(text,    count, piece, i) {
    count = split(text, piece, /\*\//) # a directive may stand behind the end of a comment
    for (i = 1; i <= count; ++i)
        if (sub(/^[[:space:]]*(#|%:)[[:space:]]*/, "", piece[i])) look_at_directive(piece[i])
}

function look_at_directive(text) {
    if (match(text, /^([0-9]+|\/\*|(line|include_next|import|embed|ident|sccs|assert|unassert)($|[^[:alnum:]_]))/)) {
        match(text, /^([0-9]+|\/\*|[a-z_]+)/)
        printf "%s:%d: #%s may not be used in a submission\n", name, start, substr(text, 1, RLENGTH)
    }
}
