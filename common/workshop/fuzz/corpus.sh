#!/bin/bash
# corpus.sh FOLDER: writes the first inputs of the fuzz targets, FOLDER/TARGET/NAME.
#
# The mtx inputs are every known kind of invalid Matrix Market file, and some valid files.  FOLDER/files.tsv has the
# expected result of each: name, exit status (0 or 2), line of the message (0: none, -: it varies), words.
# test_corpus checks that the library gives these results; check_corpus.sh checks a chapter's program.
set -euo pipefail
[ $# -eq 1 ] || { sed -n '2,6s/^# \{0,1\}//p' "$0"; exit 64; }
mkdir -p "$1"
matgen=$(cd "$(dirname "$0")/../../lib/matrix" && pwd)/matgen.c
cd "$1"
rm -rf mtx bombs mtx_gz cli recipe record report files.tsv
mkdir mtx bombs mtx_gz cli recipe record report

banner='%%MatrixMarket matrix'
real="$banner coordinate real general"

# wrong NAME LINE WORDS: standard input must be refused at LINE with these words; right NAME: it must be read.
folder=mtx
wrong() { cat >$folder/"$1"; printf '%s\t2\t%s\t%s\n' "$folder/$1" "$2" "$3" >>files.tsv; }
right() { cat >$folder/"$1"; printf '%s\t0\t0\t-\n' "$folder/$1" >>files.tsv; }
# lines WORD...: one word per line; many COUNT BYTE: repeats a byte; repeat COUNT LINE: COUNT bytes of this line
lines() { printf '%s\n' "$@"; }
many() { head -c "$1" /dev/zero | tr '\0' "$2"; }
repeat() { { yes "$2" 2>/dev/null || true; } | head -c "$1"; }

# ---- the banner --------------------------------------------------------------------------------
wrong empty.mtx 0 'empty file' </dev/null
lines '' | wrong blank.mtx 1 'not a Matrix Market file'
lines '1 1 1' '1 1 1' | wrong no_banner.mtx 1 'not a Matrix Market file'
lines '%MatrixMarket matrix coordinate real general' '1 1 0' | wrong one_percent.mtx 1 'not a Matrix Market file'
lines '%%MatrixMarket vector coordinate real general' '1 1 0' | wrong vector.mtx 1 "does not say 'matrix'"
lines "$banner sparse real general" '1 1 0' | wrong format.mtx 1 'must be coordinate or array'
lines "$banner coordinate double general" '1 1 0' | wrong field.mtx 1 'must be real, integer'
lines "$banner coordinate real" '1 1 0' | wrong no_symmetry.mtx 1 'must be general'
lines "$banner coordinate complex general" '1 1 1' '1 1 1 0' | wrong complex.mtx 1 'complex matrices are not supported'
lines "$banner coordinate complex hermitian" '1 1 1' '1 1 1 0' | wrong hermitian.mtx 1 'complex hermitian'
lines "$banner coordinate real hermitian" '1 1 1' '1 1 1' | wrong real_hermitian.mtx 1 'hermitian'
lines "$banner array pattern general" '1 1' | wrong array_pattern.mtx 1 'a pattern cannot be an array'
lines "$banner array complex general" '1 1' '1 0' | wrong array_complex.mtx 1 'complex'

# ---- the sizes ---------------------------------------------------------------------------------
lines "$real" | wrong no_sizes.mtx 1 'ends before the size line'
lines "$real" '%' '% only comments' | wrong only_comments.mtx 3 'ends before the size line'
lines "$real" '2 2' '1 1 1' | wrong two_sizes.mtx 2 'ends before the number of entries'
lines "$real" '2 2 1 0' '1 1 1' | wrong four_sizes.mtx 2 "'0' after the end of the size line"
lines "$real" '2 -2 1' '1 1 1' | wrong negative_size.mtx 2 "columns, '-2', is negative"
lines "$real" '2.0 2 1' '1 1 1' | wrong real_size.mtx 2 "rows, '2.0', is not a whole number"
lines "$real" '99999999999999999999 2 1' '1 1 1' | wrong size_overflow.mtx 2 'is too large'
lines "$real" '2147483648 1 1' '1 1 1' | wrong size_of_2_31.mtx 2 'is beyond 2147483647'
lines "$real" '4294967297 4294967297 1' '1 1 1' | wrong size_wraps.mtx 2 'is beyond 2147483647'
lines "$real" '0 3 1' '1 1 1' | wrong entry_in_nothing.mtx 2 '1 entries in a 0 x 3 matrix'
lines "$banner coordinate real symmetric" '2 3 1' '1 1 1' | wrong symmetric_oblong.mtx 2 'symmetric, but 2 x 3'
lines "$real" '1000000 1000000 1000000000000' '1 1 1' | wrong entries_absurd.mtx 2 '1000000000000 entries: more than 2147483647'
lines "$real" '9 9 12' '1 1 1' '2 2 2' '3 3 3' '4 4 4' '5 5 5' | wrong count_of_12.mtx 7 'ends after 5 of 12 entries'
lines "$banner array real general" '100000 100000' '1' | wrong array_absurd.mtx 2 'beyond 2147483647'
lines "$banner array real general" '10000 10000' '1' | wrong array_too_large.mtx 3 'ends after 1 of 100000000 entries'

# ---- the counts --------------------------------------------------------------------------------
lines "$real" '2 2 2' '1 1 1' '% one is missing' | wrong count_too_large.mtx 4 'ends after 1 of 2 entries'
lines "$real" '2 2 1' '1 1 1' '2 2 2' | wrong count_too_small.mtx 4 'more than the 1 entries'
lines "$real" '2 2 0' '1 1 1' | wrong count_zero.mtx 3 'more than the 0 entries'
lines "$banner array real general" '2 2' 1 2 3 | wrong array_too_short.mtx 5 'ends after 3 of 4 entries'
lines "$banner array real general" '1 2' 1 2 3 | wrong array_too_long.mtx 5 'more than the 2 entries'

# ---- the indices -------------------------------------------------------------------------------
lines "$real" '2 2 2' '0 0 1' '1 1 1' | wrong zero_based.mtx 3 'row index 0 is outside 1..2'
lines "$real" '2 2 1' '1 0 1' | wrong column_zero.mtx 3 'column index 0 is outside 1..2'
lines "$real" '2 2 1' '-1 1 1' | wrong index_negative.mtx 3 "row index '-1' is negative"
lines "$real" '2 2 1' '3 1 1' | wrong row_beyond.mtx 3 'row index 3 is outside 1..2'
lines "$real" '2 2 1' '1 3 1' | wrong column_beyond.mtx 3 'column index 3 is outside 1..2'
lines "$real" '2 2 1' '4294967297 1 1' | wrong index_wraps.mtx 3 'row index 4294967297 is outside'
lines "$real" '2 2 1' '99999999999999999999 1 1' | wrong index_overflow.mtx 3 'is too large'
lines "$real" '2 2 1' '1.5 1 1' | wrong index_real.mtx 3 "row index '1.5' is not a whole number"
lines "$real" '2 2 1' '1' '1 1 1' | wrong line_too_short.mtx 3 'ends before the column index'

# ---- the values --------------------------------------------------------------------------------
lines "$real" '2 2 1' '1 1 nan' | wrong nan.mtx 3 "value 'nan' is not finite"
lines "$real" '2 2 1' '1 1 -Inf' | wrong inf.mtx 3 "value '-Inf' is not finite"
lines "$real" '2 2 1' '1 1 infinity' | wrong infinity.mtx 3 'is not finite'
lines "$real" '2 2 1' '1 1 none' | wrong none.mtx 3 "value 'none' is not a number"
lines "$real" '2 2 1' '1 1 NULL' | wrong null.mtx 3 "value 'NULL' is not a number"
lines "$real" '2 2 1' '1 1 1e400' | wrong value_overflow.mtx 3 "value '1e400' is too large: beyond 1.79769e+308"
lines "$real" '1 1 2' '1 1 9e307' '1 1 9e307' | wrong sum_overflow.mtx 0 'entry (1, 1): its duplicates add up to more than the largest double'
lines "$real" '2 2 1' '1 1 1.0D3' | wrong fortran.mtx 3 "value '1.0D3' is not a number"
lines "$real" '2 2 1' '1 1 1,5' | wrong decimal_comma.mtx 3 "value '1,5' is not a number"
lines "$real" '2 2 1' '1 1 0x10' | wrong hexadecimal.mtx 3 "value '0x10' is not a number"
lines "$real" '2 2 1' '1 1' | wrong no_value.mtx 3 'ends before the value'
lines "$real" '2 2 1' '1 1 1 0' | wrong two_values.mtx 3 'after the end of the entry'
lines "$banner coordinate integer general" '2 2 1' '1 1 1.5' | wrong not_an_integer.mtx 3 'is not an integer'
lines "$banner coordinate integer general" '1 1 1' '1 1 9007199254740993' | wrong integer_beyond.mtx 3 'no double holds it'
lines "$banner coordinate integer general" '1 1 2' '1 1 9007199254740992' '1 1 1' | wrong integer_sum.mtx 0 'entry (1, 1): its duplicates add up to an integer that no double holds'
lines "$banner coordinate pattern general" '2 2 1' '1 1 1' | wrong pattern_with_value.mtx 3 "'1' after the end of the entry: the banner says pattern, whose entries have no values"

# ---- both triangles ----------------------------------------------------------------------------
lines "$banner coordinate real symmetric" '2 2 2' '2 1 5' '1 2 5' | wrong both_triangles.mtx 4 '--symmetric as-listed'
lines "$banner coordinate real skew-symmetric" '2 2 2' '2 1 5' '1 2 -5' | wrong skew_both_triangles.mtx 4 '--symmetric as-listed'
lines "$banner coordinate pattern symmetric" '2 2 2' '1 1' '1 2' | wrong upper_triangle.mtx 4 '--symmetric as-listed'
lines "$banner coordinate real skew-symmetric" '2 2 1' '2 2 1' | wrong skew_diagonal.mtx 3 '(2, 2) is on the diagonal of a skew-symmetric file and not zero'

# ---- long lines, other bytes -------------------------------------------------------------------
{ lines "$real" '1 1 1'; printf '1 1 '; many 1500 1; } | wrong long_line.mtx 3 'more than 1024 characters'
{ lines "$real" '1 1 1'; many 600000 x; } | wrong huge_line.mtx 3 'more than 1024 characters'
head -c 300000 /dev/zero | wrong zeros.mtx 1 'more than 1024 characters'
awk 'BEGIN { for (i = 0; i < 5000; i++) printf "%c", i * 37 % 126 + 1 }' | wrong binary.mtx 1 'not a Matrix Market file'
{ lines "$real" '1 1 1'; printf '1 1 1\0 7\n'; } | wrong nul_byte.mtx 3 'is not a number'
{ lines "$real" '1 1 1'; printf '\xef\xbc\x91 1 1\n'; } | wrong wide_digit.mtx 3 'is not a whole number'
small() { lines "$real" '1 1 1' '1 1 1'; }
small | iconv -f UTF-8 -t UTF-16 | wrong utf16.mtx 0 'UTF-16 text'
small | iconv -f UTF-8 -t UTF-16BE | wrong utf16_no_mark.mtx 0 'UTF-16BE'
small | iconv -f UTF-8 -t UTF-32 | wrong utf32.mtx 0 'UTF-32 text'
lines '<!DOCTYPE html>' | wrong web_page.mtx 0 'a web page'
printf 'BZh91AY&SY\1\2\3' | wrong bzip2.mtx.bz2 0 'bzip2 data: unpack it with bunzip2'
printf '\xfd7zXZ\0\0\4' | wrong xz.mtx 0 'xz data: unpack it with unxz'
small >small.mtx
tar -cf - small.mtx | wrong tar.mtx 0 'a tar archive: unpack it with tar'
tar -cf - small.mtx | gzip -n | wrong ash219.tar.gz 0 'a tar archive: unpack it with tar'
small | gzip -n | gzip -n | wrong twice.mtx.gz 0 'gzip data inside gzip data'
rm small.mtx

# ---- gzip --------------------------------------------------------------------------------------
entries() { lines "$real" '60 60 60'; seq 60 | awk '{ print $1, $1 * 7 % 60 + 1, $1 * $1 ".5" }'; }
entries | gzip -n >whole.gz
size=$(wc -c <whole.gz)
right whole.mtx.gz <whole.gz
head -c $((size / 2)) whole.gz | wrong cut.mtx.gz - 'cut off'
head -c 1 whole.gz | wrong cut_header.mtx.gz 0 'ends in .gz but holds no gzip data'
{ head -c $((size - 8)) whole.gz; printf 'crc!size'; } | wrong checksum.mtx.gz 0 'damaged gzip data'
{ head -c 60 whole.gz; head -c 40 /dev/zero; tail -c +101 whole.gz; } | wrong damaged.mtx.gz - damaged
{ cat whole.gz; lines x | gzip -n; } | wrong second_member.mtx.gz 63 'more than the 60 entries'
{ cat whole.gz; lines 'and so on'; } | wrong junk.mtx.gz - 'other bytes follow the gzip data'
{ cat whole.gz; many 500 '\0'; } | right padded.mtx.gz
entries | wrong not_gzip.mtx.gz 0 'ends in .gz but holds no gzip data'
# Gzip bombs, which are too slow to be fuzz inputs: a hundred kilobytes that unpack to eighty megabytes of comments, of blank lines,
# or of one repeated entry.
folder=bombs
{ lines "$real"; repeat 80000000 %; } | gzip -n | wrong comments.mtx.gz - 'unpacks to more than'
{ lines "$real" '1 1 0'; repeat 80000000 ''; } | gzip -n | wrong blanks.mtx.gz - 'unpacks to more than'
{ lines "$real" '1 1 13333333'; repeat 79999998 '1 1 1'; } | gzip -n | wrong entries.mtx.gz - 'unpacks to more than'
rm whole.gz
folder=mtx

# ---- valid, but unusual ------------------------------------------------------------------------
lines "$real" '2 3 3' '1 1 1.5' '2 3 -2e0' '2 1 .5' | right real.mtx
lines "$real" '%c' '' '1 2 1' '1 2 2.5' | sed 's/$/\r/' | right crlf.mtx
lines "$real" '1 1 3' '1 1 1' '1 1 2' '1 1 4' | right duplicates.mtx
lines "$banner array real general" '2 3' 1 0 2 3 0 4 | right array.mtx
lines "$banner array integer symmetric" '2 2' 1 2 0 | right array_symmetric.mtx
lines "$banner array real skew-symmetric" '3 3' 1 0 3 | right array_skew.mtx
lines "$banner coordinate pattern symmetric" '2 2 3' '1 1' '2 1' '2 2' | right pattern_symmetric.mtx
lines "$banner coordinate real skew-symmetric" '2 2 1' '2 1 5' | right skew.mtx
lines "$banner coordinate integer symmetric" '3 3 2' '1 1 4' '3 1 -5' | right integer_symmetric.mtx
lines "$real" '3 0 0' | right no_columns.mtx
lines "$real" '0 0 0' | right nothing.mtx
lines "$real" '1 2 1' '1 2 1e-400' | right underflow.mtx
printf '%s\n  1\t2   1  \n\t1  2\t2.5e+0' "$real" | right blanks.mtx
lines "$real today" '1 1 0' | right banner_goes_on.mtx
lines " $real" ' % c' ' +1 +1 1' '  1 1 1' | right indented.mtx
lines "$real" '1 2 2' '1 1 1.7976931348623157e308' '1 2 -1e308' | right largest.mtx
lines "$banner coordinate real skew-symmetric" '2 2 2' '1 1 0' '2 1 5' | right skew_zero.mtx
{ printf '\xef\xbb\xbf'; lines "$real" '1 1 1' '1 1 1'; } | right byte_order_mark.mtx
lines "$real" '%c' '' '1 2 1' '1 2 2.5' | tr '\n' '\r' | right cr.mtx
{ lines "$real"; printf '%%'; many 5000 5; lines '' '1 1 1' '1 1 1'; } | right long_comment.mtx

# ---- the other targets -------------------------------------------------------------------------
for f in mtx/*.mtx; do # three bytes before the text say that the packed file is not changed
    [ "$(wc -c <"$f")" -gt 4096 ] || { printf '\0\0\0'; cat "$f"; } >"mtx_gz/$(basename "$f")"
done
for damage in 1 2 3; do { printf '\%o\0\060' $damage; cat mtx/real.mtx; } >"mtx_gz/damage_$damage"; done

n=0
while IFS= read -r words; do
    n=$((n + 1))
    printf '%s\n' "$words" | tr ' ' '\n' >cli/$n
done <<'END'
--list
--only v1,v7
--only cub*
--only v1,,v2
--only *a*
--size 64M --dtype fp32
--size 2^26 --dtype=bf16
--size 2^64
--size 18446744073709551616
--size 0
--dtype int9
--matrix a.mtx.gz --format json
--matrix a.mtx --symmetric as-listed
--symmetric as-listed
--matrix=
--experiment 3 --exact --seed 18446744073709551615
--reps 100001
--threads 0
--format tsv --record r.tsv
--count=off --explain v3 --trace t.tsv --shuffle 7
--count maybe
--once --sms 132 --sweep
--lanes 8
--lanes 99999999999999999999999
--help
--usage
-? --list
--version
-- --list
--si 5
--HANG
--H
--s
-x
word
END

# Each recipe of matgen.c with numbers that need more memory than there is, alone and inside of another recipe.
huge_recipes() {
    sed -n 's/^    {"\([a-z_0-9]*\):.*", \([123]\), .*/\1 \2/p' "$matgen" | while read -r name count; do
        for numbers in 2147483646,2147483646,1099511627776 1,2147483646,1 2147483646,1,1 1,1,1099511627776; do
            printf '%s\n' {,transposed:,scrambled:}"$name:$(cut -d, -f1-"$count" <<<"$numbers")"
        done
    done
}

