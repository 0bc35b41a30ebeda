#define _GNU_SOURCE
#include "CPlatform.h"

#include <dlfcn.h>
#include <malloc.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "sanitizers.h"

// ThreadSanitizer does not know pthread_clockjoin_np, and would take the thread for one that is never joined.
#define JOINS_BY_WALL_CLOCK PLATFORM_HAS_SHADOW_MEMORY

void platform_lower_thread_priority(void) { setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), 10); }

int32_t platform_thread_id(void) { return (int32_t)syscall(SYS_gettid); }

void platform_set_timer_slack(unsigned long nanoseconds) { prctl(PR_SET_TIMERSLACK, nanoseconds, 0, 0, 0); }

long platform_thread_waits(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_THREAD, &usage) == 0 ? usage.ru_nvcsw : 0;
}

int platform_join_thread(pthread_t thread, int64_t nanoseconds)
{
    struct timespec end;
    clock_gettime(JOINS_BY_WALL_CLOCK ? CLOCK_REALTIME : CLOCK_MONOTONIC, &end);
    const int64_t rest = end.tv_nsec + nanoseconds % 1000000000;
    end.tv_sec += nanoseconds / 1000000000 + rest / 1000000000;
    end.tv_nsec = rest % 1000000000;
#if JOINS_BY_WALL_CLOCK
    return pthread_timedjoin_np(thread, NULL, &end);
#else
    return pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, &end);
#endif
}

void platform_set_thread_name(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

int platform_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

void platform_expect_memory(const void *start, size_t bytes)
{
    const uintptr_t line = 64;
    const uintptr_t end = (uintptr_t)start + bytes;
    for (uintptr_t place = (uintptr_t)start & ~(line - 1); place < end; place += line)
        __builtin_prefetch((const void *)place, 1);
}

void platform_bound_heap(void)
{
    // Explicit thresholds are fixed. By default, they follow the largest freed block, up to 32 MiB and twice that.
    mallopt(M_MMAP_THRESHOLD, 4 << 20);
    mallopt(M_TRIM_THRESHOLD, 8 << 20);
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) mallopt(M_ARENA_MAX, 2);
}

platform_frame_mark platform_find_frame_mark(const char *name)
{
    return (platform_frame_mark)(uintptr_t)dlsym(RTLD_DEFAULT, name);
}
