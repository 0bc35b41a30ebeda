// File system encryption.
#ifndef CPLATFORM_ENCRYPTION_H
#define CPLATFORM_ENCRYPTION_H

/// Returns whether an open file or folder is encrypted by its file system (fscrypt), so that it cannot be read without
/// its key although others on the same disk can. Full-disk encryption is not detected. The C function is statx(2).
///
/// @return 1 if it is encrypted, 0 if it is not or the file system does not support encryption, or -1 with errno.
int platform_is_encrypted(int descriptor);

#endif
