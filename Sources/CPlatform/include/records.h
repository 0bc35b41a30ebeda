// Packets with at most one descriptor, and shared memory of a fixed size. These need macros (CMSG_*), variadic
// functions (fcntl) or Linux headers.
#ifndef CPLATFORM_RECORDS_H
#define CPLATFORM_RECORDS_H

#include <stddef.h>
#include <sys/types.h>

/// Sends a packet, with a descriptor unless that is -1, without raising SIGPIPE. Returns the number of bytes sent, or
/// -1 with errno, EAGAIN if the other end does not read. The C function is sendmsg(2) with SCM_RIGHTS.
ssize_t platform_send_record(int socket, const void *bytes, size_t count, int descriptor);

/// Receives a packet and its descriptor (close-on-exec), which is set to -1 if there is none. Surplus descriptors are
/// closed. Sets truncated to 1 if the packet or its descriptors did not fit, otherwise to 0. Returns the number of
/// bytes received, 0 at the end, or -1 with errno. The C function is recvmsg(2).
ssize_t platform_receive_record(int socket, void *bytes, size_t count, int *descriptor, int *truncated);

/// Creates shared memory of a fixed size in bytes, close-on-exec. Returns -1 with errno on failure. The C functions are
/// memfd_create(2) and fcntl(2) with F_ADD_SEALS.
int platform_memfd(const char *name, size_t bytes);

#endif
