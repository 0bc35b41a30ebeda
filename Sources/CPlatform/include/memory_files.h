// Anonymous files in memory that are written once and then sealed.
#ifndef CPLATFORM_MEMORY_FILES_H
#define CPLATFORM_MEMORY_FILES_H

/// Creates an empty file in memory, close-on-exec, which grows when it is written. Returns -1 with errno on failure.
/// The C function is memfd_create(2).
int platform_open_memory(const char *name);

/// Seals a file in memory against all changes through any descriptor. Returns 0, or -1 with errno. The C function is
/// fcntl(2) with F_ADD_SEALS.
int platform_seal_memory(int memory);

#endif
