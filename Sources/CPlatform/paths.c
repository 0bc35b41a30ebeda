#define _GNU_SOURCE
#include "paths.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

// Opens the folder named by the first `length` bytes of `path`. Returns -1 with errno on failure.
static int open_piece(int folder, const char *path, size_t length) {
  char piece[PATH_MAX];
  memcpy(piece, path, length);
  piece[length] = 0;
  return openat(folder, piece, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

int platform_anchor_path(const char *path, const char **rest) {
  int folder = AT_FDCWD;
  size_t left = strlen(path);
  while (left >= PATH_MAX) {
    // The longest piece that ends with a slash. The first slash of an absolute path is the root and does not end a
    // piece.
    size_t length = PATH_MAX - 1;
    while (length > 1 && path[length - 1] != '/') length--;
    int next = -1;
    if (length > 1) {
      next = open_piece(folder, path, length);
    } else {
      errno = ENAMETOOLONG;
    }
    const int cause = errno;
    if (folder != AT_FDCWD) close(folder);
    errno = cause;
    if (next < 0) return -1;
    folder = next;
    path += length;
    left -= length;
    // A leading slash would make the rest an absolute path.
    while (*path == '/') path++, left--;
  }
  *rest = path;
  return folder;
}

int platform_open_for_reading_at(int folder, const char *name) {
  const int flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY;
  int descriptor;
  do {
    descriptor = openat(folder, name, flags | O_NOATIME);
    // Only the owner of a file may open it with O_NOATIME.
    if (descriptor < 0 && errno == EPERM) descriptor = openat(folder, name, flags);
  } while (descriptor < 0 && errno == EINTR);
  return descriptor;
}
