// Opening files by paths of any length, and with flags that are missing from glibc's module map.
#ifndef CPLATFORM_PATHS_H
#define CPLATFORM_PATHS_H

/// Splits a path of any length into an opened folder and a remaining path that is short enough for the kernel.
///
/// A path longer than PATH_MAX is walked in pieces. Each folder is opened with O_PATH, which requires no right to read
/// it. The C function is openat(2).
///
/// @param path The path.
/// @param rest Set to the remaining part of `path`, relative to the result.
/// @return A descriptor that the caller closes, AT_FDCWD if the whole path is short enough, or -1 with errno.
int platform_anchor_path(const char *path, const char **rest);

/// Opens a file for reading without blocking, neither for the writer of a FIFO nor for the carrier of a terminal.
///
/// The access time is not changed, if the kernel permits this. The C function is openat(2) with O_RDONLY, O_NONBLOCK,
/// O_CLOEXEC, O_NOCTTY and O_NOATIME.
///
/// @param folder The descriptor of a folder, or AT_FDCWD.
/// @param name The path relative to the folder.
/// @return A descriptor, or -1 with errno.
int platform_open_for_reading_at(int folder, const char *name);

#endif
