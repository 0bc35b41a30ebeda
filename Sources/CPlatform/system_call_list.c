#define _GNU_SOURCE
#include "system_call_list.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sanitizers.h"

#if defined(__x86_64__)
#define THIS_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define THIS_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef THIS_ARCHITECTURE

// Instructions of the filter.
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
// The lower half of an argument, which comes first on both architectures.
#define LOAD_ARGUMENT(index) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[index]))
#define ANSWER(action) BPF_STMT(BPF_RET | BPF_K, action)
#define SKIP_UNLESS_EQUAL(value, count) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, count)
#define SKIP_IF_EQUAL(value, count) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, count, 0)
#define SKIP_IF_BELOW(value, count) BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, value, 0, count)
#define SKIP_IF_SET(bits, count) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, count, 0)
#define SKIP_UNLESS_SET(bits, count) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, count)
#define ALLOW(call) SKIP_UNLESS_EQUAL(SYS_##call, 1), ANSWER(SECCOMP_RET_ALLOW)

static uint32_t answer_to_forbidden_calls(int is_fatal) {
  return is_fatal ? SECCOMP_RET_KILL_PROCESS : SECCOMP_RET_ERRNO | (ENOSYS & SECCOMP_RET_DATA);
}

static int add_filter(struct sock_filter *instructions, size_t count) {
  const struct sock_fprog program = {.len = (unsigned short)count, .filter = instructions};
  return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}

int system_calls_restrict(int is_fatal) {
  const uint32_t forbidden = answer_to_forbidden_calls(is_fatal);
  struct sock_filter instructions[] = {
      LOAD(arch),
      SKIP_IF_EQUAL(THIS_ARCHITECTURE, 1),
      ANSWER(SECCOMP_RET_KILL_PROCESS),
      LOAD(nr),
#if defined(__x86_64__)
      // System calls of the x32 ABI.
      SKIP_IF_BELOW(0x40000000, 1),
      ANSWER(forbidden),
#endif
      // Receiving a request with its file, and reading the file. The reply is sent by write(2): with sendmsg a process
      // could put more descriptors into a socket than its user may have there, after which others cannot send any.
      ALLOW(recvmsg),
      ALLOW(fstat),
      ALLOW(pread64),
      ALLOW(close),
      // The allocator.
      ALLOW(munmap),
      ALLOW(mremap),
      ALLOW(brk),
      ALLOW(madvise),
      // The runtime: waiting for locks (those with priorities have had many faults in the kernel), hash seeds, the clock if
      // it needs a system call, and the message of a trap, which is written as the reply is.
      SKIP_UNLESS_EQUAL(SYS_futex, 8),
      LOAD_ARGUMENT(1),
      BPF_STMT(BPF_ALU | BPF_AND | BPF_K, (uint32_t)FUTEX_CMD_MASK),
      SKIP_IF_EQUAL(FUTEX_WAIT, 4),
      SKIP_IF_EQUAL(FUTEX_WAKE, 3),
      SKIP_IF_EQUAL(FUTEX_WAIT_BITSET, 2),
      SKIP_IF_EQUAL(FUTEX_WAKE_BITSET, 1),
      ANSWER(forbidden),
      ANSWER(SECCOMP_RET_ALLOW),
      ALLOW(getrandom),
      ALLOW(clock_gettime),
      ALLOW(write),
      // A requested delay, and its remainder after the process was stopped and continued.
      ALLOW(clock_nanosleep),
      ALLOW(restart_syscall),
      // Exit.
      ALLOW(exit),
      ALLOW(exit_group),
      // The parent of picture processes: forking one, which then narrows this list.
      SKIP_UNLESS_EQUAL(SYS_clone, 4),
      LOAD_ARGUMENT(0),
      SKIP_UNLESS_EQUAL(SYSTEM_CALLS_FORK_FLAGS, 1),
      ANSWER(SECCOMP_RET_ALLOW),
      ANSWER(forbidden),
      SKIP_UNLESS_EQUAL(SYS_prctl, 4),
      LOAD_ARGUMENT(0),
      SKIP_UNLESS_EQUAL(PR_SET_PDEATHSIG, 1),
      ANSWER(SECCOMP_RET_ALLOW),
      ANSWER(forbidden),
      SKIP_UNLESS_EQUAL(SYS_seccomp, 4),
      LOAD_ARGUMENT(0),
      SKIP_UNLESS_EQUAL(SECCOMP_SET_MODE_FILTER, 1),
      ANSWER(SECCOMP_RET_ALLOW),
      ANSWER(forbidden),
#if PLATFORM_HAS_SHADOW_MEMORY
      // System calls of the sanitizers' runtimes.
      ALLOW(mmap),
      ALLOW(mprotect),
      ALLOW(newfstatat),
      ALLOW(sigaltstack),
      ALLOW(rt_sigaction),
      ALLOW(rt_sigprocmask),
      ALLOW(rt_sigreturn),
      ALLOW(gettid),
      ALLOW(getpid),
      ALLOW(tgkill),
      ALLOW(sched_yield),
#else
      // Anonymous memory that is not executable.
      SKIP_UNLESS_EQUAL(SYS_mmap, 6),
      LOAD_ARGUMENT(2),
      SKIP_IF_SET(PROT_EXEC, 3),
      LOAD_ARGUMENT(3),
      SKIP_UNLESS_SET(MAP_ANONYMOUS, 1),
      ANSWER(SECCOMP_RET_ALLOW),
      ANSWER(forbidden),
#endif
      ANSWER(forbidden),
  };
  return add_filter(instructions, sizeof instructions / sizeof *instructions);
}

int system_calls_restrict_picture_process(int is_fatal) {
  // The filter of the parent stays, and the stricter answer of both applies.
  struct sock_filter instructions[] = {
      LOAD(nr),
      SKIP_IF_EQUAL(SYS_clone, 3),
      SKIP_IF_EQUAL(SYS_prctl, 2),
      SKIP_IF_EQUAL(SYS_seccomp, 1),
      ANSWER(SECCOMP_RET_ALLOW),
      ANSWER(answer_to_forbidden_calls(is_fatal)),
  };
  return add_filter(instructions, sizeof instructions / sizeof *instructions);
}

#else

int system_calls_restrict(int is_fatal) {
  (void)is_fatal;
  errno = ENOSYS;
  return -1;
}

int system_calls_restrict_picture_process(int is_fatal) { return system_calls_restrict(is_fatal); }

#endif
