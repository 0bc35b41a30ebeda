// Files in memory that have no name: written once, then sealed.
#ifndef CPLATFORM_MEMORY_FILES_H
#define CPLATFORM_MEMORY_FILES_H

/// New empty memory that grows as it is written to, close-on-exec; -1 with errno. The C function is memfd_create(2).
int platform_open_memory(const char *name);

/// Makes memory stay as it is for everybody, whoever has a descriptor of it: 0, or -1 with errno. The C function is fcntl(2)
/// with F_ADD_SEALS.
int platform_seal_memory(int memory);

#endif
