// What a process takes away from itself before it looks at a stranger's file.
#ifndef CPLATFORM_CONFINEMENT_H
#define CPLATFORM_CONFINEMENT_H

#include <stdint.h>

/// The layers of the box, one bit each.
enum {
  /// A bound on the address space.
  PLATFORM_LAYER_MEMORY = 1 << 0,
  /// A bound on processor time; the parent sets it, see platform_renew_processor_time.
  PLATFORM_LAYER_PROCESSOR_TIME = 1 << 1,
  /// A bound on open descriptors.
  PLATFORM_LAYER_DESCRIPTORS = 1 << 2,
  /// No file may be made longer.
  PLATFORM_LAYER_FILE_SIZE = 1 << 3,
  /// No core dump.
  PLATFORM_LAYER_CORE_DUMPS = 1 << 4,
  /// Nothing that is executed gives rights.
  PLATFORM_LAYER_PRIVILEGES = 1 << 5,
  /// No other process of the user may look into this one.
  PLATFORM_LAYER_INSPECTION = 1 << 6,
  /// The process ends with the thread that started it.
  PLATFORM_LAYER_PARENT = 1 << 7,
  /// Landlock: nothing in the file system may be opened, made, renamed or removed.
  PLATFORM_LAYER_FILES = 1 << 8,
  /// Landlock: no TCP, neither out nor in.
  PLATFORM_LAYER_NETWORK = 1 << 9,
  /// Landlock: no signal to a process outside, and none of its abstract sockets.
  PLATFORM_LAYER_SCOPES = 1 << 10,
  /// seccomp: the system calls that decoding needs, and no other.
  PLATFORM_LAYER_SYSTEM_CALLS = 1 << 11,
  /// All that platform_confine can set up.
  PLATFORM_LAYERS_OF_ONESELF = 0xFFF & ~PLATFORM_LAYER_PROCESSOR_TIME & ~PLATFORM_LAYER_PARENT
};

/// Has the kernel kill this process when the thread that started it ends; 0, or -1 with errno. The C function is
/// prctl(2) with PR_SET_PDEATHSIG.
int platform_die_with_parent(void);

/// Closes the box around the calling process, for good: limits first, then Landlock, and the list of system calls last.
///
/// What the kernel refuses is left out, and the rest stands. The process has one thread: Landlock and seccomp hold for the
/// calling one and those that it starts. Under AddressSanitizer and ThreadSanitizer, whose shadows take terabytes, the
/// address space stays as it is, and the list of system calls has what their runtimes need besides. The C functions are
/// setrlimit(2), prctl(2), landlock_restrict_self(2) and seccomp(2).
///
/// @param wanted the layers to set up; PLATFORM_LAYERS_OF_ONESELF but in tests.
/// @param address_space the most bytes of address space.
/// @param descriptors the most open descriptors.
/// @param is_fatal whether a system call that is not on the list ends the process by SIGSYS; otherwise it fails with ENOSYS.
/// @return the layers that are up.
uint32_t platform_confine(uint32_t wanted, uint64_t address_space, uint64_t descriptors, int is_fatal);

#endif
