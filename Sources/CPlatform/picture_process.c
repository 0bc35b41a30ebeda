#define _GNU_SOURCE
#include "picture_process.h"

#include <malloc.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <signal.h>
#include <unistd.h>

#include "confinement.h"
#include "system_call_list.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

// The size of a large page, the growth of the heap, and what the C library stores before a block.
enum { LARGE_PAGE = 2 << 20, HEAP_GROWTH = 32 << 20, HEAP_HEADER = 16, SMALL_BLOCKS = 64 << 10 };

pid_t platform_fork_picture_process(void) {
  // The system call itself: fork(3) would make others, and the only thread holds no lock here.
  return (pid_t)syscall(SYS_clone, SYSTEM_CALLS_FORK_FLAGS, 0, 0, 0, 0);
}

int platform_confine_picture_process(uint32_t layers, int is_fatal) {
  if (layers & PLATFORM_LAYER_PARENT && prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0) return -1;
  return layers & PLATFORM_LAYER_SYSTEM_CALLS ? system_calls_restrict_picture_process(is_fatal) : 0;
}

static uintptr_t aligned(uintptr_t address, uintptr_t unit) { return (address + unit - 1) / unit * unit; }

void platform_prepare_heap(void) {
  // Blocks up to the largest value that the library accepts are in the heap, which grows by as much and never shrinks.
  mallopt(M_MMAP_THRESHOLD, HEAP_GROWTH);
  mallopt(M_TOP_PAD, HEAP_GROWTH);
  mallopt(M_TRIM_THRESHOLD, -1);
  // The heap grows here. No free block is as large, so this one is at its end.
  // Volatile, because the compiler removes a block that nothing uses.
  void *volatile filler = malloc(LARGE_PAGE);
  const uintptr_t block = (uintptr_t)filler;
  if (block == 0) return;
  free(filler);
  // A block that stays allocated and untouched reaches almost up to a boundary of large pages: a small picture needs only
  // a few small ones.
  const uintptr_t start = aligned(block + LARGE_PAGE, LARGE_PAGE), end = (uintptr_t)sbrk(0);
  filler = malloc(start - block - SMALL_BLOCKS - HEAP_HEADER);
  if (filler == NULL || end <= start) return;
  madvise((void *)start, end - start, MADV_HUGEPAGE);
}

void *platform_map_large(size_t bytes, void **mapped, size_t *mapped_bytes) {
  *mapped_bytes = aligned(bytes, LARGE_PAGE) + LARGE_PAGE;
  *mapped = mmap(NULL, *mapped_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (*mapped == MAP_FAILED) return NULL;
  const uintptr_t start = aligned((uintptr_t)*mapped, LARGE_PAGE);
  madvise((void *)start, *mapped_bytes - LARGE_PAGE, MADV_HUGEPAGE);
  return (void *)start;
}

void platform_populate(void *start, size_t bytes) {
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  const uintptr_t first = (uintptr_t)start / page * page;
  madvise((void *)first, (uintptr_t)start + bytes - first, MADV_POPULATE_WRITE);
}
