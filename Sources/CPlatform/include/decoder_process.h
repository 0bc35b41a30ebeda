// Functions that start, monitor and end decoding processes.
#ifndef CPLATFORM_DECODER_PROCESS_H
#define CPLATFORM_DECODER_PROCESS_H

#include <stdint.h>
#include <sys/types.h>

/// The share of a process in a core that others use too.
typedef enum platform_priority {
  /// The default share.
  PLATFORM_PRIORITY_USUAL = 0,
  /// A lower share without preempting others on wake-up: SCHED_BATCH at niceness 5, or the program's niceness if that
  /// is higher, with slices of 3 ms.
  PLATFORM_PRIORITY_BATCH = 1,
  /// Idle time only: SCHED_IDLE, or niceness 19 if it is not available. An unprivileged process cannot undo this.
  PLATFORM_PRIORITY_IDLE = 2,
} platform_priority;

/// Starts a process that reads untrusted files, with its socket at descriptor 3, shared memory at 4 and /dev/null at 0, 1
/// and 2.
///
/// The process has its own session, so that its processor time does not count as the program's, and Ctrl-C in the
/// terminal ends the program rather than the process. Only SIGUSR1 is blocked, and no signal is ignored. The
/// environment has LD_LIBRARY_PATH and disables backtraces. The C functions are posix_spawn(3), pidfd_open(2) and
/// sched_setattr(2).
///
/// @param path The executable.
/// @param arguments Its argv, which ends with NULL.
/// @param socket The socket.
/// @param memory The shared memory, or -1 if there is none.
/// @param priority The share of the process in a core that others use too.
/// @param process Set to the ID of the process.
/// @param process_descriptor Set to a descriptor that becomes readable when the process ends, close-on-exec.
/// @return 0, or an error number.
int platform_spawn_reader(
    const char *path, char *const arguments[], int socket, int memory, platform_priority priority, pid_t *process,
    int *process_descriptor);

enum {
  /// How a process ended is unknown.
  PLATFORM_ENDING_UNKNOWN = -65536
};

/// Opens a process, which must be a child that has not been reaped. Returns a descriptor that becomes readable when the
/// process ends, close-on-exec, or -1 with errno. The C functions are pidfd_open(2) and waitid(2).
int platform_open_child(pid_t process);

/// Lets this program learn how its children end: SIGCHLD is not ignored any more, as it may be by inheritance. A handler
/// remains. The C function is sigaction(2).
void platform_keep_children(void);

/// Kills a process with SIGKILL. Does nothing if it has ended already. The C function is pidfd_send_signal(2).
void platform_kill_process(int process_descriptor);

/// Kills a process that leads a session, and those that it has forked, with SIGKILL. The process must not have been
/// reaped. The C function is kill(2) with the group.
void platform_kill_process_group(pid_t leader);

/// Reaps all children in the group of a process that have ended. The C function is waitid(2) with P_PGID.
///
/// @param waits Whether to wait until none is left.
/// @return 1 if none is left, otherwise 0.
int platform_reap_process_group(pid_t leader, int waits);

/// Waits for a process to end and reaps it. The C function is waitid(2).
///
/// @param processor_time Set to the processor time that the process has used, in nanoseconds; 0 if it was reaped
///   elsewhere.
/// @return The exit status, or the negative number of the signal that ended the process. PLATFORM_ENDING_UNKNOWN if it was
///   reaped elsewhere.
int platform_reap_process(int process_descriptor, int64_t *processor_time);

/// Returns whether a process has ended, without reaping it. The C function is waitid(2) with WNOWAIT.
///
/// @param ending Set to the result that platform_reap_process would return, if the process has ended.
/// @return 1 if the process has ended, otherwise 0.
int platform_process_has_ended(int process_descriptor, int *ending);

/// Limits the processor time of a process to a number of seconds from now. SIGXCPU ends the process when the limit is
/// exceeded. Returns 0, or -1 with errno.
///
/// The kernel counts from the start of a process, so the limit must be renewed for each request. The parent does this,
/// because the process is not allowed the system call. The C functions are clock_getcpuclockid(3) and prlimit(2).
int platform_renew_processor_time(pid_t process, uint64_t seconds);

/// Returns the processor time of a process in nanoseconds, or -1 if it is unknown. The C functions are
/// clock_getcpuclockid(3) and clock_gettime(2).
int64_t platform_processor_time(pid_t process);

/// Returns whether a process is running or waiting for a core, from /proc/PID/stat. 0 if it waits for something else.
int platform_is_runnable(pid_t process);

/// Returns how long the first thread of a process has been waiting for a core, in nanoseconds, from field 2 of
/// /proc/PID/schedstat, or -1 if it is unknown.
int64_t platform_run_delay(pid_t process);

#endif
