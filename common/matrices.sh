#!/bin/sh
# matrices.sh [NAME ...]: the real matrices of chapters 04 to 07 from the SuiteSparse Matrix Collection into build/matrices,
# where the chapters look for them; all of the list, or those named (NAME of the list, or GROUP/NAME of the collection).
#   MATRIX_DIR=FOLDER   another folder, which `make clean` leaves alone; name it when the chapters run, too
#   MATRIX_URL=URL      another place that has them as URL/GROUP/NAME.tar.gz
# What is there already stays; a download that broke off goes on where it stopped.  Before a file counts as there, its archive
# must unpack without an error and its size line must say what the list says.  The matrices are CC-BY 4.0: T. Davis and
# Y. Hu, The University of Florida Sparse Matrix Collection, ACM TOMS 38(1), 2011.
set -eu
cd "$(dirname "$0")/.."
folder=${MATRIX_DIR:-build/matrices}
url=${MATRIX_URL:-https://suitesparse-collection-website.herokuapp.com/MM}

# group/name rows columns
LIST='
Shyy/shyy41 4720 4720
Andrianov/mip1 66463 66463
HB/ash219 219 85
PARSEC/Si41Ge41H72 185639 185639
PARSEC/Ga41As41H72 268096 268096
Williams/webbase-1M 1000005 1000005
Williams/cop20k_A 121192 121192
Williams/cant 62451 62451
Williams/consph 83334 83334
Boeing/pwtk 217918 217918
Hamm/scircuit 170998 170998
Williams/mac_econ_fwd500 206500 206500
Williams/mc2depi 525825 525825
Bova/rma10 46835 46835
Freescale/circuit5M 5558326 5558326
LAW/eu-2005 862664 862664
LAW/in-2004 1382908 1382908
SNAP/web-Google 916428 916428
GHS_psdef/ldoor 952203 952203
Oberwolfach/bone010 986703 986703
Mittelmann/rail4284 4284 1096894
LAW/cnr-2000 325557 325557
HB/bcsstk16 4884 4884
'

case ${1-} in -h | --help) sed -n '2,9s/^# \{0,1\}//p' "$0"; exit 0 ;; esac
command -v curl >/dev/null 2>&1 || { echo "matrices.sh: needs curl (Debian and Ubuntu: apt-get install curl)" >&2; exit 1; }
bar=--progress-bar
[ -t 2 ] || bar='--silent --show-error'

# of NAME: its line of the list; of GROUP/NAME, where it has none, itself
line_of() {
    echo "$LIST" | awk -v name="$1" '$1 == name || $1 ~ "/" && substr($1, index($1, "/") + 1) == name {print; found = 1}
        END {if (!found && name ~ "^[^/]+/[^/]+$") print name}'
}

# size FILE.gz: rows and columns of a Matrix Market file
size() { gzip -dc "$1" 2>/dev/null | awk '!/^%/ && NF {print $1, $2; exit}'; }

# fetch GROUP/NAME ROWS COLUMNS
fetch() {
    name=${1#*/}
    part=$folder/$name.tar.gz.part
    if [ -e "$folder/$name.mtx.gz" ] || [ -e "$folder/$name.mtx" ]; then
        echo "$name: there already"
        return 0
    fi
    echo "$name: $url/$1.tar.gz"
    # shellcheck disable=SC2086 # bar: words
    if ! curl $bar --fail --location --retry 3 --continue-at - --output "$part" "$url/$1.tar.gz"; then
        # All of it may have been there: then there is nothing to go on with, which is an error, too.
        gzip -t "$part" 2>/dev/null || { echo "$name: not fetched; the same command goes on with it" >&2; return 1; }
    fi
    if ! gzip -t "$part" || ! tar -xzOf "$part" "$name/$name.mtx" | gzip -c >"$folder/$name.new"; then
        rm -f "$part" "$folder/$name.new"
        echo "$name: the archive is damaged, or holds no $name/$name.mtx; it was removed, fetch it again" >&2
        return 1
    fi
    found=$(size "$folder/$name.new")
    if [ -z "$found" ] || { [ $# -gt 1 ] && [ "$found" != "$2 $3" ]; }; then
        rm -f "$part" "$folder/$name.new"
        echo "$name: the file says '$found' rows and columns, the list ${2-any} ${3-}: not taken" >&2
        return 1
    fi
    mv "$folder/$name.new" "$folder/$name.mtx.gz"
    rm -f "$part"
}

mkdir -p "$folder"
[ $# -gt 0 ] || eval "set -- $(echo "$LIST" | awk '{print $1}' | tr '\n' ' ')" # words
all=$# failed=0
for name; do
    line=$(line_of "$name")
    if [ -z "$line" ]; then
        echo "$name: not in the list; write GROUP/$name, as https://sparse.tamu.edu names it" >&2
        failed=$((failed + 1))
        continue
    fi
    # shellcheck disable=SC2086 # words
    fetch $line || failed=$((failed + 1))
done
echo "matrices: $((all - failed)) of $all in $folder"
[ $failed -eq 0 ]
