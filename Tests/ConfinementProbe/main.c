// A program for tests that confines itself like a decoding process and tries a forbidden or permitted action.
//
//   ConfinementProbe try LAYERS fail|kill ACTION  prints the active layers, then the result of the action
//   ConfinementProbe without NUMBER,... PROGRAM ARGUMENT...
//                    runs a program for which the given system calls fail with ENOSYS, as on an older kernel
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "CPlatform.h"

enum { MAXIMUM_CALLS = 512, CHUNK = 16 << 20 };

static int own_file;

static void print_value(const char *word, long number) {
  char line[64];
  const int length = snprintf(line, sizeof line, "%s %ld\n", word, number);
  if (write(1, line, (size_t)length) != length) _exit(99);
}

// An action returns a value of at least 0, or -1 and sets errno.
static long open_file(void) { return syscall(SYS_openat, AT_FDCWD, "/etc/passwd", O_RDONLY, 0); }
static long open_folder(void) { return syscall(SYS_openat, AT_FDCWD, "/", O_RDONLY | O_DIRECTORY, 0); }
static long make_file(void) { return syscall(SYS_openat, AT_FDCWD, "/tmp/vitrine-probe", O_WRONLY | O_CREAT, 0600); }
static long make_folder(void) { return syscall(SYS_mkdirat, AT_FDCWD, "/tmp/vitrine-probe-folder", 0700); }
static long make_socket(void) { return syscall(SYS_socket, AF_INET, SOCK_STREAM, 0); }
static long fork_process(void) {
  const long child = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
  if (child == 0) _exit(0);
  return child;
}
static long trace_parent(void) { return syscall(SYS_ptrace, PTRACE_SEIZE, getppid(), 0, 0); }
static long signal_parent(void) { return syscall(SYS_kill, getppid(), 0); }
static long signal_self(void) { return syscall(SYS_kill, getpid(), 0); }
static long execute(void) {
  char *arguments[] = {"true", NULL};
  return syscall(SYS_execve, "/bin/true", arguments, NULL);
}
static long map_executable(void) {
  return syscall(SYS_mmap, 0, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == -1 ? -1 : 0;
}
static long map_file(void) { return syscall(SYS_mmap, 0, 4096, PROT_READ, MAP_PRIVATE, own_file, 0) == -1 ? -1 : 0; }
static long map_memory(void) {
  return syscall(SYS_mmap, 0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == -1 ? -1 : 0;
}
static long read_file(void) {
  char byte;
  return syscall(SYS_pread64, own_file, &byte, 1, 0);
}
static long change_word(int operation) {
  uint32_t word = 0;
  return syscall(SYS_futex, &word, operation, 1, NULL, NULL, 0);
}
static long wake(void) { return change_word(FUTEX_WAKE_PRIVATE); }
static long lock_with_priority(void) { return change_word(FUTEX_LOCK_PI_PRIVATE); }
static long wake_by_operation(void) { return change_word(FUTEX_WAKE_OP); }
static long raise_limit(void) {
  const uint64_t limit[2] = {1000, 1000};
  return syscall(SYS_prlimit64, 0, 0, limit, NULL);
}
static long write_file(void) {
  signal(SIGXFSZ, SIG_IGN);
  return write(own_file, "x", 1);
}
static long duplicate_descriptors(void) {
  long count = 0;
  while (dup(own_file) >= 0) count++;
  return errno == EMFILE ? count : -1;
}
static long map_much_memory(void) {
  long count = 0;
  while (count < 1024 && mmap(NULL, CHUNK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED) {
    count++;
  }
  return count;
}
static long tcp(int connects) {
  const int socket_ = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}, .sin_port = htons(9)};
  if (socket_ < 0) return -1;
  if (!connects) address.sin_port = 0;
  return connects ? connect(socket_, (struct sockaddr *)&address, sizeof address)
                  : bind(socket_, (struct sockaddr *)&address, sizeof address);
}
static long connect_tcp(void) { return tcp(1); }
static long bind_tcp(void) { return tcp(0); }

// Returns whether a number is a call of the kernel's probes: on x86-64 two calls pass every filter, and kill a process
// that makes them outside a probe.
static int is_probe_call(int number) {
#if defined(__x86_64__)
  return number == 335 || number == 336;
#else
  (void)number;
  return 0;
#endif
}

// Makes every system call that is not on the list, prints those that do not fail with ENOSYS, and returns the number of
// those that do.
static long sweep(void) {
  static const int allowed[] = {
      SYS_recvmsg, SYS_fstat, SYS_pread64, SYS_close, SYS_mmap, SYS_munmap, SYS_mremap, SYS_brk,
      SYS_madvise, SYS_futex, SYS_getrandom, SYS_clock_gettime, SYS_write, SYS_clock_nanosleep, SYS_restart_syscall,
      SYS_exit, SYS_exit_group};
  long refused = 0;
  for (int number = 0; number < MAXIMUM_CALLS; number++) {
    int is_allowed = 0;
    for (size_t index = 0; index < sizeof allowed / sizeof *allowed; index++) is_allowed |= allowed[index] == number;
    if (is_allowed || is_probe_call(number)) continue;
    errno = 0;
    if (syscall(number, 0, 0, 0, 0, 0, 0) == -1 && errno == ENOSYS) {
      refused++;
    } else {
      print_value("let through", number);
    }
  }
#if defined(__x86_64__)
  // The same calls with the numbers of the x32 ABI.
  for (int number = 0; number < MAXIMUM_CALLS; number++) {
    if (is_probe_call(number)) continue;
    errno = 0;
    if (syscall(number | 0x40000000, 0, 0, 0, 0, 0, 0) != -1 || errno != ENOSYS) print_value("let through", number);
  }
#endif
  return refused;
}

static const struct {
  const char *name;
  long (*run)(void);
} actions[] = {
    {"open", open_file},          {"folder", open_folder},     {"make", make_file},
    {"mkdir", make_folder},       {"socket", make_socket},     {"fork", fork_process},
    {"ptrace", trace_parent},     {"kill", signal_parent},     {"kill-self", signal_self},
    {"execve", execute},          {"map-code", map_executable}, {"map-file", map_file},
    {"map", map_memory},          {"read", read_file},         {"prlimit", raise_limit},
    {"write", write_file},        {"descriptors", duplicate_descriptors}, {"memory", map_much_memory},
    {"connect", connect_tcp},     {"bind", bind_tcp},          {"sweep", sweep},
    {"wake", wake},               {"lock-pi", lock_with_priority}, {"wake-op", wake_by_operation},
};

static int try_action(const char *layers, const char *mode, const char *name) {
  for (size_t index = 0; index < sizeof actions / sizeof *actions; index++) {
    if (strcmp(actions[index].name, name) != 0) continue;
    own_file = memfd_create("probe", MFD_CLOEXEC);
    if (own_file < 0) return 98;
    const uint32_t requested = (uint32_t)strtoul(layers, NULL, 0);
    print_value("layers", platform_confine(requested, 512 << 20, 16, strcmp(mode, "kill") == 0));
    const long result = actions[index].run();
    const int error = errno;
    print_value(result < 0 ? "failed" : "did", result < 0 ? error : result);
    _exit(0);
  }
  return 64;
}

static int run_without(char *numbers, char **program) {
  struct sock_filter instructions[2 * 32 + 2];
  unsigned short count = 0;
  instructions[count++] =
      (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
  for (char *number = strtok(numbers, ","); number != NULL && count < 64; number = strtok(NULL, ",")) {
    instructions[count++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)atoi(number), 0, 1);
    instructions[count++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS);
  }
  instructions[count++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  const struct sock_fprog filter = {.len = count, .filter = instructions};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return 97;
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0) return 96;
  execv(program[0], program);
  return 95;
}

int main(int count, char **arguments) {
  // Ends an action that hangs.
  if (count > 1 && strcmp(arguments[1], "try") == 0) alarm(20);
  if (count == 5 && strcmp(arguments[1], "try") == 0) return try_action(arguments[2], arguments[3], arguments[4]);
  if (count >= 4 && strcmp(arguments[1], "without") == 0) return run_without(arguments[2], arguments + 3);
  return 64;
}
