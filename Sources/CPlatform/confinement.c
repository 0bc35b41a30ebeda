#include "confinement.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>

int platform_forbid_new_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }

int platform_die_with_parent(void) { return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0); }

// Never above what the parent allowed, as only root may raise a limit again.
static int lower(__rlimit_resource_t resource, rlim_t most) {
  struct rlimit limit;
  if (getrlimit(resource, &limit) != 0) return -1;
  if (limit.rlim_max > most) limit.rlim_max = most;
  if (limit.rlim_cur > limit.rlim_max) limit.rlim_cur = limit.rlim_max;
  return setrlimit(resource, &limit);
}

int platform_limit_resources(uint64_t address_space, uint64_t descriptors) {
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
  address_space = RLIM_INFINITY;
#endif
#endif
  if (lower(RLIMIT_AS, address_space) != 0) return -1;
  if (lower(RLIMIT_FSIZE, 0) != 0) return -1;
  if (lower(RLIMIT_CORE, 0) != 0) return -1;
  return lower(RLIMIT_NOFILE, descriptors);
}
