// Starting, watching and ending a decoding process.
#ifndef CPLATFORM_DECODER_PROCESS_H
#define CPLATFORM_DECODER_PROCESS_H

#include <stdint.h>
#include <sys/types.h>

/// What a process gets of a core that others want too.
typedef enum platform_priority {
  /// As much as they.
  PLATFORM_PRIORITY_USUAL = 0,
  /// As much as they, but it takes no core from them when it wakes: SCHED_BATCH at niceness 5, or the program's own where that is higher, with slices of 3 ms.
  PLATFORM_PRIORITY_BATCH = 1,
  /// What they leave: SCHED_IDLE, else niceness 19. Without privileges a process never comes out of this again.
  PLATFORM_PRIORITY_IDLE = 2,
} platform_priority;

/// Starts a decoding process: its socket at descriptor 3, its slots at 4, nothing else open but /dev/null at 0, 1 and 2.
///
/// It is in a session of its own, so that the kernel does not count what it uses as the drawing program's, and that Ctrl-C at the terminal ends the program and not the process under its
/// hands; with no signal blocked or ignored, and of the environment it sees LD_LIBRARY_PATH alone. The C functions are
/// posix_spawn(3), pidfd_open(2) and sched_setattr(2).
///
/// @param path the executable; argv is "vitrine-decode", slot_count, slot_bytes, forbidden_calls.
/// @param priority what it gets of a core that others want too.
/// @param process where the process's number goes.
/// @param process_descriptor where the descriptor goes that becomes readable when the process ends; close-on-exec.
/// @return 0, or the error number.
int platform_spawn_decoder(
    const char *path, const char *slot_count, const char *slot_bytes, const char *forbidden_calls, int socket, int slots,
    platform_priority priority, pid_t *process, int *process_descriptor);

/// Ends a process at once with SIGKILL; one that has ended already is no error. The C function is pidfd_send_signal(2).
void platform_kill_process(int process_descriptor);

/// Waits until a process has ended and forgets it. The C function is waitid(2).
///
/// @return its exit status, or the number of the signal that ended it, negative; 0 where another has reaped it.
int platform_reap_process(int process_descriptor);

/// Whether a process has ended; does not take its end away from platform_reap_process. The C function is waitid(2) with
/// WNOWAIT.
///
/// @param ending what platform_reap_process would return, where it has ended.
/// @return 1 when it has ended, else 0.
int platform_process_has_ended(int process_descriptor, int *ending);

/// Allows a process so many seconds of processor time from now on; past them it is ended by SIGXCPU. 0, or -1 with errno.
///
/// The kernel counts over a process's whole life, so this is done anew for each request, and by the parent: the process
/// itself has no system call to do it. The C functions are clock_getcpuclockid(3) and prlimit(2).
int platform_renew_processor_time(pid_t process, uint64_t seconds);

/// The bytes of memory that are the process's alone, neither a file's nor shared: /proc/PID/statm; -1 where the kernel does
/// not tell.
int64_t platform_private_bytes(pid_t process);

/// The processor time that a process has had, in nanoseconds; -1 where the kernel does not tell. The C functions are
/// clock_getcpuclockid(3) and clock_gettime(2).
int64_t platform_processor_time(pid_t process);

/// Whether a process runs or could, but for a core: the state in /proc/PID/stat. 0 where it waits for something else.
int platform_is_runnable(pid_t process);

/// How long the process's first thread has stood ready to run and had no core, in nanoseconds: field 2 of
/// /proc/PID/schedstat; -1 where the kernel does not count it.
int64_t platform_run_delay(pid_t process);

#endif
