#define _GNU_SOURCE
#include "include/scheduling.h"
#include "thread_attributes.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// The first version of the kernel's struct sched_attr, which the C library of Debian 12 does not declare.
struct attributes {
  uint32_t size;
  uint32_t policy;
  uint64_t flags;
  int32_t niceness;
  uint32_t priority;
  uint64_t runtime;
  uint64_t deadline;
  uint64_t period;
};

enum { FLAG_RESET_ON_FORK = 1 };

static int get(pid_t thread, struct attributes *attributes) {
  memset(attributes, 0, sizeof *attributes);
  return syscall(SYS_sched_getattr, thread, attributes, sizeof *attributes, 0) == 0 ? 0 : errno;
}

int scheduling_set(pid_t thread, int policy, int niceness, uint64_t slice_nanoseconds, uint64_t flags) {
  struct attributes attributes = {
      .size = sizeof attributes,
      .policy = (uint32_t)policy,
      .flags = flags,
      .niceness = niceness,
      .runtime = slice_nanoseconds,
  };
  return syscall(SYS_sched_setattr, thread, &attributes, 0) == 0 ? 0 : errno;
}

int platform_request_slice(pid_t thread, uint64_t nanoseconds) {
  struct attributes now;
  const int status = get(thread, &now);
  if (status != 0) return status;
  // A real-time thread needs no slice, because it runs before all others.
  if (now.policy != SCHED_OTHER && now.policy != SCHED_BATCH) return -1;
  return scheduling_set(thread, (int)now.policy, now.niceness, nanoseconds, now.flags | FLAG_RESET_ON_FORK);
}

int64_t platform_slice(pid_t thread) {
  struct attributes now;
  return get(thread, &now) == 0 ? (int64_t)now.runtime : -1;
}

int platform_niceness(pid_t thread) { return getpriority(PRIO_PROCESS, (id_t)thread); }

int platform_open_schedule(void) { return open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC); }

int64_t platform_read_run_delay(int schedule) {
  char line[96];
  const ssize_t length = pread(schedule, line, sizeof line - 1, 0);
  if (length <= 0) return -1;
  line[length] = 0;
  // The format is "ran waited slices".
  char *end;
  strtoll(line, &end, 10);
  if (end == line || *end != ' ') return -1;
  const char *second = end + 1;
  const long long waited = strtoll(second, &end, 10);
  return end == second ? -1 : waited;
}

int64_t platform_own_processor_time(void) {
  struct timespec used;
  return clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) == 0 ? (int64_t)used.tv_sec * 1000000000 + used.tv_nsec : -1;
}
