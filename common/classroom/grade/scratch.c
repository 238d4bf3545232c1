/* scratch.c - see scratch.h */
#include "scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char NAME[] = "grade.", LOCK[] = ".locked-by-grade", WORK[] = "work";

enum { ATTEMPTS = 100 };

/* Opens a folder in another one, but does not follow links. */
static int open_folder(int place, const char *name)
{
    return openat(place, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* Uses descriptors, not paths: replacing a folder by a link meanwhile has no effect. */
static void remove_tree(int place, const char *name)
{
    const int fd = open_folder(place, name);
    DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
    if (fd >= 0 && !d) close(fd);
    for (struct dirent *e; d && (e = readdir(d));) {
        if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, "..")) continue;
        if (unlinkat(dirfd(d), e->d_name, 0)) remove_tree(dirfd(d), e->d_name);
    }
    if (d) closedir(d);
    unlinkat(place, name, AT_REMOVEDIR);
}

/* Removes the lock last: if the grader is killed before, the next one recognises the folder. */
static void remove_scratch(int place, const char *name)
{
    const int folder = open_folder(place, name);
    if (folder < 0) return;
    remove_tree(folder, WORK);
    unlinkat(folder, LOCK, 0);
    close(folder);
    unlinkat(place, name, AT_REMOVEDIR); /* fails, as it should, if there are other files: then it was not ours */
}

/* Removes the folder if it is ours and its lock is free. */
static void sweep_one(int place, const char *name)
{
    struct stat status;
    const int folder = open_folder(place, name);
    if (folder < 0) return;
    if (fstat(folder, &status) == 0 && status.st_uid == geteuid()) {
        const int lock = openat(folder, LOCK, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        if (lock < 0 && errno == ENOENT) unlinkat(place, name, AT_REMOVEDIR); /* empty: its grader was killed */
        else if (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0) remove_scratch(place, name);
        if (lock >= 0) close(lock);
    }
    close(folder);
}

static void sweep(const char *place)
{
    DIR *d = opendir(place);
    for (struct dirent *e; d && (e = readdir(d));)
        if (!strncmp(e->d_name, NAME, strlen(NAME))) sweep_one(dirfd(d), e->d_name);
    if (d) closedir(d);
}

/* Another grader may remove the folder until its lock is held; then returns 1: try again. */
static int lock_folder(const char *folder, int *lock)
{
    struct stat status;
    const int fd = open_folder(AT_FDCWD, folder);
    *lock = fd >= 0 ? openat(fd, LOCK, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600) : -1;
    const int lost = fd < 0 || *lock < 0 ? errno == ENOENT
                                         : flock(*lock, LOCK_EX) || fstat(*lock, &status) || !status.st_nlink;
    if (fd >= 0) close(fd);
    if (lost && *lock >= 0) close(*lock);
    return lost ? 1 : *lock < 0 ? -1 : 0;
}

int scratch_make(char *path, size_t size, uid_t user, err_t *err)
{
    int lock = -1, failed = 1;
    const char *asked = getenv("TMPDIR");
    if (!asked || !*asked) asked = "/tmp";
    char *const place = realpath(asked, NULL);
    *path = 0;
    if (!place || strlen(place) + 32 > size) {
        err_set(err, "no scratch folder under %s: %s", asked, place ? "its name is too long" : strerror(errno));
        free(place);
        return -1;
    }
    sweep(place);
    for (int attempt = 0; attempt < ATTEMPTS && failed == 1; ++attempt) {
        snprintf(path, size, "%s/%sXXXXXX", place, NAME);
        failed = mkdtemp(path) ? lock_folder(path, &lock) : -1;
    }
    if (failed) {
        err_set(err, "no scratch folder under %s: %s", place, strerror(errno));
        if (failed < 0) rmdir(path);
        *path = 0;
        free(place);
        return -1;
    }
    free(place);
    const size_t n = strlen(path);
    failed = chmod(path, 0711);
    snprintf(path + n, size - n, "/%s", WORK);
    if (!failed) failed = mkdir(path, 0755) || chmod(path, 0755);
    if (!failed && geteuid() == 0) failed = chown(path, user, (gid_t)user);
    if (!failed) return lock;
    err_set(err, "%s: %s", path, strerror(errno));
    scratch_remove(path, lock);
    *path = 0;
    return -1;
}

void scratch_remove(const char *path, int lock)
{
    char *const folder = strdup(path), *name = NULL;
    for (int i = 0; folder && i < 2; ++i) { /* PLACE/grade.XXXXXX/work */
        name = strrchr(folder, '/');
        if (name) *name++ = 0;
    }
    const int place = name ? open_folder(AT_FDCWD, *folder ? folder : "/") : -1;
    if (place >= 0) {
        remove_scratch(place, name);
        close(place);
    }
    free(folder);
    close(lock);
}
