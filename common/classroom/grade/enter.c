/*
 * enter.c - `enter USER PROCESSES PROGRAM ARGUMENT...`: the first program in a sandbox (sandbox.c).
 *
 * Changes from root to USER without any rights (0: it is not root), limits the user's processes, and becomes PROGRAM.
 * The limit is set inside the sandbox, where only its processes count.
 */
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

/* Not even a program that belongs to root gives rights back. */
static int give_up_rights(uid_t user)
{
    for (unsigned long right = 0; prctl(PR_CAPBSET_READ, right, 0, 0, 0) >= 0; ++right)
        if (prctl(PR_CAPBSET_DROP, right, 0, 0, 0)) return -1;
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || setgroups(0, NULL) || setresgid(user, user, user) ||
           setresuid(user, user, user);
}

int main(int argc, char **argv)
{
    if (argc < 4) return 64;
    const uid_t user = (uid_t)strtoul(argv[1], NULL, 10);
    const rlim_t processes = strtoul(argv[2], NULL, 10);
    if ((user && give_up_rights(user)) || setrlimit(RLIMIT_NPROC, &(struct rlimit){processes, processes})) {
        perror("enter");
        return 126;
    }
    /* Every run gets the same addresses, so that a submission cannot use them as random numbers.  The change of the
     * user would undo it.  Some containers do not allow it. */
    personality(ADDR_NO_RANDOMIZE);
    execv(argv[3], argv + 3);
    perror(argv[3]);
    return 127;
}
