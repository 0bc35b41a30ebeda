// Records between the program and a decoding process, and the memory they share.
#ifndef CPLATFORM_RECORDS_H
#define CPLATFORM_RECORDS_H

#include <stddef.h>
#include <sys/types.h>

/// Sends one record, and a file's descriptor with it unless that is -1. The C function is sendmsg(2) with SCM_RIGHTS.
///
/// @return the bytes sent, or -1 with errno; a peer that has left is EPIPE, never a signal.
ssize_t platform_send_record(int socket, const void *bytes, size_t count, int descriptor);

/// Receives one record and at most one descriptor, close-on-exec. The C function is recvmsg(2).
///
/// @param descriptor where the descriptor goes, -1 when none came; surplus ones are closed.
/// @param truncated where 1 goes when the record or its descriptors were cut off, otherwise 0.
/// @return the bytes received, 0 when the peer has left, or -1 with errno.
ssize_t platform_receive_record(int socket, void *bytes, size_t count, int *descriptor, int *truncated);

/// Memory that two processes can share and neither can resize; close-on-exec. The C function is memfd_create(2).
///
/// @return a descriptor, or -1 with errno.
int platform_memfd(const char *name, size_t bytes);

#endif
