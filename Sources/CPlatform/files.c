#define _GNU_SOURCE
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "paths.h"

int platform_open_for_reading(const char *path) {
  const char *rest;
  const int folder = platform_anchor_path(path, &rest);
  if (folder == -1) return -1;
  const int descriptor = platform_open_for_reading_at(folder, rest);
  const int cause = errno;
  if (folder != AT_FDCWD) close(folder);
  errno = cause;
  return descriptor;
}

int platform_describe_file(int descriptor, struct stat *description) {
  return (int)syscall(SYS_fstat, descriptor, description);
}
