/* cgroup.c - see cgroup.h */
#include "cgroup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char NAME[] = "grade.";

/* ---- small files -------------------------------------------------------------------------------- */

static int write_number(const char *folder, const char *file, unsigned long long number)
{
    char path[CGROUP_PATH + 64], text[32];
    snprintf(path, sizeof path, "%s/%s", folder, file);
    const int fd = open(path, O_WRONLY | O_CLOEXEC), n = snprintf(text, sizeof text, "%llu", number);
    const int failed = fd < 0 || write(fd, text, (size_t)n) != n ? -1 : 0;
    if (fd >= 0) close(fd);
    return failed;
}

/* The number after `word` at the beginning of a line; 0 if there is none. */
static unsigned long long read_number(const char *folder, const char *file, const char *word)
{
    char path[CGROUP_PATH + 64], line[256];
    unsigned long long number = 0;
    snprintf(path, sizeof path, "%s/%s", folder, file);
    FILE *f = fopen(path, "re");
    while (f && fgets(line, sizeof line, f))
        if (!strncmp(line, word, strlen(word)) && line[strlen(word)] == ' ')
            number = strtoull(line + strlen(word), NULL, 10);
    if (f) fclose(f);
    return number;
}

/* Whether the word is in the list, between separators. */
static bool has_word(const char *list, const char *word, const char *separators)
{
    for (size_t n; *list; list += n + (list[n] != 0)) {
        n = strcspn(list, separators);
        if (n == strlen(word) && !strncmp(list, word, n)) return true;
    }
    return false;
}

/* ---- the group of this process --------------------------------------------------------------------- */

/* Finds the mount point of the controller's tree ("" for version 2), and the part of the tree that is visible there. */
static int find_mount(const char *controller, char *mount, char *root)
{
    char line[4096], type[32], options[512];
    int found = 0;
    FILE *f = fopen("/proc/self/mountinfo", "re");
    while (f && !found && fgets(line, sizeof line, f)) {
        const char *dash = strstr(line, " - ");
        if (!dash || sscanf(line, "%*s %*s %*s %511s %511s", root, mount) != 2 ||
            sscanf(dash, " - %31s %*s %511s", type, options) != 2)
            continue;
        found = *controller ? !strcmp(type, "cgroup") && has_word(options, controller, ",") : !strcmp(type, "cgroup2");
    }
    if (f) fclose(f);
    return found ? 0 : -1;
}

/* The folder of this process in the controller's tree; `top`: the length of the mount point. */
static int find_own(const char *controller, char *folder, size_t *top)
{
    char line[1024], mount[CGROUP_PATH], root[CGROUP_PATH];
    int found = 0;
    if (find_mount(controller, mount, root)) return -1;
    const size_t hidden = strcmp(root, "/") ? strlen(root) : 0;
    FILE *f = fopen("/proc/self/cgroup", "re");
    while (f && !found && fgets(line, sizeof line, f)) { /* a line is 8:cpu,memory:/path; for version 2, 0::/path */
        line[strcspn(line, "\n")] = 0;
        char *names = strchr(line, ':'), *path = names ? strchr(names + 1, ':') : NULL;
        if (!path) continue;
        *path++ = 0;
        if (*controller ? !has_word(names + 1, controller, ",") : names[1] != 0) continue;
        if (strstr(path, "..") || (hidden && strncmp(path, root, hidden))) break;
        const int n = snprintf(folder, CGROUP_PATH, "%s%s", mount, strcmp(path + hidden, "/") ? path + hidden : "");
        found = n < CGROUP_PATH;
    }
    if (f) fclose(f);
    *top = strlen(mount);
    return found ? 0 : -1;
}

/* ---- a group ------------------------------------------------------------------------------------ */

/* Kills its processes.  Bubblewrap dies with the grader, except at its start before it has requested that. */
static void empty(int folder)
{
    const int fd = openat(folder, "cgroup.procs", O_RDONLY | O_CLOEXEC);
    FILE *f = fd >= 0 ? fdopen(fd, "r") : NULL;
    for (long pid; f && fscanf(f, "%ld", &pid) == 1;)
        if (pid > 0) kill((pid_t)pid, SIGKILL); /* 0: a process of another namespace */
    if (f) fclose(f);
}

