/*
 * Preloaded, makes a process's disk one that has what it was asked to sync and nothing else. LAMBDAFS_DISK_OF names the directory that is
 * watched, LAMBDAFS_DISK one in which this library keeps, whenever a file is synced, its content as files/<inode>.<its users before>; whenever the
 * directory is, its names as "<inode>.<its users before> <name>" in names; and each sync of a file as "<name> <length>" in syncs. While there is a file hold, a sync of a log
 * waits, and says so by a file held. The number in a file fail is how many further syncs of logs fail with EIO.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_GONE = 1 << 14 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Inodes of removed files: the system gives them to new ones, which have not been synced. */
static ino_t gone[MOST_GONE];
static int removed;

static int users_before(ino_t inode)
{
    int users = 0;
    for (int i = 0; i < removed; i++)
        users += gone[i] == inode;
    return users;
}

static void forget(const char *name)
{
    struct stat status;
    pthread_mutex_lock(&lock);
    if (!stat(name, &status) && removed < MOST_GONE)
        gone[removed++] = status.st_ino;
    pthread_mutex_unlock(&lock);
}

static void path(char *to, const char *name)
{
    snprintf(to, PATH_MAX, "%s/%s", getenv("LAMBDAFS_DISK"), name);
}

/* The whole new content or the old one, whenever the process is killed. */
static void replace(const char *draft, const char *name)
{
    char to[PATH_MAX];
    path(to, name);
    rename(draft, to);
}

static void keep_content(int from, ino_t inode)
{
    char draft[PATH_MAX], name[64], block[1 << 16];
    ssize_t bytes;
    off_t at = 0;
    path(draft, "draft");
    int to = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    while ((bytes = pread(from, block, sizeof block, at)) > 0 && write(to, block, bytes) == bytes)
        at += bytes;
    close(to);
    snprintf(name, sizeof name, "files/%lu.%d", (unsigned long)inode, users_before(inode));
    replace(draft, name);
}

static void keep_names(const char *directory)
{
    char draft[PATH_MAX];
    path(draft, "draft");
    FILE *to = fopen(draft, "w");
    DIR *entries = opendir(directory);
    struct dirent *entry;
    while ((entry = readdir(entries)))
        if (entry->d_type == DT_REG)
            fprintf(to, "%lu.%d %s\n", (unsigned long)entry->d_ino, users_before(entry->d_ino), entry->d_name);
    closedir(entries);
    fclose(to);
    replace(draft, "names");
}

static void note(const char *name, long length)
{
    char to[PATH_MAX];
    path(to, "syncs");
    FILE *syncs = fopen(to, "a");
    fprintf(syncs, "%s %ld\n", name, length);
    fclose(syncs);
}

static void wait_while_held(void)
{
    char hold[PATH_MAX], held[PATH_MAX];
    path(hold, "hold");
    path(held, "held");
    while (access(hold, F_OK) == 0) {
        close(open(held, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
        usleep(1000);
    }
}

static int must_fail(void)
{
    char name[PATH_MAX], draft[PATH_MAX];
    int left = 0;
    path(name, "fail");
    FILE *from = fopen(name, "r");
    if (!from)
        return 0;
    int known = fscanf(from, "%d", &left);
    fclose(from);
    if (known != 1 || left < 1)
        return 0;
    path(draft, "draft");
    FILE *to = fopen(draft, "w");
    fprintf(to, "%d", left - 1);
    fclose(to);
    replace(draft, "fail");
    return 1;
}

static int sync_file(int file)
{
    char link[64], name[PATH_MAX];
    struct stat status;
    const char *watched = getenv("LAMBDAFS_DISK_OF");
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, name, sizeof name - 1);
    if (length < 0 || fstat(file, &status))
        return -1;
    name[length] = 0;
    size_t folder = strlen(watched);
    if (strncmp(name, watched, folder) || (name[folder] && name[folder] != '/'))
        return 0;
    int log = length > 4 && !strcmp(name + length - 4, ".log");
    if (log)
        wait_while_held();
    pthread_mutex_lock(&lock);
    int failed = log && must_fail();
    if (!failed && S_ISDIR(status.st_mode)) {
        keep_names(name);
    } else if (!failed) {
        /* The descriptor may be one for writing only. */
        int from = open(link, O_RDONLY | O_CLOEXEC);
        keep_content(from, status.st_ino);
        close(from);
        note(name + folder + 1, status.st_size);
    }
    pthread_mutex_unlock(&lock);
    errno = EIO;
    return failed ? -1 : 0;
}

int unlink(const char *name)
{
    forget(name);
    return ((int (*)(const char *))dlsym(RTLD_NEXT, "unlink"))(name);
}

int rename(const char *from, const char *to)
{
    const char *watched = getenv("LAMBDAFS_DISK_OF");
    if (watched && !strncmp(to, watched, strlen(watched)))
        forget(to);
    return ((int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename"))(from, to);
}

int fsync(int file)
{
    return sync_file(file);
}

int fdatasync(int file)
{
    return sync_file(file);
}

int msync(void *address, size_t bytes, int how)
{
    char line[PATH_MAX + 128], name[PATH_MAX];
    unsigned long from, to, at = (unsigned long)address;
    FILE *maps = fopen("/proc/self/maps", "r");
    int result = 0;
    (void)bytes;
    (void)how;
    while (fgets(line, sizeof line, maps))
        if (sscanf(line, "%lx-%lx %*s %*s %*s %*s %[^\n]", &from, &to, name) == 3 && from <= at && at < to) {
            int file = open(name, O_RDONLY | O_CLOEXEC);
            result = file < 0 ? 0 : sync_file(file);
            close(file);
        }
    fclose(maps);
    return result;
}
