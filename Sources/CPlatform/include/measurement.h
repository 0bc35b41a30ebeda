// Measurements of memory and instructions, for benchmarks.
#ifndef CPLATFORM_MEASUREMENT_H
#define CPLATFORM_MEASUREMENT_H

#include <stddef.h>
#include <stdint.h>

/// Returns the number of bytes allocated by malloc(3) and not freed, in arenas and in separate mappings. The C function
/// is mallinfo2(3).
size_t platform_allocated_bytes(void);

/// Returns free pages of the heap to the kernel, so that using them again counts as growth. The C function is
/// malloc_trim(3).
void platform_trim_heap(void);

/// Starts to count the instructions that the calling thread retires in user space. Returns a descriptor, or -1 with
/// errno if the kernel forbids this or the machine has no such counter. The C function is perf_event_open(2).
int platform_open_instruction_counter(void);

/// Reads the value of a counter. Returns 0, or -1 with errno. The C function is read(2).
int platform_read_counter(int counter, uint64_t *count);

/// Calls a function. An external tool can measure it by the name of this function
/// (`valgrind --tool=callgrind --toggle-collect=platform_measured_region`).
void platform_measured_region(void (*body)(void *context), void *context);

/// Does nothing. Marks the start of a measured region that ends in another function, for an external tool
/// (`valgrind --tool=callgrind --zero-before=platform_stretch_begins`).
void platform_stretch_begins(void);

/// Does nothing. Marks the end of that region (`--dump-before=platform_stretch_ends`).
void platform_stretch_ends(void);

/// Returns the environment of this process, for programs that it starts, from the variable environ(7).
char *const *platform_environment(void);

/// Does nothing. Called once by a program when its first frame was shown in a window
/// (`valgrind --tool=callgrind --dump-after=platform_first_frame_was_shown`).
void platform_first_frame_was_shown(void);

#endif
