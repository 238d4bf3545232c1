#!/bin/sh
# matrices.sh [NAME ...]: downloads the real matrices of chapters 04 to 07 from the SuiteSparse Matrix Collection to build/matrices,
# where the chapters find them: the entire list, or the named ones (NAME of the list, or GROUP/NAME of the collection).
#   MATRIX_DIR=FOLDER   uses another folder, which `make clean` keeps; set it when the chapters run, too
#   MATRIX_URL=URL      uses another server with URL/GROUP/NAME.tar.gz; https only
# Existing files stay; an interrupted download continues.  A file is accepted only if its archive unpacks without an error to at
# most the size of such a matrix, its size line agrees with the list, and its SHA-256 is the one in the list.  If the list has none,
# the SHA-256 of the first file is stored in FOLDER/matrices.sha256, and later files must have the same.  Exit status: 0 all are
# there, 1 some are not, 64 a bad option, 74 no room on the disk.
# The matrices are CC-BY 4.0: T. Davis and Y. Hu, The University of Florida Sparse Matrix Collection, ACM TOMS 38(1), 2011.
set -euf
cd "$(dirname "$0")/../../.."
# shellcheck source=common/workshop/tools/shown.sh
. common/workshop/tools/shown.sh
folder=${MATRIX_DIR:-build/matrices}
case $folder in -*) folder=./$folder ;; esac
url=${MATRIX_URL:-https://suitesparse-collection-website.herokuapp.com/MM}

# group/name rows columns nonzeros SHA-256.  archive: of the .tar.gz, from Spack's package rocsparse; entries: of the .mtx without
# comments and carriage returns, from a copy of ours.
LIST='
Shyy/shyy41 4720 4720 20042 -
Andrianov/mip1 66463 66463 10352819 -
HB/ash219 219 85 438 entries:a6393f6d1374b8778d3c175424acb076607dd7f59a193fbca27e0ee493406a53
PARSEC/Si41Ge41H72 185639 185639 15011265 -
PARSEC/Ga41As41H72 268096 268096 18488476 -
Williams/webbase-1M 1000005 1000005 3105536 archive:17a0391cdd966350b2b41f32aaf8e6684f3c55f25eb68c4be088f44f728a3ed4
Williams/cop20k_A 121192 121192 2624331 -
Williams/cant 62451 62451 4007383 -
Williams/consph 83334 83334 6010480 -
Boeing/pwtk 217918 217918 11524432 -
Hamm/scircuit 170998 170998 958936 archive:227d4c98e51c8af49c07f89929c62f2523e115e81b672e7f306185ea92c2996f
Williams/mac_econ_fwd500 206500 206500 1273389 archive:0dec2952b2908e3d59e4179289245db7f2c84f9e5e6543e818491deed5978f82
Williams/mc2depi 525825 525825 2100225 archive:c02fef86efdd4f4322487e7472697a3d30b084ede1021e6d6889b347d3f6b268
Bova/rma10 46835 46835 2329092 archive:50db8d278d371531b3dd0638444d47a77f3a3e189663993a857861dbc34c5e3f
Freescale/circuit5M 5558326 5558326 59524291 -
LAW/eu-2005 862664 862664 19235140 -
LAW/in-2004 1382908 1382908 16917053 -
SNAP/web-Google 916428 916428 5105039 -
GHS_psdef/ldoor 952203 952203 42493817 -
Oberwolfach/bone010 986703 986703 47851783 -
Mittelmann/rail4284 4284 1096894 11284032 -
LAW/cnr-2000 325557 325557 3216152 -
HB/bcsstk16 4884 4884 290378 entries:939af5b8db798e465c09d374179c37e2f35f9835b07e01d51dc7602ec1a14eee
'

case ${1-} in -h | --help) sed -n '2,11s/^# \{0,1\}//p' "$0"; exit 0 ;; esac
command -v curl >/dev/null 2>&1 || { echo "matrices.sh: needs curl (Debian and Ubuntu: apt-get install curl)" >&2; exit 1; }
protocol='=https'
[ "${MATRIX_TEST-}" != file ] || protocol='=file' # for check_matrices.sh, which has no server
case $protocol$url in =httpshttps://* | =filefile://*) ;; *) echo "MATRIX_URL: $(shown "$url") must begin with https://" >&2; exit 64 ;; esac
bar=--progress-bar
[ -t 2 ] || bar='--silent --show-error'

# NAME: prints its line of the list; GROUP/NAME that is not in the list: prints itself; an invalid name: prints nothing
line_of() {
    case $1 in *[!A-Za-z0-9_.+/-]* | -* | .* | */.* | */-* | */) return 0 ;; esac
    echo "$LIST" | awk -v name="$1" '$1 == name || $1 ~ "/" && substr($1, index($1, "/") + 1) == name {print; found = 1}
        END {if (!found && name ~ "^[^/]+/[^/]+$") print name}'
}

