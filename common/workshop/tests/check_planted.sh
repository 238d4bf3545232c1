#!/bin/sh
# check_planted.sh: tests the checks of the pages.  In a copy of the course one mistake of each kind is planted; each must be
# reported, and nothing else.
# shellcheck disable=SC2016 # backticks of Markdown
course=$PWD
copy=$(mktemp -d) || exit 2
trap 'rm -rf "$copy"' EXIT; trap 'exit 130' HUP INT TERM
tar --exclude=./build --exclude=./.git --exclude=./work -cf - . | tar -xf - -C "$copy" || exit 2
cd "$copy" || exit 2
expected=$copy/expected
: >"$expected"
status=0

# plant FILE REPORTED TEXT: appends TEXT to a source; a check must report REPORTED
plant() {
    printf '\n%s\n' "$3" >>"$1"
    printf '%s\n' "$2" >>"$expected"
}
# plant_here: as plant, and the report must have the line
plant_here() {
    plant "$@"
    sed -i "\$s~^~$1:$(wc -l <"$1"): ~" "$expected"
}
make_pages() { docs/make_pages.py "$@" 2>&1; }

# Links and names that do not exist, and numbers typed by hand: make docs accepts them, the checks must find them.
english=docs/pages/before-you-start.md
plant $english 'no such link: no_such_page.md' '[somewhere](no_such_page.md)'
plant $english 'no such heading: 01_reduce.md#no-such-section' '[a section](01_reduce.md#no-such-section)'
plant docs/pages/zh/before-you-start.md 'no such heading: #没有这一节' '[一节](#没有这一节)'
plant $english 'no such file: common/no_such_file.c' 'See `common/no_such_file.c`.'
plant $english 'no such file: no_such_file.h' 'See `no_such_file.h`.'
plant $english 'no such goal: no-such-goal' 'Say `make no-such-goal`.'
plant $english 'no such goal: no-such-demo' '    ./bootstrap no-such-demo'
plant $english 'no such variable: NOSUCH' '    make run NOSUCH=1'
plant $english 'no such option: no-such-option' 'With `--no-such-option` it is faster.'
plant $english 'no such option: lanes (chapter 01)' '    make run N=1 ARGS="--lanes 4"'
plant $english 'no such option: unit (chapter 01)' '    build/simt/bin/01_reduce --unit 4'
plant_here docs/pages/01_reduce.md 'no such step: v99' 'As v99 shows.'
plant_here docs/pages/zh/01_reduce.md 'no such step: c77' '见 c77。'
plant_here docs/pages/05_spmv_vector.md 'no such step: v3/64' 'The variant v3/64 is slower.'
plant_here docs/pages/how-we-measure.md 'no such step: v99' 'See chapter 07 (v99).'
plant_here $english 'no such record: 3.14 µs' 'It takes 3.14 µs.'
plant_here docs/pages/zh/how-we-measure.md 'no such record: 2.72 ×' '它是前者的 2.72 ×。'
# A number as the results file has it, and prose whose wrapped lines must not become a list, a heading or a table.
recorded=$(awk -F'\t' '$2 == "v3" && $5 == "fp32" { printf "%.1f", $7 }' plots/data/h200/01_reduce.tsv)
printf '\n%s\n%s - 2019. # 1 | <b> + 3) * %s\n' 'It took {{ record("h200/01_reduce", "fp32")("v3") }}' "$(printf 'word %.0s' 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)" \
    "$(printf '%.0s1. - + * # | > ' 1 2 3 4 5 6 7 8 9)" >>docs/pages/index.md
make_pages >made || { cat made; status=1; }
grep -Fq "It took $recorded word" docs/index.md || { echo "docs/index.md: not the recorded $recorded"; status=1; }
tail -n 4 docs/index.md | grep -E '^ *([-+*>|]|#|[0-9]+[.)]) ' && { echo 'docs/index.md: a wrapped line begins with a mark of Markdown'; status=1; }
cp "$course/docs/pages/index.md" docs/pages/ && cp "$course/docs/index.md" docs/ || exit 2
docs/check_links.py >said && echo 'check_links.py accepts planted mistakes'

