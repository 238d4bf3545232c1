/* naps.c - preloaded before MPI (LD_PRELOAD).  A rank that waits calls sched_yield() in a loop; here this call sleeps
 * for 20 us, so a rank that waits takes no processor time from those that work.
 */
#include <sched.h>
#include <time.h>

int sched_yield(void) { return nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL); }
