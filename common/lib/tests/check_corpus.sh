#!/bin/bash
# check_corpus.sh: every file of the corpus (common/workshop/fuzz/corpus.sh) through a chapter's program: the promised exit status, and
# for one that is refused a line on standard error that names it.  test_corpus says the same of the library alone.
# Then what only a program does with --matrix: files and recipes told apart, --symmetric, names that steer a terminal.
set -u
cd "$(dirname "$0")/../../.." || exit 1
bin=build/simt/bin
program=$bin/05_spmv_vector
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT; trap 'exit 130' HUP INT TERM
common/workshop/fuzz/corpus.sh "$work" || exit 1
[ -x $program ] || { echo "check_corpus: $program is not built"; exit 1; }
wrong=0 files=0

complain() { # WHAT: shows what was said
    wrong=$((wrong + 1))
    echo "check_corpus: $1; said:"
    cat -v "$work/err"
}

# run WHAT STATUS WORDS COMMAND...: it ends with that status and says these words on standard error
run() {
    local what=$1 expected=$2 words=$3
    shift 3
    files=$((files + 1))
    timeout 20 "$@" >"$work/out" 2>"$work/err" </dev/null
    local status=$?
    [ $status -eq "$expected" ] && { [ -z "$words" ] || grep -qF -- "$words" "$work/err"; } && return
    complain "$what: exit status $status, not $expected, or not '$words'"
}

while IFS=$'\t' read -r name expected _ words; do
    if [ "$expected" -eq 0 ]; then words=; fi
    run "$name" "$expected" "$words" $program --matrix "$work/$name" --only v1 --dtype fp64
    [ "$expected" -eq 0 ] || [ "$(grep -cF "$work/$name:" "$work/err")" -eq 1 ] || complain "$name: not in one line"
done <"$work/files.tsv"

# ---- a file or a recipe ------------------------------------------------------------------------
for path in none none.mtx none.txt none/none ./none "$work/a:b" x:none.mtx "$work/no:ne/band:3,1"; do
    run "$path" 2 "$path: No such file" $program --matrix "$path"
done
run 'below a file' 2 "$work/files.tsv/none: Not a directory" $program --matrix "$work/files.tsv/none"
for recipe in randm:5,5,5 : x:; do run "$recipe" 2 "unknown recipe '$recipe': use one of identity:N" $program --matrix "$recipe"; done
for recipe in random:5 random:5.5,5,5 random:5/5 random; do run "$recipe" 2 "recipe '$recipe': " $program --matrix "$recipe"; done
run like:no/ne 2 'choose one of: shyy41' $program --matrix like:no/ne

# ---- --symmetric -------------------------------------------------------------------------------
both=$work/mtx/both_triangles.mtx upper=$work/mtx/upper_triangle.mtx
printf '%s\n' '%%MatrixMarket matrix coordinate real symmetric' '2 2 2' '2 1 5' '1 2 6' >"$work/apart.mtx"
printf '%s\n' '%%MatrixMarket matrix coordinate real symmetric' '2 2 3' '1 1 2' '1 2 1' '2 2 2' >"$work/system.mtx"
for p in 04_spmv_scalar 05_spmv_vector 06_spmv_lightspmv 07_load_balance; do
    run "$p, both" 0 '2 x 2, 2 nonzeros' $bin/$p --matrix "$both" --symmetric as-listed --only v1 --dtype fp64
    run "$p, upper" 0 '2 x 2, 3 nonzeros' $bin/$p --matrix "$upper" --symmetric=as-listed --only v1 --dtype fp64
    run "$p, apart" 2 'entry (1, 2) is 6, but (2, 1) is 5' $bin/$p --matrix "$work/apart.mtx" --symmetric as-listed
done
run 'CG' 0 '2 unknowns, 4 nonzeros' $bin/07_cg --matrix "$work/system.mtx" --symmetric as-listed --only cpu
run 'PageRank' 0 '2 pages, 2 links' $bin/07_pagerank --matrix "$both" --symmetric as-listed --only cpu
run 'libspmv' 0 '' $bin/07_libspmv_cpu --matrix "$both" --symmetric as-listed --dtype fp64
run 'bytes of the formats' 0 '' $bin/04_spmv_scalar --matrix "$both" --symmetric as-listed --record-bytes "$work/bytes.tsv"
run 'merge path' 0 '' $bin/07_load_balance --matrix "$both" --symmetric as-listed --merge-path "$work/path.tsv"
run 'lower' 2 "$both:4: entry (1, 2) is above" $program --matrix "$both" --symmetric lower
run 'no such way' 64 '--symmetric: "upper" is not one of: lower as-listed' $program --matrix "$both" --symmetric upper
run 'no file' 64 'add --matrix FILE' $program --symmetric as-listed

# ---- names that steer a terminal: colours, line ends, C1, what turns the direction, no UTF-8 --------------------------
# (a grep in the C locale: bytes, and the UTF-8 of U+0080-9F, 061C, 200E-F, 2028-E, 2066-9)
evil=$'ev\e[31mil\r\n\x07\xc2\x9b1m\xe2\x80\xaex\xe2\x81\xa6\xe2\x80\xa8y\xd8\x9c\x9b2m\xff\xc0\x8az'
steers=$'[\x01-\x08\x0b-\x1f]|\xc2[\x80-\x9f]|\xd8\x9c|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]|\xff|\xc0|x\x9b'
mkdir "$work/$evil"
cp "$work/mtx/real.mtx" "$work/$evil.mtx"
cp "$work/mtx/nan.mtx" "$work/$evil/$evil.mtx"
quiet() { # FILE...
    files=$((files + 1))
    [ "$(LC_ALL=C grep -caP -- "$steers" "$@" | awk -F: '{n += $NF} END {print n}')" -eq 0 ] && return
    wrong=$((wrong + 1))
    echo "check_corpus: it prints what steers a terminal:"
    LC_ALL=C grep -aP -- "$steers" "$@" | cat -v
}
for format in table tsv json; do
    run "evil name, $format" 0 'ev?[31mil' $program --matrix "$work/$evil.mtx" --only v1,c1 --reps 1 --dtype fp64 --format $format --record "$work/r.tsv"
    quiet "$work/out" "$work/err" "$work/r.tsv"
    grep -q '^ev.*z: 2 x 3, 3 nonzeros' "$work/err" || complain "$format: not in one line"
done
run 'evil file, wrong' 2 "ev?[31mil  ?" $program --matrix "$work/$evil/$evil.mtx"; quiet "$work/err"
run 'evil, not there' 2 'No such file' $program --matrix "$work/$evil.none"; quiet "$work/err"
run 'evil recipe' 2 'unknown recipe' $program --matrix "$evil:3"; quiet "$work/err"
run 'evil name behind like:' 2 'choose one of' $program --matrix "like:$evil"; quiet "$work/err"
run 'evil numbers' 2 "recipe 'band:" $program --matrix "band:$evil"; quiet "$work/err"
run 'evil folder' 2 'No such file' env MATRIX_DIR="$work/$evil.none" $bin/07_load_balance --suite; quiet "$work/err"

echo "check_corpus: $files files and commands, $wrong not as promised"
[ $wrong -eq 0 ] && [ $files -gt 120 ]