/* Removes groups whose owner has ended. */
static void sweep(const char *folder)
{
    DIR *d = opendir(folder);
    for (struct dirent *e; d && (e = readdir(d));) {
        if (strncmp(e->d_name, NAME, strlen(NAME))) continue;
        const int fd = openat(dirfd(d), e->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0)
            for (int i = 0; i < 100 && unlinkat(dirfd(d), e->d_name, AT_REMOVEDIR) && errno == EBUSY; ++i) {
                empty(fd);
                poll(NULL, 0, 1); /* waits until the processes have ended */
            }
        if (fd >= 0) close(fd);
    }
    if (d) closedir(d);
}

static void drop(cgroup_part_t *p)
{
    if (!*p->folder) return;
    rmdir(p->folder);
    close(p->lock);
    *p = (cgroup_part_t){.lock = -1};
}

/* Makes a new group under `folder`. */
static int make(cgroup_part_t *p, const char *folder)
{
    struct stat status;
    sweep(folder);
    if (snprintf(p->folder, sizeof p->folder, "%s/%sXXXXXX", folder, NAME) >= (int)sizeof p->folder ||
        !mkdtemp(p->folder)) {
        *p = (cgroup_part_t){.lock = -1};
        return -1;
    }
    p->lock = open(p->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    /* If another grader removed it between the two lines above, there is no group. */
    if (p->lock >= 0 && flock(p->lock, LOCK_EX) == 0 && stat(p->folder, &status) == 0) return 0;
    drop(p);
    return -1;
}

static void limit_memory(cgroup_part_t *p, unsigned memory_mb)
{
    const unsigned long long bytes = (unsigned long long)memory_mb << 20;
    if (write_number(p->folder, p->v2 ? "memory.max" : "memory.limit_in_bytes", bytes)) {
        drop(p);
        return;
    }
    /* If swap is counted, limit it, too. */
    write_number(p->folder, p->v2 ? "memory.swap.max" : "memory.memsw.limit_in_bytes", p->v2 ? 0 : bytes);
    if (p->v2) write_number(p->folder, "memory.oom.group", 1);
}

/* Version 2: makes the group below the nearest ancestor that delegates both controllers.  Only a group without
 * processes, or the root, can delegate, so our own group cannot. */
static void open_v2(cgroup_t *g, unsigned memory_mb, unsigned tasks)
{
    char folder[CGROUP_PATH], path[CGROUP_PATH + 32], line[256];
    size_t top;
    if (find_own("", folder, &top)) return;
    for (;;) {
        snprintf(path, sizeof path, "%s/cgroup.subtree_control", folder);
        FILE *f = fopen(path, "re");
        const bool both = f && fgets(line, sizeof line, f) && has_word(line, "memory", " \n") &&
                          has_word(line, "pids", " \n");
        if (f) fclose(f);
        if (both && make(&g->memory, folder) == 0) break;
        char *slash = strrchr(folder, '/');
        if (strlen(folder) <= top || !slash) return;
        *slash = 0;
    }
    g->memory.v2 = true;
    if (write_number(g->memory.folder, "pids.max", tasks)) drop(&g->memory);
    else limit_memory(&g->memory, memory_mb);
}

void cgroup_open(cgroup_t *g, unsigned memory_mb, unsigned tasks)
{
    char folder[CGROUP_PATH];
    size_t top;
    *g = (cgroup_t){.memory = {.lock = -1}, .tasks = {.lock = -1}};
    if (!memory_mb) return;
    if (find_own("memory", folder, &top) == 0 && make(&g->memory, folder) == 0) limit_memory(&g->memory, memory_mb);
    if (find_own("pids", folder, &top) == 0 && make(&g->tasks, folder) == 0 &&
        write_number(g->tasks.folder, "pids.max", tasks))
        drop(&g->tasks);
    if (!*g->memory.folder && !*g->tasks.folder) open_v2(g, memory_mb, tasks);
}

void cgroup_join(const cgroup_t *g)
{
    if (*g->memory.folder) write_number(g->memory.folder, "cgroup.procs", 0); /* 0: this process */
    if (*g->tasks.folder) write_number(g->tasks.folder, "cgroup.procs", 0);
}

bool cgroup_too_many(const cgroup_t *g)
{
    const char *folder = g->memory.v2 ? g->memory.folder : g->tasks.folder;
    return *folder && read_number(folder, "pids.events", "max") > 0;
}

bool cgroup_too_much(const cgroup_t *g)
{
    const cgroup_part_t *p = &g->memory;
    return *p->folder && read_number(p->folder, p->v2 ? "memory.events" : "memory.oom_control", "oom_kill") > 0;
}

void cgroup_close(cgroup_t *g)
{
    drop(&g->memory);
    drop(&g->tasks);
}
