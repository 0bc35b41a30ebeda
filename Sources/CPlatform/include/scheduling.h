// Scheduling of threads and processes.
#ifndef CPLATFORM_SCHEDULING_H
#define CPLATFORM_SCHEDULING_H

#include <stdint.h>
#include <sys/types.h>

/// Requests a time slice for a thread with the default scheduling policy.
///
/// A thread with a short slice gets no larger share of a processor, but gets it sooner when it wakes. No privileges are
/// needed. Threads and processes started by the thread have the default slice. Linux supports slices of 0.1 to 100 ms
/// since 6.12. Older kernels accept the call and ignore the slice. The C function is sched_setattr(2).
///
/// @param thread The kernel's ID of the thread, or 0 for the calling thread.
/// @param nanoseconds The slice.
/// @return 0, or an error number: EPERM or ENOSYS in containers that filter the call. -1 for a thread with another
///   policy, which has no slices and is not changed.
int platform_request_slice(pid_t thread, uint64_t nanoseconds);

/// Returns the slice of a thread in nanoseconds, 0 if the kernel does not support slices, or -1 if it is unknown. The C
/// function is sched_getattr(2).
int64_t platform_slice(pid_t thread);

/// Returns the niceness of a thread. 0 is the calling thread. The C function is getpriority(2).
int platform_niceness(pid_t thread);

/// Opens the scheduling statistics of the calling thread, /proc/thread-self/schedstat, close-on-exec. Returns -1 with
/// errno on failure.
int platform_open_schedule(void);

/// Returns how long a thread has been waiting for a processor, in nanoseconds, or -1 if it is unknown.
///
/// The descriptor comes from platform_open_schedule. Allocates no memory. The C function is pread(2).
int64_t platform_read_run_delay(int schedule);

/// Returns the processor time of all threads of this process in nanoseconds. The C function is clock_gettime(2) with
/// CLOCK_PROCESS_CPUTIME_ID.
int64_t platform_own_processor_time(void);

#endif