# Placeholders that cannot be filled: the message must have the line of the source.
plant_here $english 'h200/01_reduce has no row v99 fp32' '{{ record("h200/01_reduce", "fp32")("v99") }}'
plant_here docs/pages/02_memcpy_vectorized.md 'h200/01_reduce has no column no_such_column' '{{ record("h200/01_reduce", "fp32")("v3").no_such_column }}'
plant_here docs/pages/03_gemv.md 'no record plots/data/h200/no_such_record.tsv' '{{ record("h200/no_such_record")("v3") }}'
plant_here docs/pages/04_spmv_scalar.md "'no_such_name' is undefined" '{{ no_such_name("v3") }}'
plant_here docs/pages/05_spmv_vector.md 'h200/01_reduce has 2 rows v3: name one of' '{{ record("h200/01_reduce")("v3") }}'
plant_here docs/pages/06_spmv_lightspmv.md 'h200/01_reduce has no header line no_such_line' '{{ record("h200/01_reduce").no_such_line }}'
plant_here docs/pages/applications.md "unexpected '}'" '{{ record("h200/01_reduce"} }}'
plant_here docs/pages/scale.md 'no heading for the column spread_pct' '{{ table(record("h200/01_reduce"), columns="step | spread_pct") }}'
plant_here docs/pages/hardening.md 'no row of h200/01_reduce matches' '{{ table(record("h200/01_reduce"), step="v99", columns="step") }}'
plant_here docs/pages/sources.md 'h200/01_reduce has no column no_such_filter' '{{ table(record("h200/01_reduce"), no_such_filter="v99", columns="step") }}'
plant_here docs/pages/first-hour.md 'no file common/no_such_file.c to quote' '{{ code("common/no_such_file.c", "core") }}'
plant_here docs/pages/without-a-gpu.md 'common/lib/base/clock.c has no region no_such_region' '{{ code("common/lib/base/clock.c", "no_such_region") }}'
plant_here docs/pages/spmv-distributed.md 'h200/03_gemv has 18 rows v1 fp32: name one of' '{{ record("h200/03_gemv", "fp32")("v1") }}'
plant_here docs/pages/07_load_balance.md '07_load_balance has no step v99' '{{ step("v99") }}'
sed -i '2s/[^\t]*$/another line/' plots/data/simt/01_reduce_lines.tsv
echo '01_reduce/v01_interleaved_modulo.cu:27 is not the line that was counted' >>"$expected"
plant docs/index.md 'docs/index.md differs from docs/pages/index.md' 'Typed into the page that is made.'
plant docs/no_source.md 'docs/no_source.md has no source docs/pages/no_source.md' '# A page without a source'
plant docs/pages/glossary.md 'docs/zh/glossary.md differs from docs/pages/zh/glossary.md' '| carpet | 地毯 | nothing | 无 |'
echo 'docs/glossary.md differs from docs/pages/glossary.md' >>"$expected"
plant_here common/lib/base/clock.c 'region core is there twice' "$(printf '// region: core\n// end: core\n// region: core')"
plant_here common/lib/base/err.c 'region open has no // end: open' '// region: open'
plant_here common/lib/base/plain.c 'the end of a region other that is not open' '// end: other'
make_pages --check >>said && echo 'make_pages.py --check accepts planted mistakes'

printf 'docs/pages/zh/%s.md: other numbers or tables\n' before-you-start 02_memcpy_vectorized 03_gemv 04_spmv_scalar 05_spmv_vector \
    06_spmv_lightspmv 07_load_balance applications scale hardening sources first-hour without-a-gpu spmv-distributed \
    spmv-library >>"$expected"
printf 'no such term\t-\t无\t-\n' >>docs/terms.tsv
echo 'no entry of the glossary: no such term' >>"$expected"
plant plots/zh.tsv '分区: the glossary says 扇区 (sector)' "$(printf 'a sector\t一个分区，扇区')"
plant docs/pages/zh/without-a-gpu.md '路障: the glossary says 屏障 (barrier)' '这里要一道路障。'
sed 's/屏障/同步/g' docs/pages/zh/before-you-start.md >page && cp page docs/pages/zh/before-you-start.md
echo 'nothing of 屏障 in this section' >>"$expected"
# The same number in another section.
echo '{{ record("h200/01_reduce", "fp32")("v3") }}' >>docs/pages/spmv-library.md
printf '\n## 多出来的一节\n{{ record("h200/01_reduce", "fp32")("v3") }}\n' >>docs/pages/zh/spmv-library.md
sections=$(grep -c '^#' docs/pages/spmv-library.md)
echo "docs/pages/zh/spmv-library.md: $((sections + 1)) sections, docs/pages/spmv-library.md has $sections" >>"$expected"
# A glossary entry that is not in terms.tsv.
plant docs/pages/how-we-measure.md 'nothing of 地毯 in this section' 'Two carpets.'
rm docs/pages/zh/index.md
echo 'docs/pages/index.md: there is no docs/pages/zh/index.md' >>"$expected"
docs/check_languages.sh >>said && echo 'check_languages.sh accepts planted mistakes'

# A region that no page quotes is found only if all pages can be generated.
rm -r docs/pages common/lib/base docs/no_source.md
tar -C "$course" -cf - docs/pages common/lib/base plots/data/simt | tar -xf -
plant common/lib/base/clock.c 'region lonely is on no page' "$(printf '// region: lonely\n// end: lonely')"
make_pages >made && echo 'make_pages.py accepts a region that is on no page'
grep 'region' made >>said

while IFS= read -r line; do
    grep -Fq -- "$line" said || { echo "not reported: $line"; status=1; }
done <"$expected"
# Reports that were not planted; indented lines belong to the report before them.
grep -v '^    ' said | grep -Fv -f "$expected" >rest
if [ -s rest ]; then
    echo 'reported, and not planted:'
    cat rest
    status=1
fi
exit $status
