# directives.awk - checks the directives of a submission: `awk -v name=e1.cu -f directives.awk`.  Prints a line for each
# one that is refused.  It does not recognise comments and strings, so what looks like a directive counts as one.
# headers.awk checks the included headers, and entrance.h the words.
{ line = line $0; if (!start) start = NR }
line ~ /\\[[:space:]]*$/ { sub(/\\[[:space:]]*$/, "", line); next }
{ look(line); line = ""; start = 0 }
END { if (start) look(line) }

function look(text,    count, piece, i) {
    count = split(text, piece, /\*\//) # a directive may follow the end of a comment
    for (i = 1; i <= count; ++i)
        if (sub(/^[[:space:]]*(#|%:)[[:space:]]*/, "", piece[i])) look_at_directive(piece[i])
}

function look_at_directive(text) {
    if (match(text, /^([0-9]+|\/\*|(line|include_next|import|embed|ident|sccs|assert|unassert)($|[^[:alnum:]_]))/)) {
        match(text, /^([0-9]+|\/\*|[a-z_]+)/)
        printf "%s:%d: #%s may not be used in a submission\n", name, start, substr(text, 1, RLENGTH)
    }
}
