// Functions that Swift cannot import from libc: macros, variadic functions and headers missing from glibc's module map.
#ifndef CPLATFORM_H
#define CPLATFORM_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "confinement.h"
#include "decoder_process.h"
#include "encryption.h"
#include "files.h"
#include "measurement.h"
#include "memory_files.h"
#include "paths.h"
#include "picture_process.h"
#include "records.h"
#include "scheduling.h"
#include "shared_word.h"

/// Lowers the calling thread to niceness 10, so that it yields to the render thread but still runs on a busy machine
/// and releases its locks soon. The C function is setpriority(2).
void platform_lower_thread_priority(void);

/// Returns the kernel's ID of the calling thread. The C function is gettid(2).
int32_t platform_thread_id(void);

/// Sets the name of the calling thread for debuggers and traces, at most 15 bytes. The C function is prctl(2) with
/// PR_SET_NAME.
void platform_set_thread_name(const char *name);

/// Waits for a thread to end, with a timeout in nanoseconds. Returns 0, ETIMEDOUT or another error number. The C
/// function is pthread_clockjoin_np(3) with CLOCK_MONOTONIC.
int platform_join_thread(pthread_t thread, int64_t nanoseconds);

/// Sets the calling thread's timer slack in nanoseconds. The C function is prctl(2) with PR_SET_TIMERSLACK.
void platform_set_timer_slack(unsigned long nanoseconds);

/// Returns the number of voluntary context switches of the calling thread, or 0 if it is unknown. The C function is
/// getrusage(2) with RUSAGE_THREAD, field ru_nvcsw.
long platform_thread_waits(void);

/// Creates an event file descriptor for waking a poll(2), close-on-exec and non-blocking. Returns -1 with errno on
/// failure. The C function is eventfd(2).
int platform_eventfd(void);

/// Prefetches memory that will be read or written soon into the caches, with the compiler's __builtin_prefetch. Any
/// address is valid, because prefetching never faults.
void platform_expect_memory(const void *start, size_t bytes);

/// Configures the allocator to map blocks of 4 MiB and more and to unmap them when they are freed, regardless of blocks
/// freed before, and to keep at most 8 MiB free at the end of its heap. If the address space is limited, also limits
/// the number of arenas, each of which reserves 64 MiB. The C function is mallopt(3) with M_MMAP_THRESHOLD,
/// M_TRIM_THRESHOLD and M_ARENA_MAX.
void platform_bound_heap(void);

/// A function that is called with the number of a frame.
typedef void (*platform_frame_mark)(uint32_t frame);

/// Returns the function of a name in the program or a loaded library, such as one in LD_PRELOAD, or NULL. The C
/// function is dlsym(3).
platform_frame_mark platform_find_frame_mark(const char *name);

#endif
