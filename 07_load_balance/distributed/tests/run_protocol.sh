#!/bin/sh
# run_protocol.sh: runs protocol.h between threads, plain and under the thread sanitizer; then mutants of it, each of which must be
# noticed by a race, a wrong entry, or a wait that ends by its time limit.
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=common/workshop/tests/tally.sh
. "$here/../../../common/workshop/tests/tally.sh"
# The sanitizer needs the same addresses in every run.
calm=
setarch -R true 2>/dev/null && calm='setarch -R'
build() { # PROGRAM FOLDER-OF-HEADERS FLAGS...
    program=$1 headers=$2
    shift 2
    ${CC:-cc} -std=c11 -D_GNU_SOURCE -O2 -g -Wall -Wextra -Wpedantic -Werror "$@" -I"$headers" "$here/protocol_threads.c" -pthread -o "$program"
}
# shellcheck disable=SC2086 # words or none
seen() { TSAN_OPTIONS=halt_on_error=1 timeout 60 $calm "$@"; }

check "protocol_threads builds" build "$place/plain" "$here/.."
check "protocol_threads builds with the thread sanitizer" build "$place/tsan" "$here/.." -fsanitize=thread
for program in plain tsan; do
    for ranks in 1 2 3 4 7; do
        check "$program: $ranks ranks exchange with flags" seen "$place/$program" "$ranks" flags 8 1 800
        check "$program: $ranks ranks exchange with a flag per piece" seen "$place/$program" "$ranks" flags 4 3 400
        check "$program: $ranks ranks exchange words" seen "$place/$program" "$ranks" words 8 1 800
        check "$program: $ranks ranks exchange words of fp32" seen "$place/$program" "$ranks" words 4 2 400
        check "$program: $ranks ranks add up numbers" seen "$place/$program" "$ranks" sums 8 1 800
    done
    check "$program: a silent rank is named with flags" ends 0 "rank 1 waited for rank 2 in vain" seen "$place/$program" 4 flags 8 2 100 2
    check "$program: a silent rank is named in a sum" ends 0 "rank 2 waited for rank 1 in vain" seen "$place/$program" 4 sums 8 1 100 1
    check "$program: a silent rank is named with words" ends 0 "rank 2 waited for rank 0 in vain" seen "$place/$program" 3 words 8 1 100 0
done

# The mutant must differ from the protocol, build, and fail.  Some wait for ever, on both cores: after half a second they have failed.
caught() { # SED ARGS-OF-PROGRAM...
    script=$1
    shift
    rm -rf "$place/mutant"
    mkdir "$place/mutant"
    cp "$here/../protocol.h" "$here/../memory_order.h" "$place/mutant"
    sed -i "$script" "$place/mutant/protocol.h" "$place/mutant/memory_order.h"
    cat "$here/../protocol.h" "$here/../memory_order.h" >"$place/both"
    ! cat "$place/mutant/protocol.h" "$place/mutant/memory_order.h" | cmp -s - "$place/both" ||
        { echo "the mutant is the protocol: $script"; return 1; }
    build "$place/mutant/run" "$place/mutant" -fsanitize=thread -Wno-unused -DPATIENCE_NS=500000000u || return 1
    ! seen "$place/mutant/run" "$@" >"$place/mutant/said" 2>&1 || { echo "the mutant passed"; return 1; }
    grep -q 'data race\|wrong entry\|wrong sum\|in vain' "$place/mutant/said" || { cat "$place/mutant/said"; return 1; }
}
count='l.count'
check "a flag that is set before the data is noticed" caught '/^    put_entries(p/{h;d};/^    if (thread == 0) memory_signal/{G}' 3 flags 8 1 800
check "a protocol with one half is noticed with flags" caught 's/epoch % 2/0 * epoch/' 3 flags 8 1 800
check "a protocol with one half is noticed with words" caught 's/epoch % 2/0 * epoch/' 3 words 8 1 2000
check "a missing flag of an empty message is noticed" caught "s/^    if (thread == 0) memory_signal/    if ($count) memory_signal/" 3 flags 8 1 800
check "an empty message that is not waited for is noticed" caught "s/^    if (thread == 0) memory_signal/    if ($count) memory_signal/
    s/while (!reached/while (p->mail[from].count \&\& !reached/" 3 flags 8 1 800
check "a missing word of an empty message is noticed" caught 's/if (l->count == 0 .*/;/;s/if (m->count == 0 .*/;/' 3 words 8 1 4000
check "a flag of the previous epoch is noticed" caught 's/while (!reached(memory_see(&p->mail\[from\].flags\[i % p->pieces\]), epoch/& - 1/' 3 flags 8 1 800
check "a word of two epochs before is noticed" caught 's/>> 32) != epoch)/>> 32) != epoch \&\& (uint32_t)(word >> 32) != epoch - 2)/' 3 words 8 1 800
# Another thread runs before each store, so stores without an order come late.
late='s/__atomic_store_n(/sched_yield(), &/'
check "an unread second half of an entry is noticed" caught "$late"'
    s/= wait_for_word(at + 1, .*/= (uint32_t)memory_get_word(at + 1);/' 3 words 8 1 800
check "a flag without release is noticed" caught 's/__ATOMIC_RELEASE/__ATOMIC_RELAXED/' 3 flags 8 1 800
check "a flag without acquire is noticed" caught 's/__ATOMIC_ACQUIRE/__ATOMIC_RELAXED/' 3 flags 8 1 800
check "a halo that is not waited for is noticed" caught 's/const int who = wait_for_flags.*/const int who = 0;/' 3 flags 8 1 800
check "one flag for all pieces is noticed" caught "$late;"'s/flags\[piece\]/flags[0]/;s/flags\[i % p->pieces\]/flags[0]/' 3 flags 8 3 800
check "a wait for the last piece only is noticed" caught "$late;"'/^DIST_FN int wait_for_flags/,/^}/s/= thread; \(.*\); i/= thread + p->pieces - 1; \1; i += p->pieces - 1, i/' 3 flags 8 3 800
check "a protocol with one half is noticed in sums" caught '/^DIST_FN int protocol_sum/,/^}/s/epoch % 2/0 * epoch/' 3 sums 8 1 4000
check "a word of two epochs before is noticed in sums" caught 's/>> 32) != epoch)/>> 32) != epoch \&\& (uint32_t)(word >> 32) != epoch - 2)/' 3 sums 8 1 800
check "an order of sums that differs between ranks is noticed" caught 's/for (int k = 0; k < p->ranks; ++k) sum += k == p->rank/for (int j = 0, k = p->rank; j < p->ranks; ++j, k = (k + 1) % p->ranks) sum += k == p->rank/' 3 sums 8 1 800
check "a rank that is left out of a sum is noticed" caught 's/sum += k == p->rank ? values\[c\]/sum += k == p->rank ? 0/' 3 sums 8 1 800
check "a wrong rank in the report is noticed" caught 's/return 1 + from/return 1 + i/' 4 flags 8 1 100 2
check "a word at the position of another entry is noticed" caught 's/\[i\], word_of/[0], word_of/' 3 words 4 1 800

tally
