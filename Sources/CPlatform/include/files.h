// Opening a user's file to read it, and nothing else.
#ifndef CPLATFORM_FILES_H
#define CPLATFORM_FILES_H

/// Opens a file for reading without waiting for anybody: not for a FIFO's writer, not for a terminal's carrier.
///
/// Leaves the time of last access as it is where the kernel lets us. The C function is openat(2) with O_RDONLY,
/// O_NONBLOCK, O_CLOEXEC, O_NOCTTY and O_NOATIME.
///
/// @return a descriptor, or -1 with errno.
int platform_open_for_reading(const char *path);

#endif
