// A peer of `scripts/bench busy`: a loop with the gallery's pacing and no work. Its lateness is the minimum that a
// program can reach on this machine by the same means.
//
// usage: idle_loop HZ SECONDS [slice]
// Wakes 0.2 ms before each point of the refresh grid, as the gallery does, and measures how late it is after that
// point. With "slice" it requests slices of 0.1 ms from the kernel. Writes "hitch_ms_per_s=… hitches=… longest_ms=…
// frames=…".
#define _GNU_SOURCE
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

struct attributes {
  uint32_t size, policy;
  uint64_t flags;
  int32_t niceness;
  uint32_t priority;
  uint64_t runtime, deadline, period;
};

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

int main(int count, char **arguments) {
  if (count < 3 || atoi(arguments[1]) < 1 || atoi(arguments[2]) < 1) return 2;
  prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
  if (count > 3) {
    struct attributes wanted = {.size = sizeof wanted, .runtime = 100000};
    if (syscall(SYS_sched_setattr, 0, &wanted, 0) != 0) {
      fprintf(stderr, "idle_loop: sched_setattr: %s\n", strerror(errno));
      return 1;
    }
  }
  const int64_t interval = 1000000000LL / atoi(arguments[1]), allowance = 200000;
  const int64_t start = now(), end = start + atoi(arguments[2]) * 1000000000LL;
  int64_t late = 0, longest = 0, target = start;
  int hitches = 0, frames = 0;
  while (target < end) {
    // After a late frame, the next point of the grid in the future.
    const int64_t passed = now();
    do target += interval;
    while (target <= passed);
    const int64_t wake = target - allowance;
    const struct timespec time = {.tv_sec = wake / 1000000000, .tv_nsec = wake % 1000000000};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) == EINTR) {}
    const int64_t hitch = now() - target;
    frames++;
    if (hitch <= 0) continue;
    hitches++;
    late += hitch;
    if (hitch > longest) longest = hitch;
  }
  printf(
      "hitch_ms_per_s=%.3f hitches=%d longest_ms=%.3f frames=%d\n", late / 1e6 / ((now() - start) / 1e9), hitches,
      longest / 1e6, frames);
  return 0;
}
