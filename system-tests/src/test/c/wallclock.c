/*
 * Preloaded, gives a process a wall clock that is off by the seconds in the first eight bytes of the file that LAMBDAFS_CLOCK names, from
 * the moment at which they are written. The monotonic clock is left alone.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

typedef int (*gettime)(clockid_t, struct timespec *);

static const volatile int64_t *offset;
static gettime real;

__attribute__((constructor)) static void map(void)
{
    const char *name = getenv("LAMBDAFS_CLOCK");
    int file = name ? open(name, O_RDONLY | O_CLOEXEC) : -1;
    real = (gettime)dlsym(RTLD_NEXT, "clock_gettime");
    if (file >= 0) {
        void *page = mmap(0, sizeof *offset, PROT_READ, MAP_SHARED, file, 0);
        offset = page == MAP_FAILED ? 0 : page;
        close(file);
    }
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    if (!real) /* another library's constructor asks */
        real = (gettime)dlsym(RTLD_NEXT, "clock_gettime");
    int failed = real(clock, now);
    if (!failed && offset && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        now->tv_sec += *offset;
    return failed;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    struct timespec exact;
    (void)zone;
    int failed = clock_gettime(CLOCK_REALTIME, &exact);
    now->tv_sec = exact.tv_sec;
    now->tv_usec = exact.tv_nsec / 1000;
    return failed;
}

time_t time(time_t *now)
{
    struct timespec exact;
    clock_gettime(CLOCK_REALTIME, &exact);
    if (now)
        *now = exact.tv_sec;
    return exact.tv_sec;
}
