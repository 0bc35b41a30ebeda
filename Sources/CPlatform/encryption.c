#define _GNU_SOURCE
#include "encryption.h"

#include <fcntl.h>
#include <sys/stat.h>

int platform_is_encrypted(int descriptor) {
  struct statx description;
  if (statx(descriptor, "", AT_EMPTY_PATH, STATX_TYPE, &description) != 0) return -1;
  return (description.stx_attributes & STATX_ATTR_ENCRYPTED) != 0;
}
