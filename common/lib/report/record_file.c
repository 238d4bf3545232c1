/* record_file.c - writes a file completely or not at all: see report_impl.h */
#include <errno.h>
#include <libgen.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report_impl.h"

/* Waits until the file is on the disk, if the file system supports that. */
static int flush_to_disk(int fd)
{
    return fsync(fd) && errno != EINVAL && errno != ENOTSUP ? -1 : 0;
}

/* Writes a new file to the disk.  -1 and errno. */
static int write_file(const char *path, const char *bytes, size_t n)
{
    unlink(path);
    FILE *file = fopen(path, "wxe"); /* x: fail if the name exists, perhaps as a link to another file */
    if (!file) return -1;
    int failed = fwrite(bytes, 1, n, file) < n || fflush(file) || flush_to_disk(fileno(file)) ? errno : 0;
    if (fclose(file) && !failed) failed = errno;
    errno = failed;
    return failed ? -1 : 0;
}

static int cannot_write(const char *path, err_t *err)
{
    return err_set(err, "cannot write %s: %s", path, strerror(errno));
}

int record_file_save(const record_file_t *f, const char *bytes, size_t n, err_t *err)
{
    if (write_file(f->temporary, bytes, n) == 0 && rename(f->temporary, f->path) == 0 &&
        (!f->folder || flush_to_disk(dirfd(f->folder)) == 0))
        return 0;
    cannot_write(f->path, err);
    unlink(f->temporary);
    return -1;
}

/* Creates the folders before the last slash, as mkdir -p does. */
static int make_folders(char *path)
{
    for (char *slash = path + strspn(path, "/"); (slash = strchr(slash, '/')); ++slash) {
        *slash = '\0';
        const int failed = mkdir(path, 0777) && errno != EEXIST;
        *slash = '/';
        if (failed) return -1;
    }
    return 0;
}

/* Removes the files NAME.PID.tmp of processes that have ended. */
static void remove_leftovers(const record_file_t *f)
{
    const char *slash = strrchr(f->path, '/'), *name = slash ? slash + 1 : f->path;
    const size_t length = strlen(name);
    for (struct dirent *entry; f->folder && (entry = readdir(f->folder));) {
        char *end;
        if (strncmp(entry->d_name, name, length) || entry->d_name[length] != '.') continue;
        const long pid = strtol(entry->d_name + length + 1, &end, 10);
        if (pid > 0 && strcmp(end, ".tmp") == 0 && kill((pid_t)pid, 0) && errno == ESRCH)
            unlinkat(dirfd(f->folder), entry->d_name, 0);
    }
}

int record_file_open(record_file_t *f, const char *path, err_t *err)
{
    struct stat status;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
        return err_set(err, "cannot write %s: it exists and is not a file", path);
    if (!realpath(path, f->path)) { /* the target of a link, or a new file */
        if (errno != ENOENT) return cannot_write(path, err);
        snprintf(f->path, sizeof f->path, "%s", path);
    }
    if (make_folders(f->path)) return cannot_write(path, err);
    strcpy(f->temporary, f->path);
    f->folder = opendir(dirname(f->temporary));
    snprintf(f->temporary, sizeof f->temporary, "%s.%ld.tmp", f->path, (long)getpid());
    if (write_file(f->temporary, "", 0)) return cannot_write(path, err);
    unlink(f->temporary);
    remove_leftovers(f);
    return 0;
}
