// Counts the allocations of a program. If it is linked into a program, its malloc(3) replaces all others.
#ifndef CALLOCATIONS_H
#define CALLOCATIONS_H

#include <stdbool.h>
#include <stdint.h>

/// Returns whether allocations are counted. They are not with a sanitizer, which has its own allocator.
bool allocations_are_counted(void);

/// Returns the number of calls of malloc(3), calloc(3), realloc(3), aligned_alloc(3) and posix_memalign(3) by the
/// calling thread, from all libraries.
uint64_t allocations_of_this_thread(void);

#endif
