#define _GNU_SOURCE
#include "memory_files.h"

#include <fcntl.h>
#include <sys/mman.h>

int platform_open_memory(const char *name) { return memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING); }

int platform_seal_memory(int memory) {
  return fcntl(memory, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL);
}
