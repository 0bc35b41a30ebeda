// Opening by paths of any length, and with flags that glibc's module map leaves out.
#ifndef CPLATFORM_PATHS_H
#define CPLATFORM_PATHS_H

/// Where a path of any length can be used: a folder on the way, and the rest of the path, short enough for the kernel.
///
/// A path past PATH_MAX is walked in pieces; each folder on the way is opened with O_PATH, which asks for no right to
/// read it. The C function is openat(2).
///
/// @param path the path.
/// @param rest set to the part of `path` that is still to be used, relative to the result.
/// @return a descriptor that the caller closes, AT_FDCWD when the whole path is short enough, or -1 with errno.
int platform_anchor_path(const char *path, const char **rest);

/// Opens a file for reading without waiting for anybody: not for a FIFO's writer, not for a terminal's carrier.
///
/// Leaves the time of last access as it is where the kernel lets us. The C function is openat(2) with O_RDONLY,
/// O_NONBLOCK, O_CLOEXEC, O_NOCTTY and O_NOATIME.
///
/// @param folder a folder's descriptor, or AT_FDCWD.
/// @param name the path from there.
/// @return a descriptor, or -1 with errno.
int platform_open_for_reading_at(int folder, const char *name);

#endif
