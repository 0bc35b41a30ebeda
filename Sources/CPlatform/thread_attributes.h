// Scheduling attributes, for the C files of this target only.
#ifndef CPLATFORM_THREAD_ATTRIBUTES_H
#define CPLATFORM_THREAD_ATTRIBUTES_H

#include <stdint.h>
#include <sys/types.h>

/// Sets the scheduling policy, niceness and slice of a thread in one call. Returns 0 or an error number.
int scheduling_set(pid_t thread, int policy, int niceness, uint64_t slice_nanoseconds, uint64_t flags);

#endif
