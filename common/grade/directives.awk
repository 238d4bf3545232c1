# directives.awk - what of a submission is not there any more behind the preprocessor, where inspect looks:
# `awk -v name=e1.cu -f directives.awk`.  Prints a line for each thing that is refused.  It does not tell comments and
# texts from code: what looks like a directive counts.
{ line = line $0; if (!start) start = NR }
line ~ /\\[[:space:]]*$/ { sub(/\\[[:space:]]*$/, "", line); next }
{ look(line); line = ""; start = 0 }
END { if (start) look(line) }

function refuse(what) { printf "%s:%d: %s may not be used in a submission\n", name, start, what }

function look(text,    count, piece, i, what) {
    count = split(text, piece, /\*\//) # a directive may stand behind the end of a comment
    for (i = 1; i <= count; ++i)
        if (sub(/^[[:space:]]*(#|%:)[[:space:]]*/, "", piece[i])) look_at_directive(piece[i])
    while (match(text, /__has_[a-z_]*|__SANITIZE_[A-Z]*__/)) {
        refuse(substr(text, RSTART, RLENGTH))
        text = substr(text, RSTART + RLENGTH)
    }
}

function look_at_directive(text) {
    if (match(text, /^([0-9]+|\/\*|(line|include_next|import|embed|ident|sccs|assert|unassert)($|[^[:alnum:]_]))/)) {
        match(text, /^([0-9]+|\/\*|[a-z_]+)/)
        refuse("#" substr(text, 1, RLENGTH))
    }
    if (text ~ /^(if|ifdef|ifndef|elif|define)/ && match(text, /[^[:alnum:]_]SIMT_[A-Z_]*/))
        refuse(substr(text, RSTART + 1, RLENGTH - 1))
}
