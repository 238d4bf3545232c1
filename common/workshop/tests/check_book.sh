#!/bin/sh
# check_book.sh: every page of docs/ must be in the list docs/book/pages.  Builds the HTML pages of make book; every link and
# picture in them must lead to a page, a heading, a picture, or a file and line of the course that are in the book.  Then it breaks
# four links, which must be noticed.  The page of a step's file must lead to that step.
pages=$(docs/book/pages.sh en && docs/book/pages.sh zh) || exit 1
status=0
for page in docs/*.md docs/exercises/*.md; do
    [ -e "$page" ] || continue
    name=${page#docs/}
    echo "$pages" | grep -Fqx -- "${name%.md}" || { echo "$page is not in docs/book/pages"; status=1; }
done
[ $status -eq 0 ] || exit 1
command -v pandoc >/dev/null 2>&1 || { echo '[  SKIPPED ] pandoc is not installed'; exit 0; }
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT; trap 'exit 130' HUP INT TERM
book=$work/book
common/workshop/tests/players.sh && mkdir "$book" && cp -a build/players/play "$book" || exit 1
${MAKE:-make} --no-print-directory -f docs/book/book.mk BOOK="$book" pages >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }

${MAKE:-make} --no-print-directory -f docs/book/book.mk list-sources >"$work/sources" || exit 1

look() {
    find "$book" -name '*.html' | sort >"$work/pages"
    while IFS= read -r page; do
        tr '\n' ' ' <"$page" | grep -o '<[a-z][^>]*>' | awk -v page="${page#"$book"/}" '
        function fold(path,    n, part, i, out, depth, stack) {
            n = split(path, part, "/"); depth = 0
            for (i = 1; i <= n; i++) {
                if (part[i] == "..") depth--
                else if (part[i] != "." && part[i] != "") stack[++depth] = part[i]
            }
            out = stack[1]
            for (i = 2; i <= depth; i++) out = out "/" stack[i]
            return out
        }
        {
            if (match($0, / id="[^"]*"/)) print "id\t" page "#" substr($0, RSTART + 5, RLENGTH - 6)
            if (!match($0, / (href|src)="[^"]*"/)) next
            link = substr($0, RSTART, RLENGTH); sub(/^ (href|src)="/, "", link); sub(/"$/, "", link)
            if (link ~ /^(https?|mailto|data):/) next
            anchor = link; if (!sub(/^[^#]*#/, "", anchor)) anchor = ""
            sub(/#.*/, "", link)
            folder = page; if (!sub(/\/[^\/]*$/, "", folder)) folder = "."
            print "link\t" page "\t" (link == "" ? page : fold(folder "/" link)) "\t" anchor
        }'
    done <"$work/pages" >"$work/found"
    # Ids must be written in links without %XX, because pandoc does not use it for non-ASCII characters.
    awk -F '\t' -v BOOK="$book" '
    function there(file,    line, ok) { if (file in known) return known[file]; ok = (getline line < file) >= 0; close(file); return known[file] = ok }
    function lines(file,    line, n) { if (file in count) return count[file]; while ((getline line < file) > 0) n++; close(file); return count[file] = n + 0 }
    FILENAME ~ /sources$/ { source[$0] = 1; path = $0; while (sub(/\/[^\/]*$/, "", path)) folder[path] = 1; next }
    $1 == "id" { id[$2] = 1; next }
    { link[++n] = $0 }
    END {
        for (i = 1; i <= n; i++) {
            split(link[i], f, "\t"); page = f[2]; to = f[3]; anchor = f[4]
            if (to ~ /^source\/.*\/index\.html$/) { sub(/^source\//, "", to); sub(/\/index\.html$/, "", to); ok = to in folder }
            else if (to ~ /^source\//) {
                sub(/^source\//, "", to); sub(/\.html$/, "", to)
                ok = to in source; if (ok && anchor ~ /^L-/) ok = substr(anchor, 3) + 0 <= lines(to)
                if (anchor != "" && anchor !~ /^L-[0-9]+$/) ok = 0
            }
            else if (to ~ /^play\// && anchor == "zh") ok = there(BOOK "/" to) # the language in which a player opens
            else ok = there(BOOK "/" to) && (anchor == "" || (to "#" anchor) in id)
            if (!ok && !told[page, to, anchor]++) { print page ": leads nowhere: " to (anchor == "" ? "" : "#" anchor); bad = 1 }
        }
        if (n < 500) { print "only " n + 0 " links found"; bad = 1 }
        exit bad
    }' "$work/sources" "$work/found"
}

look || status=1
# Planted mistakes.
sed 's|id="what-is-the-limit"|id="moved"|' "$book/en/04_spmv_scalar.html" >"$work/page" && cp "$work/page" "$book/en/04_spmv_scalar.html"
rm "$book/plots/pictures/simt/01_tree.svg"
sed 's|#L-[0-9]*"|#L-99999"|' "$book/en/03_gemv.html" >"$work/page" && cp "$work/page" "$book/en/03_gemv.html"
sed 's|source/02_memcpy_vectorized/chapter.h.html|source/02_memcpy_vectorized/chapter.html|' "$book/en/02_memcpy_vectorized.html" \
    >"$work/page" && cp "$work/page" "$book/en/02_memcpy_vectorized.html"
if look >"$work/said"; then
    echo 'check_book: broken links were not noticed'
    status=1
fi
for what in 'leads nowhere: plots/pictures/simt/01_tree.svg' 'leads nowhere: en/04_spmv_scalar.html#what-is-the-limit' 'leads nowhere: 03_gemv/.*#L-99999' \
    'leads nowhere: 02_memcpy_vectorized/chapter'; do
    grep -q "$what" "$work/said" || { echo "check_book: not noticed: $what"; status=1; }
done
step=07_load_balance/f_sell
${MAKE:-make} --no-print-directory -f docs/book/book.mk BOOK="$book" "$book/source/$step/index.html" || exit 1
if ! grep -q 'href="../../../en/07f_sell.html#v31"' "$book/source/$step/v31_sorted_windows_plan.cu.html" || [ "$(grep -c 'id="v31"' "$book/en/07f_sell.html")" -ne 1 ]; then
    echo 'check_book: the page of f_sell/v31_sorted_windows_plan.cu does not lead to v31'
    status=1
fi

# All pages in one EPUB file, in Chinese, must pass epubcheck.
${MAKE:-make} --no-print-directory -f docs/book/book.mk BOOK="$book" "$book/course-zh.epub" >"$work/log" 2>&1 ||
    { cat "$work/log"; echo 'check_book: make epub fails'; status=1; }
! grep -q 'not checked' "$work/log" || echo '[  SKIPPED ] epubcheck is not installed: the EPUB was not checked'

for chapter in 0?_*; do # the slides of every chapter must have problem, change and result of each step of the short path
    docs/book/slides.py "$chapter" >"$work/slides"
    [ "$(grep -c '^# v.*: result' "$work/slides")" -ge 4 ] || { echo "check_book: make slides N=${chapter%%_*} fails"; status=1; }
done

# The table of contents must name sections, but not links to code and players.
if sed -n '/<nav class="toc"/,/<\/nav>/p' "$book/en/01_reduce.html" | grep '\.cu:[0-9]\|step through it'; then
    echo 'check_book: the contents of a page have links to code or players'
    status=1
fi

# The search in a browser must find a name in the code, Chinese words and a term of the glossary, and report when it finds nothing.
finds() {
    chromium --headless --no-sandbox --disable-gpu --virtual-time-budget=30000 --user-data-dir="$work/browser" --dump-dom \
        "file://$book/$1" 2>"$work/log" | tr '\n' ' ' | grep -o '<ul id="found".*' | sed 's|</ul>.*||' | grep -q "$2" ||
        { echo "check_book: $1 does not find $2"; status=1; }
}
if command -v chromium >/dev/null 2>&1; then
    finds 'en/exercises/README.html?q=gpu_choose' 'href="../../source/07_load_balance/libspmv/gpu/gpu_choice'
    finds 'en/index.html?q=barrier' '^<ul[^>]*><li><a href="../en/glossary.html#[^"]*">barrier · 屏障'
    finds 'zh/index.html?q=%E5%AD%98%E5%82%A8%E4%BD%93' 'href="../zh/'
    finds 'en/index.html?q=xyzzyx' 'Nothing found'
else
    echo '[  SKIPPED ] chromium is not installed: the search was not tried'
fi
exit $status
