#!/bin/sh
# cpu_mutants.sh BUILD CC LIBS: breaks one thing at a time in the CPU back end, and checks that the test of this thing fails.  The
# unchanged back end must pass.  A line to be changed that no longer exists is a failure, too.
build=$1 cc=$2 libs=$3
here=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=common/workshop/tests/tally.sh
. "$here/../../common/workshop/tests/tally.sh"
flags="-std=c11 -Og -D_GNU_SOURCE -w -I$here -I$here/cpu -I$here/gpu"
plain=
mkdir "$place/src" "$place/good"
cp "$here"/cpu/*.[ch] "$here"/*.[ch] "$place/src/"
# shellcheck disable=SC3045 # dash and bash have it
ulimit -c 0

# program TEST [CHANGED]: links TEST with the library and runs it.  cpu_values.o, cpu_part.o and cpu_engine.o are compiled here; for
# the test of orders, plan_storage.o, plan_reorder.o, order.o and cpu_permute.o.  With CHANGED, only those that include that file
# are compiled; without it all are, and the next calls use them.
program() {
    files="cpu_values cpu_part cpu_engine" kernels=$(echo "$build"/lib/cpu/cpu_kernels_*.o)
    others="$build/lib/plan_storage.o $build/lib/plan_reorder.o $build/lib/order.o $build/lib/cpu/cpu_permute.o"
    if [ "$1" = reorder ]; then
        others="$build/lib/cpu/cpu_values.o $build/lib/cpu/cpu_part.o $build/lib/cpu/cpu_engine.o"
        files="plan_storage plan_reorder order cpu_permute"
    fi
    if [ -n "$plain" ]; then # the kernels in plain C are compiled, too, and only these run
        files="$files cpu_kernels_plain" kernels=$(echo "$build"/lib/cpu/cpu_kernels_avx*.o)
    fi
    objects=
    for file in $files; do
        object=$place/good/$file.o
        # shellcheck disable=SC2086 # one word a flag
        if [ -z "${2-}" ] || $cc $flags -I"$place/src" -MM "$place/src/$file.c" | grep -qF "/src/$2"; then
            [ -z "${2-}" ] || object=$place/$file.o
            $cc $flags -I"$place/src" -c "$place/src/$file.c" -o "$object" || return 99
        fi
        objects="$objects $object"
    done
    # shellcheck disable=SC2086 # one word a library, a file
    c++ -fopenmp -Wl,-S "$build/lib/tests/test_spmv_$1.o" $objects $others "$build"/lib/plan.o "$build"/lib/no_gpu.o "$build"/lib/check.o "$build"/lib/forms.o \
        $kernels "$build"/lib/cpu/cpu_pool.o "$build/libcommon.a" $libs -lcmocka -o "$place/program" || return 99
    # cmocka's variable ends the program at its first failure.
    CMOCKA_TEST_ABORT=1 ${plain:+env SPMV_CPU=plain} timeout 300 "$place/program" >"$place/out" 2>&1
}
accepted() { program "$1"; }
# rejected TEST FILE 'old code' 'new code'
rejected() {
    awk -v from="$3" -v to="$4" '(at = index($0, from)) && !done {$0 = substr($0, 1, at - 1) to substr($0, at + length(from)); done = 1} {print} END {exit !done}' \
        "$here/$2" >"$place/src/${2##*/}" || { echo "no such line in $2: $3" >&2; return 1; }
    program "$1" "${2##*/}"
    status=$?
    cp "$here/$2" "$place/src/${2##*/}"
    [ $status -ne 0 ] && [ $status -ne 99 ]
}
check 'the unchanged library passes the test of values' accepted values
check 'the unchanged library passes the test of products' accepted multiply
check '257 values in codes of 8 bits are noticed' rejected values cpu/cpu_values.c 'MOST_8 = 1 << 8' 'MOST_8 = 1 + (1 << 8)'
check '65537 values in codes of 16 bits are noticed' rejected values cpu/cpu_values.c 'MOST_16 = 1 << 16' 'MOST_16 = 1 + (1 << 16)'
check '-0 that is taken for 0 is noticed' rejected values cpu/cpu_values.c '((const uint64_t *)A->values)[k] :' '(((const uint64_t *)A->values)[k] << 1 ? ((const uint64_t *)A->values)[k] : 0) :'
check 'NaN that is compared by == is noticed' rejected values cpu/cpu_values.c 'if (is_nan(A, k)) table = narrow = false;' ''
check 'padding with the first value instead of 0 is noticed' rejected values cpu/cpu_values.c 'add_value(v, A->value_type, 0), narrow' 'add_value(v, A->value_type, bits_of(A, 0)), narrow'
check 'an fp64 value that is rounded to fp32 is noticed' rejected values narrow.h 'return (double)*narrow == wide;' 'return true;'
check 'an fp32 value that is rounded to fp16 is noticed' rejected values narrow.h 'if (whole & ((1u << drop) - 1)) return false;' ''
check 'a value too large for fp16 is noticed' rejected values narrow.h 'if (exponent > 15 ||' 'if (exponent > 16 ||'
check 'new values in the form of the old ones are noticed' rejected values cpu/cpu_engine.c 'if (other.stored.stored == e->stored.stored)' 'other.stored = e->stored; if (true)'
check 'NaN from a hole of a diagonal is noticed' rejected multiply cpu/cpu_part.c 'if (nonzeros < (int64_t)width * lanes) s.flags |= SLICE_PADDED;' ''
check 'values moved by a hole are noticed' rejected multiply cpu/cpu_part.c 'if (A->col_indices[next] - (int32_t)i == columns[k])' ''
check 'a band stored as runs is noticed' rejected multiply cpu/cpu_part.c 'if (runs && !(slices && is_diagonals(w->A, &b, &s, (int)w->lanes, w->scratch)))' 'if (runs)'
check 'a stretch of slices with different diagonals is noticed' rejected multiply cpu/cpu_part.c 'if (its_diagonals[k] != diagonals[k] + (int32_t)rows) return false;' ';'
check 'a stretch of rows that are not adjacent is noticed' rejected multiply cpu/cpu_part.c 'if (slice->flags & SLICE_NEIGHBOURS && order[0] != first[0] + rows) return false;' ''
check 'a stretch of slices of different width is noticed' rejected multiply cpu/cpu_part.c 'if (stretch->width != slice->width || ((stretch->flags' 'if (((stretch->flags'
check 'a hole behind the first slice of a stretch is noticed' rejected multiply cpu/cpu_part.c 'alike.flags |= slice.flags;' ''
check 'a stretch of too few slices is noticed' rejected multiply cpu/cpu_part.c 'if (alike.count >= LEAST_STRETCH && alike.count % TOGETHER == 0) {' 'if (alike.count >= LEAST_STRETCH + 1 && alike.count % TOGETHER == 1) {'
check 'holes that cost as much in cache as in memory are noticed' rejected multiply cpu/cpu_part.c 'A->nnz * size <= SMALL_BYTES' 'false'
if grep -qw avx512vl /proc/cpuinfo 2>/dev/null; then
    check 'AVX-512 that is kept at any cost is noticed' rejected multiply cpu/cpu_engine.c 'if (sum_of_other < 0.8 * sum) *e = other;' ''
    check 'AVX2 that is chosen at any cost is noticed' rejected multiply cpu/cpu_engine.c 'if (sum_of_other < 0.8 * sum) *e = other;' '*e = other;'
