#define _GNU_SOURCE
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
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

int64_t platform_regular_file_bytes(int descriptor) {
  struct stat description;
  if (syscall(SYS_fstat, descriptor, &description) != 0) return -1;
  return S_ISREG(description.st_mode) ? (int64_t)description.st_size : -1;
}

int64_t platform_file_system_kind(int descriptor) {
  struct statfs description;
  return fstatfs(descriptor, &description) == 0 ? (int64_t)(uint32_t)description.f_type : -1;
}

int platform_is_on_network(int descriptor) {
  struct statfs description;
  if (fstatfs(descriptor, &description) != 0) return 0;
  switch ((uint32_t)description.f_type) {
    case 0x6969:      // NFS_SUPER_MAGIC
    case 0x517B:      // SMB_SUPER_MAGIC
    case 0xFF534D42:  // CIFS_SUPER_MAGIC
    case 0xFE534D42:  // SMB2_SUPER_MAGIC
      return 1;
    default: return 0;
  }
}
