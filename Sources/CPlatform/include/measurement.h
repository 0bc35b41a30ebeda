// What benchmarks ask of the allocator and of the processor's counters.
#ifndef CPLATFORM_MEASUREMENT_H
#define CPLATFORM_MEASUREMENT_H

#include <stddef.h>
#include <stdint.h>

/// The bytes that this process has from malloc(3) and has not given back, in arenas and in mappings of their own. The C
/// function is mallinfo2(3).
size_t platform_allocated_bytes(void);

/// Gives free pages of the heap back to the kernel, so that using them again counts as growth. The C function is
/// malloc_trim(3).
void platform_trim_heap(void);

/// Starts counting the instructions that the calling thread retires outside the kernel; a descriptor, or -1 with errno
/// where the kernel forbids it or the machine has no such counter. The C function is perf_event_open(2).
int platform_open_instruction_counter(void);

/// Reads what a counter has counted; 0, or -1 with errno. The C function is read(2).
int platform_read_counter(int counter, uint64_t *count);

/// Calls a function and does nothing else: a border that an instrument from outside can recognise by its name
/// (`valgrind --tool=callgrind --toggle-collect=platform_measured_region`).
void platform_measured_region(void (*body)(void *context), void *context);

/// Does nothing: where a stretch begins whose ends lie in different functions, for an instrument from outside
/// (`valgrind --tool=callgrind --zero-before=platform_stretch_begins`).
void platform_stretch_begins(void);

/// Does nothing: where that stretch ends (`--dump-before=platform_stretch_ends`).
void platform_stretch_ends(void);

/// The environment of this process, for programs that it starts; the variable is environ(7).
char *const *platform_environment(void);

/// Does nothing: called by a program that shows its frames to people, once, when the first was shown
/// (`valgrind --tool=callgrind --dump-after=platform_first_frame_was_shown`).
void platform_first_frame_was_shown(void);

#endif
