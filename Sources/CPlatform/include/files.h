// Opening a user's file to read it, and asking how long it is.
#ifndef CPLATFORM_FILES_H
#define CPLATFORM_FILES_H

#include <stdint.h>

/// Opens a file for reading without waiting for anybody: not for a FIFO's writer, not for a terminal's carrier.
///
/// Leaves the time of last access as it is where the kernel lets us. The C function is openat(2) with O_RDONLY,
/// O_NONBLOCK, O_CLOEXEC, O_NOCTTY and O_NOATIME.
///
/// @return a descriptor, or -1 with errno.
int platform_open_for_reading(const char *path);

/// The bytes of an open file, asked by fstat(2) itself; -1 where it is no regular one or cannot be asked.
///
/// The C library's function of that name asks by newfstatat(2), which can be asked of any path, and which decoding
/// processes are not allowed for that reason.
int64_t platform_regular_file_bytes(int descriptor);

#endif
