#define _GNU_SOURCE
#include "decoder_process.h"
#include "thread_attributes.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// The two descriptors are duplicated to numbers above 3 and 4 first, so that neither move overwrites a source.
enum { FIRST_PARKED_DESCRIPTOR = 10 };

// The slice is longer than that of the render thread, which therefore runs first. Decoding would be fastest with 20 ms,
// but that delayed a loop on the same core by two to three times as much. At niceness 5, a decoder gets a quarter of a
// core that another program uses, and less than the render thread.
enum { DECODER_SLICE_NANOSECONDS = 3000000, SCREEN_DECODER_NICENESS = 5 };

// If the kernel shares processors among sessions first (sched_autogroup), the policy of a process applies within its
// session only.
static void set_session_niceness(pid_t process, int niceness) {
  char path[64], text[16];
  snprintf(path, sizeof path, "/proc/%ld/autogroup", (long)process);
  const int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  const int length = snprintf(text, sizeof text, "%d", niceness);
  // Kernels without autogroups refuse, and others limit the rate of changes. Then only the policy of the process
  // applies.
  const ssize_t written = write(file, text, (size_t)length);
  (void)written;
  close(file);
}

static void set_priority(pid_t process, platform_priority priority) {
  if (priority == PLATFORM_PRIORITY_USUAL) return;
  set_session_niceness(process, priority == PLATFORM_PRIORITY_IDLE ? 19 : SCREEN_DECODER_NICENESS);
  const int policy = priority == PLATFORM_PRIORITY_BATCH ? SCHED_BATCH : SCHED_IDLE;
  // Never a higher priority than that of the program.
  const int inherited = getpriority(PRIO_PROCESS, (id_t)process);
  const int wanted = priority == PLATFORM_PRIORITY_BATCH ? SCREEN_DECODER_NICENESS : 0;
  const int niceness = inherited > wanted ? inherited : wanted;
  if (scheduling_set(process, policy, niceness, DECODER_SLICE_NANOSECONDS, 0) == 0) return;
  // A container may filter only the newer system call.
  const struct sched_param parameters = {0};
  const int is_set = sched_setscheduler(process, policy, &parameters) == 0;
  if (is_set && priority == PLATFORM_PRIORITY_IDLE) return;
  setpriority(PRIO_PROCESS, (id_t)process, priority == PLATFORM_PRIORITY_IDLE ? 19 : niceness);
}

static int add_descriptors(posix_spawn_file_actions_t *actions, int socket, int memory) {
  int status = 0;
  for (int standard = 0; standard <= 2 && status == 0; standard++) {
    status = posix_spawn_file_actions_addopen(actions, standard, "/dev/null", standard == 0 ? O_RDONLY : O_WRONLY, 0);
  }
  if (status == 0) status = posix_spawn_file_actions_adddup2(actions, socket, 3);
  if (status == 0 && memory >= 0) status = posix_spawn_file_actions_adddup2(actions, memory, 4);
  if (status == 0) status = posix_spawn_file_actions_addclosefrom_np(actions, memory >= 0 ? 5 : 4);
  return status;
}

static int set_attributes(posix_spawnattr_t *attributes) {
  sigset_t blocked, every;
  sigemptyset(&blocked);
  // SIGUSR1 requests a trace of the program. It is blocked here, because it may be sent to all processes of the
  // program.
  sigaddset(&blocked, SIGUSR1);
  sigfillset(&every);
  int status = posix_spawnattr_setsigmask(attributes, &blocked);
  if (status == 0) status = posix_spawnattr_setsigdefault(attributes, &every);
  if (status == 0) {
    status = posix_spawnattr_setflags(
        attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID);
  }
  return status;
}

