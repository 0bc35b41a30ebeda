// Whether a file system keeps a file encrypted.
#ifndef CPLATFORM_ENCRYPTION_H
#define CPLATFORM_ENCRYPTION_H

/// Whether an open file or folder is one that its file system encrypts (fscrypt), so that without its key it cannot be read
/// on the same disk as its neighbours. What a whole disk is encrypted with is not seen here. The C function is statx(2).
///
/// @return 1 where it is, 0 where it is not or the file system knows no such thing, -1 with errno.
int platform_is_encrypted(int descriptor);

#endif
