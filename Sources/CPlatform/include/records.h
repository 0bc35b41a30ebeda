// Records of one packet with at most one descriptor beside them, and shared memory that cannot shrink: calls that need
// macros (CMSG_*), variadics (fcntl) or Linux's own headers.
#ifndef CPLATFORM_RECORDS_H
#define CPLATFORM_RECORDS_H

#include <stddef.h>
#include <sys/types.h>

/// Sends one packet, and a descriptor beside it unless that is -1; never raises SIGPIPE. Returns the bytes sent, or -1
/// with errno. The C function is sendmsg(2) with SCM_RIGHTS.
ssize_t platform_send_record(int socket, const void *bytes, size_t count, int descriptor);

/// Receives one packet, and the descriptor beside it (close-on-exec), or -1 there. Surplus descriptors are closed.
/// Sets truncated to 1 where the packet or its descriptors did not fit, else to 0. Returns the bytes received, 0 at the
/// end, or -1 with errno. The C function is recvmsg(2).
ssize_t platform_receive_record(int socket, void *bytes, size_t count, int *descriptor, int *truncated);

/// New shared memory of so many bytes that nobody can shrink or grow, close-on-exec; -1 with errno. The C functions are
/// memfd_create(2) and fcntl(2) with F_ADD_SEALS.
int platform_memfd(const char *name, size_t bytes);

#endif
