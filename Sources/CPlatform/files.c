#define _GNU_SOURCE
#include "files.h"

#include <errno.h>
#include <fcntl.h>

int platform_open_for_reading(const char *path) {
  const int flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY;
  int descriptor;
  do {
    descriptor = openat(AT_FDCWD, path, flags | O_NOATIME);
    // Only a file's owner may leave its access time alone.
    if (descriptor < 0 && errno == EPERM) descriptor = openat(AT_FDCWD, path, flags);
  } while (descriptor < 0 && errno == EINTR);
  return descriptor;
}
