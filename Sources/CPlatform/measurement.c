#define _GNU_SOURCE
#include "measurement.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <malloc.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

size_t platform_allocated_bytes(void) {
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

void platform_trim_heap(void) { malloc_trim(0); }

int platform_open_instruction_counter(void) {
  struct perf_event_attr attributes;
  memset(&attributes, 0, sizeof attributes);
  attributes.type = PERF_TYPE_HARDWARE;
  attributes.size = sizeof attributes;
  attributes.config = PERF_COUNT_HW_INSTRUCTIONS;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  return (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

int platform_read_counter(int counter, uint64_t *count) {
  ssize_t got = read(counter, count, sizeof *count);
  if (got == (ssize_t)sizeof *count) return 0;
  if (got >= 0) errno = EIO;
  return -1;
}

__attribute__((noinline)) void platform_measured_region(void (*body)(void *), void *context) {
  body(context);
  // Prevents a tail call, which would leave the function before the body starts.
  __asm__ volatile("" ::: "memory");
}

__attribute__((noinline)) void platform_stretch_begins(void) { __asm__ volatile("" ::: "memory"); }

__attribute__((noinline)) void platform_stretch_ends(void) { __asm__ volatile("" ::: "memory"); }

__attribute__((noinline)) void platform_first_frame_was_shown(void) { __asm__ volatile("" ::: "memory"); }

char *const *platform_environment(void) { return environ; }
