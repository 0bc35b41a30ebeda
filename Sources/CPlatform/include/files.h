// Opening the user's files for reading, and their sizes.
#ifndef CPLATFORM_FILES_H
#define CPLATFORM_FILES_H

#include <stdint.h>

/// Opens a file for reading without blocking, neither for the writer of a FIFO nor for the carrier of a terminal.
///
/// The access time is not changed, if the kernel permits this. The C function is openat(2) with O_RDONLY, O_NONBLOCK,
/// O_CLOEXEC, O_NOCTTY and O_NOATIME.
///
/// @return A descriptor, or -1 with errno.
int platform_open_for_reading(const char *path);

/// Returns the size of an open file in bytes, from the system call fstat(2), or -1 if it is not a regular file or on
/// failure.
///
/// The C library implements fstat with newfstatat(2), which accepts any path and is therefore forbidden to decoding
/// processes.
int64_t platform_regular_file_bytes(int descriptor);

/// Returns whether an open file is on a file system that another machine serves: NFS or SMB. The C function is
/// fstatfs(2).
///
/// @return 1 if it is, 0 if it is not or on failure.
int platform_is_on_network(int descriptor);

/// Returns the number of the kind of file system that contains an open file, by `linux/magic.h`. The C function is fstatfs(2).
///
/// @return The number, or -1 on failure.
int64_t platform_file_system_kind(int descriptor);

#endif
