// Whether this is built with a sanitizer, whose runtime needs more system calls and memory than the program.
#ifndef CPLATFORM_SANITIZERS_H
#define CPLATFORM_SANITIZERS_H

#define PLATFORM_HAS_SHADOW_MEMORY 0
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#undef PLATFORM_HAS_SHADOW_MEMORY
#define PLATFORM_HAS_SHADOW_MEMORY 1
#endif
#endif

#endif
