// What the calls of the scheduler take; not for Swift.
#ifndef CPLATFORM_THREAD_ATTRIBUTES_H
#define CPLATFORM_THREAD_ATTRIBUTES_H

#include <stdint.h>
#include <sys/types.h>

/// Sets the class, the niceness and the slice of a thread at once; 0, or the error number.
int scheduling_set(pid_t thread, int policy, int niceness, uint64_t slice_nanoseconds, uint64_t flags);

#endif
