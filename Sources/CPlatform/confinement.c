#define _GNU_SOURCE
#include "confinement.h"

#include <linux/capability.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "landlock.h"
#include "sanitizers.h"
#include "system_call_list.h"

int platform_die_with_parent(void) { return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0); }

// Lowers a limit, but never raises one that the parent has set, which only root may do.
static int lower(__rlimit_resource_t resource, rlim_t most) {
  struct rlimit limit;
  if (getrlimit(resource, &limit) != 0) return -1;
  if (limit.rlim_max > most) limit.rlim_max = most;
  if (limit.rlim_cur > limit.rlim_max) limit.rlim_cur = limit.rlim_max;
  return setrlimit(resource, &limit);
}

static uint32_t limit_resources(uint32_t wanted, uint64_t address_space, uint64_t descriptors) {
  uint32_t layers = 0;
  if (wanted & PLATFORM_LAYER_MEMORY && !PLATFORM_HAS_SHADOW_MEMORY && lower(RLIMIT_AS, address_space) == 0) {
    layers |= PLATFORM_LAYER_MEMORY;
  }
  if (wanted & PLATFORM_LAYER_FILE_SIZE && lower(RLIMIT_FSIZE, 0) == 0) layers |= PLATFORM_LAYER_FILE_SIZE;
  if (wanted & PLATFORM_LAYER_CORE_DUMPS && lower(RLIMIT_CORE, 0) == 0) layers |= PLATFORM_LAYER_CORE_DUMPS;
  if (wanted & PLATFORM_LAYER_DESCRIPTORS && lower(RLIMIT_NOFILE, descriptors) == 0) {
    layers |= PLATFORM_LAYER_DESCRIPTORS;
  }
  return layers;
}

static uint32_t forbid_files_and_network(uint32_t wanted) {
  if (!(wanted & (PLATFORM_LAYER_FILES | PLATFORM_LAYER_NETWORK | PLATFORM_LAYER_SCOPES))) return 0;
  const int version = landlock_forbid_everything();
  uint32_t layers = 0;
  if (version >= LANDLOCK_FILES_SINCE) layers |= PLATFORM_LAYER_FILES;
  if (version >= LANDLOCK_NETWORK_SINCE) layers |= PLATFORM_LAYER_NETWORK;
  if (version >= LANDLOCK_SCOPES_SINCE) layers |= PLATFORM_LAYER_SCOPES;
  return layers;
}

// Drops every capability. Since no program can be executed with new privileges, none can return.
static int drop_capabilities(void) {
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
  const struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {0};
  return (int)syscall(SYS_capset, &header, none);
}

uint32_t platform_confine(uint32_t wanted, uint64_t address_space, uint64_t descriptors, int is_fatal) {
  uint32_t layers = limit_resources(wanted, address_space, descriptors);
  // Ordinary users need this for Landlock and seccomp.
  if (wanted & PLATFORM_LAYER_PRIVILEGES && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0) {
    layers |= PLATFORM_LAYER_PRIVILEGES;
  }
  if (wanted & PLATFORM_LAYER_INSPECTION && prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0) {
    layers |= PLATFORM_LAYER_INSPECTION;
  }
  if (wanted & PLATFORM_LAYER_CAPABILITIES && drop_capabilities() == 0) layers |= PLATFORM_LAYER_CAPABILITIES;
  layers |= forbid_files_and_network(wanted);
  // Last, because the list does not contain the calls above.
  if (wanted & PLATFORM_LAYER_SYSTEM_CALLS && system_calls_restrict(is_fatal) == 0) {
    layers |= PLATFORM_LAYER_SYSTEM_CALLS;
  }
  return layers;
}
