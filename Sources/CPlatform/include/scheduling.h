// What a thread or process gets of a processor that others want too.
#ifndef CPLATFORM_SCHEDULING_H
#define CPLATFORM_SCHEDULING_H

#include <stdint.h>
#include <sys/types.h>

/// Asks the kernel to give a thread of the ordinary class its share of a processor in slices of this length.
///
/// A thread with a short slice gets no more of a processor than others, but gets it sooner when it wakes. Needs no
/// privileges. Threads and processes that it starts from then on have the usual slice. Linux takes requests from 6.12 on
/// (0.1 to 100 ms); older kernels accept the call and ignore the length. The C function is sched_setattr(2).
///
/// @param thread the kernel's number of the thread; 0 for the calling thread.
/// @param nanoseconds the slice.
/// @return 0, or the error number: EPERM or ENOSYS in containers that filter the call; -1 for a thread of another class, which
///   has no slices and is left as it is.
int platform_request_slice(pid_t thread, uint64_t nanoseconds);

/// The slice that a thread has in nanoseconds; 0 where the kernel knows no slices, -1 where it does not tell. The C function
/// is sched_getattr(2).
int64_t platform_slice(pid_t thread);

/// The niceness of a thread; 0 for the calling thread's number. The C function is getpriority(2).
int platform_niceness(pid_t thread);

/// Opens the calling thread's scheduling figures, /proc/thread-self/schedstat, close-on-exec; -1 with errno.
int platform_open_schedule(void);

/// How long a thread has been ready to run and had no processor, in nanoseconds; -1 where the kernel does not count it.
///
/// Allocates nothing. The C function is pread(2), of what platform_open_schedule returned.
int64_t platform_read_run_delay(int schedule);

/// The processor time that all threads of this process have used, in nanoseconds. The C function is clock_gettime(2) with
/// CLOCK_PROCESS_CPUTIME_ID.
int64_t platform_own_processor_time(void);

#endif