else
    echo '[  SKIPPED ] the choice of AVX-512 or AVX2: this processor has no AVX-512'
fi
check 'the unchanged library passes the test of orders' accepted reorder
check 'y that is put back by the order instead of its inverse is noticed' rejected reorder cpu/cpu_permute.c 'p->y)[p->places[row]]' 'p->y)[p->rows[row]]'
check 'x that is gathered by the inverse order is noticed' rejected reorder cpu/cpu_permute.c '[p->rows[i] * job->apart]' '[p->places[i] * job->apart]'
check 'x that is not gathered is noticed' rejected reorder plan_reorder.c 'cpu_permute_x(plan->cpu, &p, v->x, v->x_apart);' ''
check 'y that is read with beta 0 is noticed' rejected reorder cpu/cpu_permute.c 'job->beta == 0 ? sum :' ''
check 'values that stay in the order of the caller are noticed' rejected reorder order.c 'begin + (int32_t)(uint32_t)keys[k]' 'at'
check 'new values that are not put in order are noticed' rejected reorder plan_storage.c 'if (plan->anew) return place_values(plan, values, stream);' ''
check 'columns that keep their numbers are noticed' rejected reorder order.c '(uint64_t)o->places[f->columns[begin + k]]' '(uint64_t)f->columns[begin + k]'
check 'an inverse that is the order itself is noticed' rejected reorder order.c 'o->places[o->rows[i]] = (int32_t)i' 'o->places[i] = o->rows[i]'
check 'an order that is the original one is noticed' rejected reorder order.c 'w.queue[n - 1 - i]' '(int32_t)i'
check 'an order of the first connected piece only is noticed' rejected reorder order.c 'if (w->seen[row]) continue;' 'if (numbered) continue;'
check 'an order from the pattern of A alone is noticed' rejected reorder order.c 'is_symmetric(f) ? 1 : 2' '1'
plain=yes
check 'the unchanged kernels in plain C pass the test of products' accepted multiply
check 'NaN from padding is noticed' rejected multiply cpu/cpu_kernels_type.h 'any |= v[i] != v[i];' ''
check 'a test for NaN in the first lane only is noticed' rejected multiply cpu/cpu_kernels_type.h 'any |= v[i] != v[i];' 'any |= v[0] != v[0];'
check 'a lost second sum of a slice is noticed' rejected multiply cpu/cpu_kernels_type.h 'sum += other;' ''
check 'a lost last one of an odd number of diagonals is noticed' rejected multiply cpu/cpu_kernels_type.h 'if (k < slice->width)' 'if (false)'
check 'x of the first slices of a stretch of diagonals is noticed' rejected multiply cpu/cpu_kernels_type.h 'x + (size_t)c * LANES : wide' 'x : wide'
check 'values of the first of four slices are noticed in all' rejected multiply cpu/cpu_kernels_type.h 'value + k + t, part->table' 'value + k, part->table'
check 'columns of the first of four slices are noticed in all' rejected multiply cpu/cpu_kernels_type.h 'part->columns16 + column + k + t' 'part->columns16 + column + k'
check 'repeated rows behind a stretch are noticed' rejected multiply cpu/cpu_kernels_type.h 'order += (size_t)slice->count * LANES;' 'order += LANES;'
check "values of a row's first vector in its second are noticed" rejected multiply cpu/cpu_kernels_type.h 'b += FEW_VALUES(k + ROW_LANES) *' 'b += FEW_VALUES(k) *'
check "values of a gathered row's first vector in its second are noticed" rejected multiply cpu/cpu_kernels_type.h 'b += NAME(widen)(values + k + LANES) *' 'b += NAME(widen)(values + k) *'
check 'lost last nonzeros of a gathered row are noticed' rejected multiply cpu/cpu_kernels_type.h 'for (; k < n; ++k) sum += VALUE_AT(k) * X_AT(k);' ''
tally
