// The confinement of a process before it reads untrusted files.
#ifndef CPLATFORM_CONFINEMENT_H
#define CPLATFORM_CONFINEMENT_H

#include <stdint.h>

/// The layers of the sandbox, one bit each.
enum {
  /// A limit of the address space.
  PLATFORM_LAYER_MEMORY = 1 << 0,
  /// A limit of the processor time, set by the parent with platform_renew_processor_time.
  PLATFORM_LAYER_PROCESSOR_TIME = 1 << 1,
  /// A limit of open descriptors.
  PLATFORM_LAYER_DESCRIPTORS = 1 << 2,
  /// Files cannot grow.
  PLATFORM_LAYER_FILE_SIZE = 1 << 3,
  /// No core dumps.
  PLATFORM_LAYER_CORE_DUMPS = 1 << 4,
  /// Executing a program grants no privileges.
  PLATFORM_LAYER_PRIVILEGES = 1 << 5,
  /// Other processes of the user cannot inspect this one.
  PLATFORM_LAYER_INSPECTION = 1 << 6,
  /// The process ends with the thread that started it.
  PLATFORM_LAYER_PARENT = 1 << 7,
  /// Landlock: no file can be opened, created, renamed or removed.
  PLATFORM_LAYER_FILES = 1 << 8,
  /// Landlock: no outgoing or incoming TCP connections.
  PLATFORM_LAYER_NETWORK = 1 << 9,
  /// Landlock: no signals to outside processes, and no access to their abstract sockets.
  PLATFORM_LAYER_SCOPES = 1 << 10,
  /// seccomp: only the system calls that decoding needs.
  PLATFORM_LAYER_SYSTEM_CALLS = 1 << 11,
  /// No capability, even of the superuser.
  PLATFORM_LAYER_CAPABILITIES = 1 << 12,
  /// All layers that platform_confine can set up.
  PLATFORM_LAYERS_OF_ONESELF = 0x1FFF & ~PLATFORM_LAYER_PROCESSOR_TIME & ~PLATFORM_LAYER_PARENT
};

/// Makes the kernel kill this process when the thread that started it ends. Returns 0, or -1 with errno. The C function
/// is prctl(2) with PR_SET_PDEATHSIG.
int platform_die_with_parent(void);

/// Confines the calling process permanently: resource limits first, then Landlock, and the system call filter last.
///
/// Layers that the kernel refuses are skipped. The process must have one thread, because Landlock and seccomp apply to
/// the calling thread and the threads that it starts. With AddressSanitizer and ThreadSanitizer, whose shadow memory
/// takes terabytes, the address space is not limited, and the filter also allows the system calls of their runtimes.
/// The C functions are setrlimit(2), prctl(2), capset(2), landlock_restrict_self(2) and seccomp(2).
///
/// @param wanted The layers to set up: PLATFORM_LAYERS_OF_ONESELF, except in tests.
/// @param address_space The maximum size of the address space in bytes.
/// @param descriptors The maximum number of open descriptors.
/// @param is_fatal Whether a system call that is not allowed ends the process with SIGSYS. Otherwise it fails with
///   ENOSYS.
/// @return The layers that were set up.
uint32_t platform_confine(uint32_t wanted, uint64_t address_space, uint64_t descriptors, int is_fatal);

#endif
