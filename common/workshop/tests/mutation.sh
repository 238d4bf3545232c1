#!/usr/bin/env bash
# mutation.sh [SAMPLE [SEED]]: tests whether the tests of common/ notice a broken line.  SAMPLE lines (60), chosen by SEED (1), are
# broken one at a time: + to -, < to <=, == to !=, && to ||, a constant increased by one, a result 0 to 1, a statement removed.  The
# module's test, built with sanitizers like in `make sanitize`, must then fail, hang or crash.  Prints each mutant that survives and
# the percentage that was noticed.  Some survivors are harmless: an order that does not matter, a value that is set again.  Run it
# by hand: a sample of 60 takes minutes.  RECORD=FILE.tsv stores the percentage and the survivors.
set -eu
cd "$(dirname "$0")/../../.."
sample=${1:-60} seed=${2:-1}
case $sample$seed in *[!0-9]*) echo "mutation.sh [SAMPLE [SEED]]: two whole numbers" >&2; exit 64 ;; esac
work=build/mutation
mkdir -p $work
sanitizers='-fsanitize=address,undefined -fno-sanitize-recover=all'
make --no-print-directory -j "$(nproc 2>/dev/null || echo 2)" -C common BACKEND=simt BUILD="$PWD/build/sanitize" CFLAGS="$sanitizers" \
    LDFLAGS="$sanitizers" library-tests >$work/log 2>&1 || { tail $work/log; exit 1; }

# Each module with its test.
modules='csr:csr dtype:dtype formats:formats formats_block:formats formats_ell:formats matgen:matgen matgen_family:matgen matgen_fields:matgen matgen_like:matgen
    matgen_rows:matgen mtx:mtx mtx_text:mtx mtx_bytes:mtx verify:verify cli:cli report:report report_columns:report report_table:report report_text:report
    record_file:report record:spmv_summary spmv_summary:spmv_summary'

# Finds every position that can be broken: file, test, line, column, length, replacement.
for pair in $modules; do
    awk -v file="$(echo common/*/"${pair%:*}.c")" -v test="test_${pair#*:}" '
    function place(column, length_, by) { print file "\t" test "\t" FNR "\t" column "\t" length_ "\t" by }
    BEGIN {
        n = split(" + | - | < | <= | > | >= | == | != | && | || ", token, "|")
        token[9] = " && "; token[10] = " || "
        split(" - | + | <= | < | >= | > | != | == ", by, "|"); by[9] = " || "; by[10] = " && "
    }
    /^ *(\/\*|\*|\/\/|#)/ || /"/ || /^     ?[\[{]/ || /^static|^typedef|^enum|^[a-z]/ {next}    # comments, texts, tables, declarations
    {
        code = $0
        sub(/ *\/\*.*/, "", code)
        for (t = 1; t <= 10; t++)
            for (from = 1; (at = index(substr(code, from), token[t])) > 0; from += at) place(from + at - 1, length(token[t]), by[t])
        for (from = 1; match(substr(code, from), /[^A-Za-z0-9_.][0-9]+[^A-Za-z0-9_.]/); from += RSTART + RLENGTH - 2) {
            number = substr(code, from + RSTART, RLENGTH - 2)
            # A result becomes its opposite; a larger array or buffer would be harmless.
            if (code ~ /return /) place(from + RSTART, RLENGTH - 2, number > 0 ? 0 : 1)
            else if (code !~ /alloc\(|^ +[a-z_0-9]+ [^=;]*\[/) place(from + RSTART, RLENGTH - 2, number + 1)
        }
        if (code ~ /^ +[a-z][A-Za-z0-9_.>\[\]-]*( [-+*|]?= |\+\+;|\().*;$/ && code !~ /^ +(return|if|for|while|else|case|switch)/) {
            match(code, /^ +/)
            place(RLENGTH + 1, length(code) - RLENGTH, ";")
        }
    }' common/*/"${pair%:*}.c"
done >$work/places
# Shuffles them by the seed.
awk -v seed="$seed" 'BEGIN {srand(seed)} {print rand() "\t" $0}' $work/places | sort -n | cut -f2- >$work/order
echo "mutation: $(wc -l <$work/places) positions can be broken; a sample of $sample, seed $seed"

flags="-std=c11 -O1 -fopenmp -w -D_GNU_SOURCE -Icommon/lib/base -Icommon/lib/matrix -Icommon/lib/report -Icommon/lib/measure -Icommon/lib/spmv -Icommon/lib -Icommon/simulator -Icommon/simulator/simt/include -Icommon/simulator/simt $(pkg-config --exists librsb && echo -DHAVE_RSB)"
libraries="$(pkg-config --libs librsb 2>/dev/null || true) -lcholmod -lz -ljansson -lm -pthread -lboost_context -ldw"
wrap=$(printf -- '-Wl,--wrap=%s ' malloc calloc realloc aligned_alloc strdup strndup asprintf vasprintf cudaMalloc) # as in common/Makefile
# survives TEST OPTIONS: the mutant passes the test
survives() {
    test=$1
    shift
    # shellcheck disable=SC2086 # words
    c++ -fopenmp $sanitizers $work/mutant.o "build/sanitize/common/workshop/tests/$test.o" build/sanitize/libcommon.a $libraries "$@" -lcmocka \
        -o $work/test || exit 2
    ASAN_OPTIONS=hard_rss_limit_mb=4000 timeout 100 $work/test </dev/null >$work/log 2>&1
}

killed=0 survived=0
: >$work/survivors
tab=$(printf '\t')
while IFS=$tab read -r file test line column length by; do
    [ $((killed + survived)) -lt "$sample" ] || break
    awk -v l="$line" -v c="$column" -v n="$length" -v by="$by" \
        'NR == l {$0 = substr($0, 1, c - 1) by substr($0, c + n)} {print}' "$file" >$work/mutant.c
    # A mutant that does not compile is skipped.
    # shellcheck disable=SC2086 # words
    cc $flags $sanitizers -c $work/mutant.c -o $work/mutant.o 2>/dev/null || continue
    # Runs the module's test, and the tests in which each allocation fails once.
    # shellcheck disable=SC2086 # words
    if survives "$test" && survives test_alloc $wrap && survives test_alloc_rows $wrap; then
        survived=$((survived + 1))
        mutant=$(sed -n "${line}s/^ *//p" $work/mutant.c)
        printf 'survived %s:%s: %s\n' "$file" "$line" "$mutant"
        printf '%s:%s\t%s\tok\n' "$file" "$line" "$mutant" >>$work/survivors
    else
        killed=$((killed + 1))
    fi
    [ ! -t 2 ] || printf '%d of %d\r' $((killed + survived)) "$sample" >&2
done <$work/order
total=$((killed + survived))
[ $total -gt 0 ] || { echo "mutation: no mutant was tested"; exit 1; }
verdict="$killed of $total noticed, $((100 * killed / total)) %"
echo "mutation: $verdict"
[ -z "${RECORD-}" ] || {
    printf '# commit: %s\n# date: %s\n# verdict: %s\nstep\tmutant\tstatus\n' "$(git describe --always --dirty)" "$(date +%F)" "$verdict"
    cat $work/survivors
} >"$RECORD"
