#!/bin/sh
# check_planted.sh: the checks of the pages, seen failing.  In a copy of the course one mistake of each kind is planted; each must
# be reported, and nothing else.
# shellcheck disable=SC2016 # backticks of Markdown
copy=$(mktemp -d) || exit 2
trap 'rm -rf "$copy"' EXIT; trap 'exit 130' HUP INT TERM
tar --exclude=./build --exclude=./.git --exclude=./work -cf - . | tar -xf - -C "$copy" || exit 2
cd "$copy" || exit 2
expected=$copy/expected
: >"$expected"

# plant PAGE WHAT-MUST-BE-SAID TEXT: adds a line to a page.
plant() {
    printf '\n%s\n' "$3" >>"$1"
    printf '%s\n' "$2" >>"$expected"
}

english=docs/before-you-start.md
recorded=$(awk -F'\t' '$2 == "v3" && $5 == "fp32" { printf "%.1f", $7 }' plots/data/h200/01_reduce.tsv)
plant $english 'no such link: no_such_page.md' '[somewhere](no_such_page.md)'
plant $english 'no such heading: 01_reduce.md#no-such-section' '[a section](01_reduce.md#no-such-section)'
plant docs/zh/before-you-start.md 'no such heading: #没有这一节' '[一节](#没有这一节)'
plant $english 'no such file: common/no_such_file.c' 'See `common/no_such_file.c`.'
plant $english 'no such file: no_such_file.h' 'See `no_such_file.h`.'
plant $english 'no such goal: no-such-goal' 'Say `make no-such-goal`.'
plant $english 'no such goal: no-such-demo' '    ./bootstrap no-such-demo'
plant $english 'no such variable: NOSUCH' '    make run NOSUCH=1'
plant $english 'no such option: no-such-option' 'With `--no-such-option` it is faster.'
plant $english 'no such option: lanes (chapter 01)' '    make run N=1 ARGS="--lanes 4"'
plant $english 'no such option: unit (chapter 01)' '    build/simt/bin/01_reduce --unit 4'
plant $english 'no such text: before the marker' "<!-- = h200/01_reduce v3 fp32 cold_us -->$recorded<!-- . --> µs is the time."
plant docs/zh/before-you-start.md 'no such text: before the marker' "  <!-- = h200/01_reduce v3 fp32 cold_us -->$recorded<!-- . --> µs。"
plant docs/01_reduce.md 'no such step: v99' 'As v99 shows.'
plant docs/zh/01_reduce.md 'no such step: c77' '见 c77。'
plant docs/05_spmv_vector.md 'no such step: v3/64' 'The variant v3/64 is slower.'
plant docs/how-we-measure.md 'no such step: v99' 'See chapter 07 (v99).'
plant $english 'no such record: 3.14 µs' 'It takes 3.14 µs.'
plant docs/zh/how-we-measure.md 'no such record: 2.72 ×' '它是前者的 2.72 ×。'
docs/check_links.sh >said && echo 'check_links.sh accepts planted mistakes'

plant $english 'h200/01_reduce has no row v99 fp32' '<!-- = h200/01_reduce v99 fp32 cold_us -->1.5<!-- . -->'
plant $english 'h200/01_reduce has no column no_such_column' '<!-- = h200/01_reduce v3 fp32 no_such_column -->1.5<!-- . -->'
plant $english 'no record plots/data/h200/no_such_record.tsv' '<!-- = h200/no_such_record v3 fp32 cold_us -->1.5<!-- . -->'
plant docs/glossary.md 'docs/zh/glossary.md differs from docs/glossary.md' '| carpet | 地毯 | nothing | 无 |'
plant docs/sources.md 'docs/sources.md differs from the recorded results' '<!-- = h200/01_reduce v3 fp32 cold_us -->99999<!-- . -->'
echo 'h200/01_reduce has no column cold_us' >>"$expected" # what follows from v99
docs/tables.sh --check >>said 2>&1 && echo 'tables.sh --check accepts planted mistakes'

printf '%s\n' 'docs/zh/before-you-start.md: other numbers or tables' 'docs/zh/sources.md: other numbers or tables' >>"$expected"
printf 'no such term\t-\t无\t-\n' >>docs/terms.tsv
echo 'no entry of the glossary: no such term' >>"$expected"
plant docs/zh/without-a-gpu.md '屏障: the glossary says 栅障 (barrier)' '这里要一道屏障。'
sed 's/缺少的栅障\|栅障/同步/g' docs/zh/before-you-start.md >page && cp page docs/zh/before-you-start.md
echo 'nothing of 栅障 in this section' >>"$expected"
printf '\n## 多出来的一节\n' >>docs/zh/spmv-library.md
printf '%s\n' 'docs/zh/spmv-library.md: 10 sections, docs/spmv-library.md has 9' >>"$expected"
# An entry of the glossary that terms.tsv does not know.
plant docs/how-we-measure.md 'nothing of 地毯 in this section' 'Two carpets.'
rm docs/zh/index.md
echo 'docs/index.md: there is no docs/zh/index.md' >>"$expected"
docs/check_languages.sh >>said && echo 'check_languages.sh accepts planted mistakes'

status=0
while IFS= read -r line; do
    grep -Fq -- "$line" said || { echo "not reported: $line"; status=1; }
done <"$expected"
# What is said and was not planted; lines that belong to another line do not count, nor what the missing page brings with it.
grep -v -e '^    ' -e 'there is no docs/zh/index.md' said | grep -Fv -f "$expected" | grep -v 'no such link: .*index' >rest
if [ -s rest ]; then
    echo 'reported, and not planted:'
    cat rest
    status=1
fi
exit $status
