#!/bin/bash
# check_matrices.sh: make matrices with archives made here: fetched, used by a chapter, kept; broken off, gone on with; damaged, of
# another size or content, grown too large, not there: refused.
# shellcheck source=common/workshop/tests/tally.sh
. common/workshop/tests/tally.sh
if ! command -v curl >/dev/null 2>&1; then
    echo '[  SKIPPED ] curl is not installed'
    exit 0
fi
export MATRIX_TEST=file MATRIX_DIR=$place/here MATRIX_URL=file://$place/there
mkdir -p "$place/there/HB" "$place/there/Shyy" "$place/there/Made" "$place/ash219" "$place/shyy41" "$place/made" "$place/common/workshop/tools"
# archive GROUP/NAME ROWS COLUMNS [VALUE]: an archive with such a matrix of two entries a row
archive() {
    local name=${1#*/}
    awk -v rows="$2" -v cols="$3" -v v="${4-1}" 'BEGIN {print "%%MatrixMarket matrix coordinate real general\n% made\n" rows, cols, 2 * rows
        for (i = 0; i < 2 * rows; i++) print int(i / 2) + 1, i * 37 % cols + 1, v}' >"$place/$name/$name.mtx"
    tar -C "$place" -czf "$place/there/$1.tar.gz" "$name"
}
# matrices.sh with the digests of archives made here in its list
archive HB/ash219 219 85
cp "$place/there/HB/ash219.tar.gz" "$place/whole"
entries=$(grep -v '^%' "$place/ash219/ash219.mtx" | sha256sum | cut -c1-64)
cp common/workshop/tools/shown.sh "$place/common/workshop/tools/"
sed "s/^\(HB.ash219 .*entries:\).*/\1$entries/" common/workshop/tools/matrices.sh >"$place/common/workshop/tools/matrices.sh"
sed "s/^\(HB.ash219 .*\)entries:.*/\1archive:$(sha256sum <"$place/whole" | cut -c1-64)/" common/workshop/tools/matrices.sh >"$place/common/workshop/tools/by_archive.sh"
chmod +x "$place"/common/workshop/tools/*.sh
matrices() { "$place/common/workshop/tools/matrices.sh" "$@"; }
nothing() { [ -z "$(find "$MATRIX_DIR" -name '*.part' -o -name '*.new')" ]; }

rm "$place/there/HB/ash219.tar.gz"
check 'an incomplete download is reported' ends 1 'download is not complete' matrices ash219
check 'a name that is not in the list is refused' ends 1 'not in the list' matrices ash220
names() {
    # shellcheck disable=SC2016 # nothing of this may be expanded
    for asked in '' - -o '../x' 'HB/..' '/etc' 'HB/ash219/x' 'HB/*' 'H B/x' $'HB/a\nb' 'HB/$(touch it)' '.*'; do
        ends 1 'not in the list' matrices "$asked" && [ ! -e it ] || return 1
    done
}
check 'an invalid name is refused' names
archive HB/ash219 218 85
check 'a matrix of another size is removed' ends 1 'removed' matrices ash219
archive HB/ash219 219 85 2
check 'a matrix with another SHA-256 of its entries is refused' ends 1 'SHA-256 of its entries' matrices ash219
check 'an archive with another SHA-256 is refused' ends 1 "archive's SHA-256" "$place/common/workshop/tools/by_archive.sh" ash219
bomb() { # a few kB that become 200 MB: as comments, or as another file in the archive
    archive HB/ash219 219 85
    { printf '%%%%MatrixMarket matrix coordinate real general\n'; yes % | head -c "$1"; printf '\n'; sed 1d "$place/ash219/ash219.mtx"; } >"$place/bomb"
    mv "$place/bomb" "$place/ash219/ash219.mtx"
    head -c "$2" /dev/zero >"$place/ash219/other"
    tar -C "$place" -czf "$place/there/HB/ash219.tar.gz" ash219
    rm "$place/ash219/other"
    ends 1 'unpacks to more than' matrices HB/ash219 && nothing
}
check 'a matrix with too many comments is refused' bomb 70000000 1
check 'an archive with too much besides the matrix is refused' bomb 1 70000000
unlisted_bomb() {
    printf '%%%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1\n' >"$place/made/made.mtx"
    head -c 100000000 /dev/zero >>"$place/made/made.mtx"
    tar -C "$place" -czf "$place/there/Made/made.tar.gz" made
    ends 1 'unpacks to more than' matrices Made/made && nothing
}
check 'an unlisted matrix that unpacks to too much is refused' unlisted_bomb
cp "$place/whole" "$place/there/HB/ash219.tar.gz"

head -c 700 "$place/whole" >"$MATRIX_DIR/ash219.tar.gz.part"
check 'an interrupted download continues' ends 0 '1 of 1' matrices ash219
check 'no temporary file is left' nothing
check 'a matrix in the folder is not downloaded again' ends 0 'already in the folder' matrices ash219
rm "$MATRIX_DIR/ash219.mtx.gz"
cp "$place/whole" "$MATRIX_DIR/ash219.tar.gz.part"
check 'a download that was complete already is accepted' ends 0 '1 of 1' matrices HB/ash219
rm "$MATRIX_DIR/ash219.mtx.gz"
head -c 700 "$place/whole" >"$place/there/HB/ash219.tar.gz"
check 'a damaged archive is refused' ends 1 'damaged' matrices ash219
cp "$place/whole" "$place/there/HB/ash219.tar.gz"
check 'an archive with the listed SHA-256 is accepted' ends 0 '1 of 1' "$place/common/workshop/tools/by_archive.sh" ash219
rm "$MATRIX_DIR/ash219.mtx.gz"
no_room() {
    (trap '' XFSZ; ulimit -f 0; matrices ash219; echo "exit status $?") 2>&1 </dev/null | cat >"$place/out"
    cat "$place/out"
    grep -q "cannot write" "$place/out" && grep -q 'exit status 74' "$place/out" && nothing
}
check 'a full disk gives status 74 and leaves no temporary file' no_room
check 'a download works after a failed one' ends 0 '1 of 1' matrices ash219

# A file without a digest in the list is trusted at its first download.
archive Shyy/shyy41 4720 4720
check 'the first copy of a matrix without a listed SHA-256 is accepted' ends 0 'this copy is not checked' matrices shyy41
rm "$MATRIX_DIR/shyy41.mtx.gz"
check 'an equal second copy is accepted' ends 0 '1 of 1' matrices shyy41
rm "$MATRIX_DIR/shyy41.mtx.gz"
archive Shyy/shyy41 4720 4720 2
check 'a different second copy is refused' ends 1 'but the first copy had' matrices shyy41

for url in http://localhost ftp://localhost "file://$place/there" localhost '' 'HTTPS://x' '-o x' ' https://x'; do
    [ -z "$url" ] || check "MATRIX_URL=$url is refused" ends 64 'must begin with https://' env MATRIX_TEST= MATRIX_URL="$url" "$place/common/workshop/tools/matrices.sh" ash219
done
odd_folder() { # relative ones are in the course
    for folder in -x 'a b' $'a\nb' '*' "it's" "\$(touch it)"; do
        MATRIX_DIR=$folder ends 0 '1 of 1' matrices ash219 && [ -e "$place/$folder/ash219.mtx.gz" ] && [ ! -e it ] && [ ! -e "$place/it" ] || return 1
    done
}
check 'MATRIX_DIR may have any name' odd_folder

chapter() {
    build/simt/bin/05_spmv_vector --experiment 2 --only c1 --dtype fp32 --reps 1 >"$place/out" 2>&1 || { cat "$place/out"; return 1; }
    grep -q '^ash219: 219 x 85' "$place/out" && grep -q '^like:shyy41: ' "$place/out"
}
check 'a chapter uses the real matrix in the folder' chapter
tally
