// What a process takes away from itself before it looks at a stranger's file.
#ifndef CPLATFORM_CONFINEMENT_H
#define CPLATFORM_CONFINEMENT_H

#include <stdint.h>

/// Gives up gaining rights by executing anything, for good; 0, or -1 with errno. The C function is prctl(2) with
/// PR_SET_NO_NEW_PRIVS.
int platform_forbid_new_privileges(void);

/// Has the kernel kill this process when the thread that started it ends; 0, or -1 with errno. The C function is
/// prctl(2) with PR_SET_PDEATHSIG.
int platform_die_with_parent(void);

/// Limits memory to so many bytes of address space, writing of files to none, core dumps to none and descriptors to so
/// many; 0, or -1 with errno. Under AddressSanitizer, whose shadow takes terabytes, the address space stays as it is.
/// The C function is setrlimit(2) with RLIMIT_AS, RLIMIT_FSIZE, RLIMIT_CORE and RLIMIT_NOFILE.
int platform_limit_resources(uint64_t address_space, uint64_t descriptors);

#endif
