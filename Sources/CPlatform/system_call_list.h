// A filter that allows only the system calls that decoding needs.
#ifndef CPLATFORM_SYSTEM_CALL_LIST_H
#define CPLATFORM_SYSTEM_CALL_LIST_H

#include <sched.h>
#include <signal.h>

/// Restricts the calling process to the list. Returns 0, or -1 with errno. The C function is seccomp(2) with
/// SECCOMP_SET_MODE_FILTER.
///
/// @param is_fatal Whether any other call ends the process with SIGSYS. Otherwise it fails with ENOSYS.
int system_calls_restrict(int is_fatal);

/// The flags of clone(2) that the list allows: a process whose parent is that of the calling one.
#define SYSTEM_CALLS_FORK_FLAGS (CLONE_PARENT | SIGCHLD)

/// Removes the calls from the list that only the parent of picture processes needs: clone, prctl and seccomp. Returns
/// 0, or -1 with errno. The C function is seccomp(2).
int system_calls_restrict_picture_process(int is_fatal);

#endif
