// A filter that allows only the system calls that decoding needs.
#ifndef CPLATFORM_SYSTEM_CALL_LIST_H
#define CPLATFORM_SYSTEM_CALL_LIST_H

/// Restricts the calling process to the list. Returns 0, or -1 with errno. The C function is seccomp(2) with
/// SECCOMP_SET_MODE_FILTER.
///
/// @param is_fatal Whether any other call ends the process with SIGSYS. Otherwise it fails with ENOSYS.
int system_calls_restrict(int is_fatal);

#endif
