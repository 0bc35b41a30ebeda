// What Swift cannot import from libc: macros, variadics and calls that glibc's module map leaves out.
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
#include "records.h"
#include "scheduling.h"
#include "shared_word.h"

/// Lowers the calling thread to niceness 10: it yields to threads that draw, and still runs on a busy machine, so that a
/// lock it holds is soon given back. The C function is setpriority(2).
void platform_lower_thread_priority(void);

/// The kernel's name of the calling thread. The C function is gettid(2).
int32_t platform_thread_id(void);

/// Names the calling thread for debuggers and traces; the kernel keeps 15 bytes. The C function is prctl(2) with PR_SET_NAME.
void platform_set_thread_name(const char *name);

/// Waits for a thread's end for so many nanoseconds at most; 0, ETIMEDOUT, or another error number. The C function is
/// pthread_clockjoin_np(3) with CLOCK_MONOTONIC.
int platform_join_thread(pthread_t thread, int64_t nanoseconds);

/// Sets the calling thread's timer slack in nanoseconds. The C function is prctl(2) with PR_SET_TIMERSLACK.
void platform_set_timer_slack(unsigned long nanoseconds);

/// How often the calling thread has given the processor up of its own accord, to wait for something; 0 where the kernel does
/// not tell. The C function is getrusage(2) with RUSAGE_THREAD, of which this is ru_nvcsw.
long platform_thread_waits(void);

/// A new event counter for waking a poll(2), close-on-exec and non-blocking; -1 with errno. The C function is eventfd(2).
int platform_eventfd(void);

/// Asks for memory that will be read or written soon, so that it is on its way to the caches by then; nothing is read, and
/// any address may be given. What is called is the compiler's __builtin_prefetch.
void platform_expect_memory(const void *start, size_t bytes);

/// Has the allocator take blocks of 4 MiB and more from the system and give them back when they are freed, in place of keeping
/// them, however large those were that were freed before; and keep no more than 8 MiB free at the end of its heap. The C
/// function is mallopt(3) with M_MMAP_THRESHOLD and M_TRIM_THRESHOLD, and with M_ARENA_MAX where the address space is limited, of
/// which each arena reserves 64 MiB.
void platform_bound_heap(void);

/// A function that is told of a frame by its number.
typedef void (*platform_frame_mark)(uint32_t frame);

/// A function of that name in whatever is loaded, such as a library in LD_PRELOAD; NULL where there is none. The C function is
/// dlsym(3).
platform_frame_mark platform_find_frame_mark(const char *name);

#endif