# size FILE.gz: prints rows and columns of a Matrix Market file
size() { gzip -dc "$1" 2>/dev/null | awk '!/^%/ && NF {print $1, $2; exit}'; }
entries() { gzip -dc "$1" | LC_ALL=C grep -av '^%' | tr -d '\r' | sha256sum | cut -c1-64; }

# no WHY: prints the reason and removes the files
no() {
    echo "$name: $1" >&2
    rm -f "$part" "$new"
    return 1
}

# fetch GROUP/NAME [ROWS COLUMNS NONZEROS DIGEST]
fetch() {
    name=${1#*/}
    part=$folder/$name.tar.gz.part new=$folder/$name.new known=$folder/matrices.sha256
    if [ -e "$folder/$name.mtx.gz" ] || [ -e "$folder/$name.mtx" ]; then
        echo "$name: already in the folder"
        return 0
    fi
    echo "$name: $(shown "$url")/$1.tar.gz"
    # An entry takes at most 100 bytes, and an archive may contain a little besides the matrix.
    most=$((100 * ${4-1000000000} + 67108864))
    # -q: ignores ~/.curlrc.
    # shellcheck disable=SC2086 # bar: words
    curl -q $bar --proto "$protocol" --proto-redir =https --max-filesize $most --fail --location --retry 3 \
        --continue-at - --output "$part" "$url/$1.tar.gz"
    case $? in
    0) ;;
    23) no "cannot write $(shown "$part")" || exit 74 ;;
    # If the file was complete already, curl has nothing to download and reports an error.
    *) gzip -t "$part" 2>/dev/null || { echo "$name: the download is not complete; the same command continues it" >&2; return 1; } ;;
    esac
    # Without a known number of entries, the size limit is that of the reader (mtx_text.c).
    [ $# -gt 1 ] || most=$((200 * $(wc -c <"$part") + 67108864))
    unpacked=$(gzip -dc "$part" 2>/dev/null | head -c $((most + 1)) | wc -c)
    [ "$unpacked" -le "$most" ] || { no "the archive unpacks to more than $most bytes, more than this matrix needs: removed"; return 1; }
    gzip -t "$part" 2>/dev/null || { no "the archive is damaged; it was removed, fetch it again"; return 1; }
    digest=$(sha256sum <"$part" | cut -c1-64)
    case ${5-} in
    archive:*) [ "archive:$digest" = "$5" ] || { no "the archive's SHA-256 is $digest, but the list has ${5#*:}: removed"; return 1; } ;;
    esac
    if ! tar -xzOf "$part" "$name/$name.mtx" 2>/dev/null | gzip -c >"$new"; then
        no "cannot write $(shown "$new")" || exit 74
    fi
    found=$(size "$new")
    [ -n "$found" ] || { no "the archive holds no $name/$name.mtx; it was removed"; return 1; }
    [ $# -eq 1 ] || [ "$found" = "$2 $3" ] || { no "the file says '$(shown "$found")' rows and columns, but the list '$2 $3': removed"; return 1; }
    digest=$(entries "$new")
    case ${5-} in
    entries:*) [ "entries:$digest" = "$5" ] || { no "the SHA-256 of its entries is $digest, but the list has ${5#*:}: removed"; return 1; } ;;
    archive:*) ;;
    *)
        first=$(awk -v of="$1" '$2 == of {print $1; exit}' "$known" 2>/dev/null || :)
        if [ -z "$first" ]; then
            echo "$digest $1" >>"$known" || exit 74
            echo "$name: the list has no digest of it, so this copy is not checked; later copies must equal it ($(shown "$known"))"
        elif [ "$first" != "$digest" ]; then
            no "the SHA-256 of its entries is $digest, but the first copy had $first ($(shown "$known")): removed"
            return 1
        fi
        ;;
    esac
    mv "$new" "$folder/$name.mtx.gz"
    rm -f "$part"
}

mkdir -p "$folder" || exit 74
# shellcheck disable=SC2046 # words
[ $# -gt 0 ] || set -- $(echo "$LIST" | awk '{print $1}')
all=$# failed=0
for asked; do
    line=$(line_of "$asked")
    if [ -z "$line" ]; then
        echo "$(shown "$asked"): not in the list: give GROUP/NAME as on https://sparse.tamu.edu" >&2
        failed=$((failed + 1))
        continue
    fi
    # shellcheck disable=SC2086 # words
    fetch $line || failed=$((failed + 1))
done
echo "matrices: $((all - failed)) of $all in $(shown "$folder")"
[ $failed -eq 0 ]
