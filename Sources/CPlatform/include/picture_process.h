// Processes that decode one picture each: forks of a confined parent that has read no picture.
#ifndef CPLATFORM_PICTURE_PROCESS_H
#define CPLATFORM_PICTURE_PROCESS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// Forks the calling process, which must have one thread, into a child of its own parent.
///
/// The child is a copy with all descriptors, limits and filters of the calling process. Its parent is the program that
/// started the calling process, which waits for it. Confined processes may fork in this way only. The C function is
/// clone(2) with CLONE_PARENT.
///
/// @return 0 in the child, the ID of the child in the calling process, or -1 with errno.
pid_t platform_fork_picture_process(void);

/// Takes from a child of platform_fork_picture_process, permanently, what its parent needed to make it: it cannot fork
/// and cannot change its confinement, and it ends with the thread that started its parent.
///
/// The C functions are prctl(2) with PR_SET_PDEATHSIG, and seccomp(2).
///
/// @param layers The layers that confine the parent: PLATFORM_LAYER_PARENT and PLATFORM_LAYER_SYSTEM_CALLS are set up for
///   the child too.
/// @param is_fatal Whether a system call that is not allowed ends the process with SIGSYS. Otherwise it fails with
///   ENOSYS.
/// @return 0, or -1 with errno. The process must not read a picture then.
int platform_confine_picture_process(uint32_t layers, int is_fatal);

/// Prepares the heap of a process that forks picture processes: what these allocate begins at a fresh large page, and
/// large blocks are in the heap too. Otherwise they would have a page fault, and the kernel's work for a page, for each
/// 4 KiB. The C functions are mallopt(3) and madvise(2) with MADV_HUGEPAGE.
void platform_prepare_heap(void);

/// Makes the pages of memory present and writable in one call, as a hint, which saves a fault for each of them. The C
/// function is madvise(2) with MADV_POPULATE_WRITE.
void platform_populate(void *start, size_t bytes);

/// Maps private memory of large pages if the kernel has some, or returns NULL. The C functions are mmap(2) and
/// madvise(2) with MADV_HUGEPAGE.
///
/// @param mapped Set to what to unmap, which begins before the memory.
/// @param mapped_bytes Set to the number of bytes to unmap.
void *platform_map_large(size_t bytes, void **mapped, size_t *mapped_bytes);

#endif