static int spawn(const char *path, char *const arguments[], int socket, int memory, pid_t *process) {
  // A crashed process must end immediately, without printing a backtrace for seconds. It needs the runtime's libraries.
  char *environment[] = {"SWIFT_BACKTRACE=enable=no", NULL, NULL};
  char *libraries = NULL;
  const char *path_of_libraries = getenv("LD_LIBRARY_PATH");
  if (path_of_libraries != NULL && asprintf(&libraries, "LD_LIBRARY_PATH=%s", path_of_libraries) > 0) {
    environment[1] = libraries;
  }
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int status = posix_spawn_file_actions_init(&actions);
  if (status == 0) {
    status = posix_spawnattr_init(&attributes);
    if (status == 0) {
      status = add_descriptors(&actions, socket, memory);
      if (status == 0) status = set_attributes(&attributes);
      if (status == 0) status = posix_spawn(process, path, &actions, &attributes, arguments, environment);
      posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
  }
  free(libraries);
  return status;
}

int platform_spawn_reader(
    const char *path, char *const arguments[], int socket, int memory, platform_priority priority, pid_t *process,
    int *process_descriptor) {
  int parked_socket = fcntl(socket, F_DUPFD_CLOEXEC, FIRST_PARKED_DESCRIPTOR);
  if (parked_socket < 0) return errno;
  int parked_memory = -1;
  if (memory >= 0) {
    parked_memory = fcntl(memory, F_DUPFD_CLOEXEC, FIRST_PARKED_DESCRIPTOR);
    if (parked_memory < 0) {
      int status = errno;
      close(parked_socket);
      return status;
    }
  }
  int status = spawn(path, arguments, parked_socket, parked_memory, process);
  close(parked_socket);
  if (parked_memory >= 0) close(parked_memory);
  if (status != 0) return status;
  *process_descriptor = (int)syscall(SYS_pidfd_open, *process, 0);
  if (*process_descriptor < 0) {
    status = errno;
    kill(*process, SIGKILL);
    waitpid(*process, NULL, 0);
    return status;
  }
  set_priority(*process, priority);
  return 0;
}

int platform_open_child(pid_t process) {
  const int descriptor = (int)syscall(SYS_pidfd_open, process, 0);
  if (descriptor < 0) return -1;
  siginfo_t information;
  if (waitid(P_PIDFD, (id_t)descriptor, &information, WEXITED | WNOHANG | WNOWAIT) == 0) return descriptor;
  const int cause = errno;
  close(descriptor);
  errno = cause;
  return -1;
}

void platform_keep_children(void) {
  struct sigaction action;
  if (sigaction(SIGCHLD, NULL, &action) != 0 || action.sa_handler != SIG_IGN) return;
  memset(&action, 0, sizeof action);
  action.sa_handler = SIG_DFL;
  sigaction(SIGCHLD, &action, NULL);
}

void platform_kill_process(int process_descriptor) {
  syscall(SYS_pidfd_send_signal, process_descriptor, SIGKILL, NULL, 0);
}

void platform_kill_process_group(pid_t leader) { kill(-leader, SIGKILL); }

int platform_reap_process_group(pid_t leader, int waits) {
  while (1) {
    siginfo_t information;
    memset(&information, 0, sizeof information);
    const int options = WEXITED | (waits ? 0 : WNOHANG);
    if (waitid(P_PGID, (id_t)leader, &information, options) != 0) {
      if (errno == EINTR) continue;
      return 1;
    }
    if (information.si_pid == 0) return 0;
  }
}

static int ending_of(const siginfo_t *information) {
  return information->si_code == CLD_EXITED ? information->si_status : -information->si_status;
}

int platform_reap_process(int process_descriptor, int64_t *processor_time) {
  siginfo_t information;
  struct rusage used;
  memset(&information, 0, sizeof information);
  *processor_time = 0;
  long status;
  do {
    // The system call itself, which also tells what was used.
    status = syscall(SYS_waitid, P_PIDFD, process_descriptor, &information, WEXITED, &used);
  } while (status != 0 && errno == EINTR);
  if (status != 0) return PLATFORM_ENDING_UNKNOWN;
  *processor_time = ((int64_t)used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000000 +
                    ((int64_t)used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1000;
  return ending_of(&information);
}

int platform_process_has_ended(int process_descriptor, int *ending) {
  siginfo_t information;
  memset(&information, 0, sizeof information);
  if (waitid(P_PIDFD, (id_t)process_descriptor, &information, WEXITED | WNOHANG | WNOWAIT) != 0) return 0;
  if (information.si_pid == 0) return 0;
  *ending = ending_of(&information);
  return 1;
}

int platform_renew_processor_time(pid_t process, uint64_t seconds) {
  clockid_t clock;
  struct timespec used;
  struct rlimit limit;
  const int status = clock_getcpuclockid(process, &clock);
  if (status != 0) {
    errno = status;
    return -1;
  }
  if (clock_gettime(clock, &used) != 0 || prlimit(process, RLIMIT_CPU, NULL, &limit) != 0) return -1;
  // Rounded up, because the kernel counts whole seconds.
  const rlim_t until = (rlim_t)used.tv_sec + 1 + seconds;
  limit.rlim_cur = until < limit.rlim_max ? until : limit.rlim_max;
  return prlimit(process, RLIMIT_CPU, &limit, NULL);
}

int64_t platform_processor_time(pid_t process) {
  clockid_t clock;
  struct timespec used;
  if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &used) != 0) return -1;
  return (int64_t)used.tv_sec * 1000000000 + used.tv_nsec;
}

int platform_is_runnable(pid_t process) {
  char path[64], line[128];
  snprintf(path, sizeof path, "/proc/%ld/stat", (long)process);
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  const ssize_t length = read(file, line, sizeof line - 1);
  close(file);
  if (length <= 0) return 0;
  line[length] = 0;
  // The state follows the name, which is in parentheses and may contain parentheses itself.
  const char *name_end = strrchr(line, ')');
  return name_end != NULL && name_end[1] == ' ' && name_end[2] == 'R';
}

int64_t platform_run_delay(pid_t process) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%ld/schedstat", (long)process);
  FILE *file = fopen(path, "re");
  if (file == NULL) return -1;
  int64_t ran = 0, waited = 0;
  int count = fscanf(file, "%" SCNd64 " %" SCNd64, &ran, &waited);
  fclose(file);
  return count == 2 ? waited : -1;
}