write_recipes() {
    local n=0 recipe
    while IFS= read -r recipe; do
        n=$((n + 1))
        printf '%s' "$recipe" >recipe/$n
    done
}
{ cat; huge_recipes; } <<'END' | write_recipes
identity:5
diagonal:7
band:10,2
dense:3,4
empty:0,9
random:10,10,30
random:3,3,10
even:5,5,5
even:5,5,6
one_dense_row:9
empty_rows:20,3
empty_rows:20,0
powerlaw:10,10,30
powerlaw:1,1,2
powerlaw:2147483647,3,4
rmat:4,3
rmat:31,1
rmat:30,2147483647
poisson2d:4,5
poisson3d:2,3,4
stencil27:3,3,3
stencil27:2147483647,2147483647,2147483647
like:ash219
like:webbase
like:
random:10,10
random:10,10,30,5
random:-1,1,1
random:18446744073709551616,1,1
random
:
END

head_line=$(printf 'chapter\tstep\tkind\tcase\tdtype\tsetup_ms\tcold_us\twarm_us\tspread_pct\tbytes\tcold_gbps\tpct_ceiling\tefficiency\terr_over_tol\tstatus\tidea')
row() { printf '05\t%s\t%s\tm\tfp32\t%s\t%s\t1\t0.1\t100\t5\t7\t0.5\t0.1\t%s\tan idea\n' "$1" "$2" "$3" "$4" "$5"; }
{
    lines '# gpu: x' "$head_line"
    row v1 gpu - 10 ok
    row v2 gpu 0.5 8 ok
    row cusparse_csr peer - 12 ok
    row cusparse_sell peer 2 9 ok
} >record/good
cat record/good record/good >record/two
{
    lines "$head_line"
    row v1 gpu - 10 'FAIL: off'
    row v2 gpu - - 'skip: no'
    row v3 cpu - 3 ok
    row student gpu - 3 ok
    row v3/8 gpu - 3 ok
} >record/none
{
    lines "$head_line"
    row v1 gpu nan inf ok
    row v2 gpu -1 -5 ok
    row v3 gpu 1e400 1e-400 ok
} >record/numbers
printf 'chapter\tstep\na\tb\n' >record/narrow
{ lines 'no header'; row v1 gpu - 10 ok; } >record/headless
printf 'chapter' >record/word
many 100 '\t' >record/tabs
{ lines "$head_line"; row "$(many 400 v)" gpu - 10 ok; printf '05\tv2\tgpu\tm\tfp'; } >record/cut
{ cat record/good; printf 'a\0b\tc\n'; } >record/nul

printf '05\0v1\0gpu\0case\0fp32\0idea\0ok\0seed\00042\0\1\7\1\7\1\7' >report/plain
printf 'a\tb\0c\nd\0\1\0"\\\0\xff\xfe\0\xe4\xb8\xad\0FAIL: a\nb\0k\0v\0' >report/awkward
printf '\1\1\1\1\1\1\1\1\1' >report/nothing
printf '05\0v1\0gpu\0case\0fp32\0\xc3\0skip: x\0k: y\0a\nb\0\2\3\5\4\377\377\377\377\377\377\177\0' >report/numbers
{ printf '05\0v1\0gpu\0case\0fp32\0idea\0ok\0\0\0'; printf '\7\377\377\377\377\377\377\357\377%.0s' 1 2 3 4 5 6 7 8 9; } >report/largest
