// Opening a user's file to read it, and asking what it is.
#ifndef CPLATFORM_FILES_H
#define CPLATFORM_FILES_H

#include <sys/stat.h>

/// Opens a file for reading without waiting for anybody: not for a FIFO's writer, not for a terminal's carrier.
///
/// Leaves the time of last access as it is where the kernel lets us. The C function is openat(2) with O_RDONLY,
/// O_NONBLOCK, O_CLOEXEC, O_NOCTTY and O_NOATIME.
///
/// @return a descriptor, or -1 with errno.
int platform_open_for_reading(const char *path);

/// What an open file is, asked by fstat(2) itself; 0, or -1 with errno.
///
/// The C library's function of that name asks by newfstatat(2), which can be asked of any path, and which decoding
/// processes are not allowed for that reason.
int platform_describe_file(int descriptor, struct stat *description);

#endif
