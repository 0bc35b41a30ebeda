// The system calls that decoding needs, and a filter that lets no other pass.
#ifndef CPLATFORM_SYSTEM_CALL_LIST_H
#define CPLATFORM_SYSTEM_CALL_LIST_H

/// Restricts the calling process to the list; 0, or -1 with errno. The C function is seccomp(2) with
/// SECCOMP_SET_MODE_FILTER.
///
/// @param is_fatal whether any other call ends the process by SIGSYS; otherwise it fails with ENOSYS.
int system_calls_restrict(int is_fatal);

#endif
