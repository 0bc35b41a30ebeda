#define _GNU_SOURCE
#include "CAllocations.h"

#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>

#define COUNTS 1
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#undef COUNTS
#define COUNTS 0
#endif
#endif
#if !defined(__GLIBC__)
#undef COUNTS
#define COUNTS 0
#endif

#if COUNTS

// The C library's internal names, which are available before symbols can be looked up.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static _Thread_local uint64_t calls __attribute__((tls_model("initial-exec")));

// The functions that would be called without this file: those of the C library, or of a tool in LD_PRELOAD. They are
// set once, before the constructors of libraries run, when there is one thread.
static void *(*next_malloc)(size_t) = __libc_malloc;
static void *(*next_calloc)(size_t, size_t) = __libc_calloc;
static void *(*next_realloc)(void *, size_t) = __libc_realloc;
static void *(*next_aligned_alloc)(size_t, size_t) = __libc_memalign;
static int (*next_posix_memalign)(void **, size_t, size_t);

static void find(const char *name, void *place)
{
    void *function = dlsym(RTLD_NEXT, name);
    if (function) *(void **)place = function;
}

static void find_next(int count, char **words, char **environment)
{
    (void)count, (void)words, (void)environment;
    find("malloc", &next_malloc);
    find("calloc", &next_calloc);
    find("realloc", &next_realloc);
    find("aligned_alloc", &next_aligned_alloc);
    find("posix_memalign", &next_posix_memalign);
}

__attribute__((section(".preinit_array"), used)) static void (*before_everything)(int, char **, char **) = find_next;

void *malloc(size_t size)
{
    ++calls;
    return next_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    ++calls;
    return next_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    ++calls;
    return next_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    ++calls;
    return next_aligned_alloc(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
    ++calls;
    if (next_posix_memalign) return next_posix_memalign(memory, alignment, size);
    // Called before find_next, by a library that the loader initialises.
    if (alignment < sizeof(void *) || (alignment & (alignment - 1))) return EINVAL;
    void *made = __libc_memalign(alignment, size);
    if (!made) return ENOMEM;
    *memory = made;
    return 0;
}

bool allocations_are_counted(void) { return true; }

uint64_t allocations_of_this_thread(void) { return calls; }

#else

bool allocations_are_counted(void) { return false; }

uint64_t allocations_of_this_thread(void) { return 0; }

#endif
