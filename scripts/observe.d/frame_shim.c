// Loaded into the program by LD_PRELOAD: stamps how a frame is presented, and counts how often memory is allocated between the
// marks of a frame, on the thread that draws. Written to $VITRINE_OBSERVE_LOG.NAME.PID at the end: what the program itself starts
// loads this too. A line is a frame: number, begun, committed, presenting begun, presented, allocations; nanoseconds on
// CLOCK_MONOTONIC, 0 where it did not happen.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { most_frames = 1 << 16 };

struct frame {
    int64_t begun, committed, presenting, presented;
    uint32_t number, allocations;
};

static struct frame frames[most_frames];
static size_t frame_count;
// At hand without a call: looking them up could allocate, in the midst of an allocation.
#define AT_HAND __attribute__((tls_model("initial-exec")))
static _Thread_local bool draws AT_HAND, is_within AT_HAND, has_put AT_HAND;
static _Thread_local uint32_t allocations AT_HAND;

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

// MARK: The program's marks

void vitrine_frame_begins(uint32_t number)
{
    draws = true;
    if (frame_count < most_frames) frames[frame_count++] = (struct frame){.begun = now(), .number = number};
    allocations = 0;
    is_within = true;
}

void vitrine_frame_committed(uint32_t number)
{
    is_within = false;
    struct frame *frame = frame_count > 0 ? &frames[frame_count - 1] : NULL;
    if (!frame || frame->number != number) return;
    frame->allocations = allocations;
    frame->committed = now();
}

// MARK: Presenting

static void begin_presenting(void)
{
    if (draws && frame_count > 0 && frames[frame_count - 1].presenting == 0) frames[frame_count - 1].presenting = now();
}

static void end_presenting(void)
{
    if (draws && frame_count > 0) frames[frame_count - 1].presented = now();
}

// The function that would be called if this library were not there.
static void *next(const char *name)
{
    void *function = dlsym(RTLD_NEXT, name);
    if (function) return function;
    fprintf(stderr, "frame_shim: there is no %s\n", name);
    abort();
}

void SDL_RenderPresent(void *renderer)
{
    static void (*present)(void *);
    if (!present) present = (void (*)(void *))next("SDL_RenderPresent");
    begin_presenting();
    present(renderer);
    end_presenting();
}

int SDL_UpdateWindowSurfaceRects(void *window, const void *rects, int count)
{
    static int (*update)(void *, const void *, int);
    if (!update) update = (int (*)(void *, const void *, int))next("SDL_UpdateWindowSurfaceRects");
    begin_presenting();
    int status = update(window, rects, count);
    end_presenting();
    return status;
}

// xcb_void_cookie_t: a number.
struct cookie {
    unsigned int sequence;
};

typedef struct cookie put_image(void *, uint32_t, uint32_t, uint16_t, uint16_t, uint16_t, uint16_t, uint16_t, uint16_t,
                                int16_t, int16_t, uint8_t, uint8_t, uint8_t, uint32_t, uint32_t);

struct cookie xcb_shm_put_image(void *connection, uint32_t drawable, uint32_t context, uint16_t total_width,
                                uint16_t total_height, uint16_t x, uint16_t y, uint16_t width, uint16_t height, int16_t to_x,
                                int16_t to_y, uint8_t depth, uint8_t format, uint8_t sends_event, uint32_t segment,
                                uint32_t offset)
{
    static put_image *put;
    if (!put) put = (put_image *)next("xcb_shm_put_image");
    begin_presenting();
    has_put = true;
    return put(connection, drawable, context, total_width, total_height, x, y, width, height, to_x, to_y, depth, format,
               sends_event, segment, offset);
}

// What was put is on its way with the next flush.
int xcb_flush(void *connection)
{
    static int (*flush)(void *);
    if (!flush) flush = (int (*)(void *))next("xcb_flush");
    int status = flush(connection);
    if (has_put) end_presenting();
    has_put = false;
    return status;
}

// MARK: The allocator

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

void *malloc(size_t size)
{
    if (is_within) allocations++;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    if (is_within) allocations++;
    return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    if (is_within) allocations++;
    return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    if (is_within) allocations++;
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
    if (is_within) allocations++;
    if (alignment < sizeof(void *) || (alignment & (alignment - 1))) return EINVAL;
    void *made = __libc_memalign(alignment, size);
    if (!made) return ENOMEM;
    *memory = made;
    return 0;
}

// MARK: The log

__attribute__((destructor)) static void write_log(void)
{
    const char *stem = getenv("VITRINE_OBSERVE_LOG");
    if (!stem || frame_count == 0) return;
    char path[4096];
    snprintf(path, sizeof path, "%s.%s.%d", stem, program_invocation_short_name, (int)getpid());
    FILE *log = fopen(path, "w");
    if (!log) return;
    for (size_t place = 0; place < frame_count; place++) {
        const struct frame *frame = &frames[place];
        fprintf(log, "%u %lld %lld %lld %lld %u\n", frame->number, (long long)frame->begun, (long long)frame->committed,
                (long long)frame->presenting, (long long)frame->presented, frame->allocations);
    }
    fclose(log);
}
