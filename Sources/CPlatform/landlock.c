#define _GNU_SOURCE
#include "landlock.h"

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

// Defined here because the headers at build time may be older than the kernel at run time. The numbers are the same on
// every architecture.
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#endif
#ifndef SYS_landlock_restrict_self
#define SYS_landlock_restrict_self 446
#endif

enum { CREATE_RULESET_VERSION = 1 };

struct ruleset {
  uint64_t files;
  uint64_t network;
  uint64_t scopes;
};

// Returns the number of file rights in a version. Versions 1 to 5 have added: execute to make_sym; refer; truncate;
// none; ioctl_dev.
static unsigned file_rights(long version) {
  if (version >= 5) return 16;
  if (version >= 3) return 15;
  return version == 2 ? 14 : 13;
}

int landlock_forbid_everything(void) {
  const long version = syscall(SYS_landlock_create_ruleset, NULL, 0, CREATE_RULESET_VERSION);
  if (version < 1) {
    if (version == 0) errno = ENOSYS;
    return -1;
  }
  struct ruleset ruleset = {.files = (UINT64_C(1) << file_rights(version)) - 1};
  size_t size = offsetof(struct ruleset, network);
  if (version >= LANDLOCK_NETWORK_SINCE) {
    // Bind and connect by TCP.
    ruleset.network = 3;
    size = offsetof(struct ruleset, scopes);
  }
  if (version >= LANDLOCK_SCOPES_SINCE) {
    // Abstract sockets and signals.
    ruleset.scopes = 3;
    size = sizeof ruleset;
  }
  const int descriptor = (int)syscall(SYS_landlock_create_ruleset, &ruleset, size, 0);
  if (descriptor < 0) return -1;
  const long status = syscall(SYS_landlock_restrict_self, descriptor, 0);
  const int cause = errno;
  close(descriptor);
  errno = cause;
  return status == 0 ? (int)version : -1;
}
