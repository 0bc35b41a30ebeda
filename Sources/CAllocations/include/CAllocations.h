// Counts how often a program allocates: linked into a program, its malloc(3) stands before everybody else's.
#ifndef CALLOCATIONS_H
#define CALLOCATIONS_H

#include <stdbool.h>
#include <stdint.h>

/// Whether calls are counted: not under a sanitizer, which has an allocator of its own.
bool allocations_are_counted(void);

/// How often the calling thread has called malloc(3), calloc(3), realloc(3), aligned_alloc(3) and posix_memalign(3) so far,
/// in whatever library the call stands.
uint64_t allocations_of_this_thread(void);

#endif
