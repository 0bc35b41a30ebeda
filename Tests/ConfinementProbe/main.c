// A program of the tests: closes the box of the decoding processes around itself and tries what it forbids.
//
//   ConfinementProbe try LAYERS fail|kill DEED    prints the layers that are up, then what the deed came to
//   ConfinementProbe without NUMBER,... PROGRAM ARGUMENT...
//                    starts a program on a kernel that has not these system calls, as far as it can see
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
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

enum { MOST_CALLS = 512, CHUNK = 16 << 20 };

static int own_file;

static void say(const char *word, long number) {
  char line[64];
  const int length = snprintf(line, sizeof line, "%s %ld\n", word, number);
  if (write(1, line, (size_t)length) != length) _exit(99);
}

// A deed gives 0 or more, or -1 with errno.
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
static long signal_oneself(void) { return syscall(SYS_kill, getpid(), 0); }
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
static long raise_limit(void) {
  const uint64_t limit[2] = {1000, 1000};
  return syscall(SYS_prlimit64, 0, 0, limit, NULL);
}
static long write_file(void) {
  signal(SIGXFSZ, SIG_IGN);
  return write(own_file, "x", 1);
}
static long many_descriptors(void) {
  long count = 0;
  while (dup(own_file) >= 0) count++;
  return errno == EMFILE ? count : -1;
}
static long much_memory(void) {
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

// Two calls of the kernel's own probes pass every filter on x86-64, and end whoever makes them elsewhere.
static int is_kernels_own(int number) {
#if defined(__x86_64__)
  return number == 335 || number == 336;
#else
  (void)number;
  return 0;
#endif
}

// Every number but those on the list must give ENOSYS: prints the others.
static long sweep(void) {
  static const int allowed[] = {
      SYS_recvmsg, SYS_sendmsg, SYS_fstat, SYS_pread64, SYS_close, SYS_mmap, SYS_munmap, SYS_mremap, SYS_brk,
      SYS_madvise, SYS_futex, SYS_getrandom, SYS_clock_gettime, SYS_write, SYS_clock_nanosleep, SYS_restart_syscall,
      SYS_exit, SYS_exit_group};
  long refused = 0;
  for (int number = 0; number < MOST_CALLS; number++) {
    int is_allowed = 0;
    for (size_t index = 0; index < sizeof allowed / sizeof *allowed; index++) is_allowed |= allowed[index] == number;
    if (is_allowed || is_kernels_own(number)) continue;
    errno = 0;
    if (syscall(number, 0, 0, 0, 0, 0, 0) == -1 && errno == ENOSYS) {
      refused++;
    } else {
      say("let through", number);
    }
  }
#if defined(__x86_64__)
  // The same calls by the numbers of the x32 interface.
  for (int number = 0; number < MOST_CALLS; number++) {
    if (is_kernels_own(number)) continue;
    errno = 0;
    if (syscall(number | 0x40000000, 0, 0, 0, 0, 0, 0) != -1 || errno != ENOSYS) say("let through", number);
  }
#endif
  return refused;
}

static const struct {
  const char *name;
  long (*run)(void);
} deeds[] = {
    {"open", open_file},          {"folder", open_folder},     {"make", make_file},
    {"mkdir", make_folder},       {"socket", make_socket},     {"fork", fork_process},
    {"ptrace", trace_parent},     {"kill", signal_parent},     {"kill-self", signal_oneself},
    {"execve", execute},          {"map-code", map_executable}, {"map-file", map_file},
    {"map", map_memory},          {"read", read_file},         {"prlimit", raise_limit},
    {"write", write_file},        {"descriptors", many_descriptors}, {"memory", much_memory},
    {"connect", connect_tcp},     {"bind", bind_tcp},          {"sweep", sweep},
};

static int try_deed(const char *layers, const char *mode, const char *name) {
  for (size_t index = 0; index < sizeof deeds / sizeof *deeds; index++) {
    if (strcmp(deeds[index].name, name) != 0) continue;
    own_file = memfd_create("probe", MFD_CLOEXEC);
    if (own_file < 0) return 98;
    const uint32_t wanted = (uint32_t)strtoul(layers, NULL, 0);
    say("layers", platform_confine(wanted, 512 << 20, 16, strcmp(mode, "kill") == 0));
    const long result = deeds[index].run();
    const int cause = errno;
    say(result < 0 ? "failed" : "did", result < 0 ? cause : result);
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
  // Whatever a deed comes to, the test hears of it.
  if (count > 1 && strcmp(arguments[1], "try") == 0) alarm(20);
  if (count == 5 && strcmp(arguments[1], "try") == 0) return try_deed(arguments[2], arguments[3], arguments[4]);
  if (count >= 4 && strcmp(arguments[1], "without") == 0) return run_without(arguments[2], arguments + 3);
  return 64;
}
