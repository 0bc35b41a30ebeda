// A library for LD_PRELOAD that records the times of presenting each frame, and counts the allocations of the thread
// that draws between the marks of a frame. At exit it writes $VITRINE_OBSERVE_LOG.NAME.PID, because child processes
// load it too. Each line is a frame: number, start, end of commit, start and end of presenting, allocations. Times are
// in nanoseconds on CLOCK_MONOTONIC, or 0 if the event did not happen.
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
// Accessed without a call, which could allocate inside an allocation.
#define INITIAL_EXEC __attribute__((tls_model("initial-exec")))
static _Thread_local bool draws INITIAL_EXEC, is_within INITIAL_EXEC, has_pending_image INITIAL_EXEC;
// The allocations of a thread, and those before its current frame.
static _Thread_local uint64_t allocations INITIAL_EXEC, allocations_before INITIAL_EXEC;

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
    allocations_before = allocations;
    is_within = true;
}

void vitrine_frame_committed(uint32_t number)
{
    is_within = false;
    struct frame *frame = frame_count > 0 ? &frames[frame_count - 1] : NULL;
    if (!frame || frame->number != number) return;
    frame->allocations = (uint32_t)(allocations - allocations_before);
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

// Returns the function that this library replaces.
static void *next_function(const char *name)
{
    void *function = dlsym(RTLD_NEXT, name);
    if (function) return function;
    fprintf(stderr, "frame_shim: there is no %s\n", name);
    abort();
}

void SDL_RenderPresent(void *renderer)
{
    static void (*present)(void *);
    if (!present) present = (void (*)(void *))next_function("SDL_RenderPresent");
    begin_presenting();
    present(renderer);
    end_presenting();
}

int SDL_UpdateWindowSurfaceRects(void *window, const void *rects, int count)
{
    static int (*update)(void *, const void *, int);
    if (!update) update = (int (*)(void *, const void *, int))next_function("SDL_UpdateWindowSurfaceRects");
    begin_presenting();
    int status = update(window, rects, count);
    end_presenting();
    return status;
}

// xcb_void_cookie_t
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
    if (!put) put = (put_image *)next_function("xcb_shm_put_image");
    begin_presenting();
    has_pending_image = true;
    return put(connection, drawable, context, total_width, total_height, x, y, width, height, to_x, to_y, depth, format,
               sends_event, segment, offset);
}

// The next flush sends the image.
int xcb_flush(void *connection)
{
    static int (*flush)(void *);
    if (!flush) flush = (int (*)(void *))next_function("xcb_flush");
    int status = flush(connection);
    if (has_pending_image) end_presenting();
    has_pending_image = false;
    return status;
}

// MARK: The allocator

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

void *malloc(size_t size)
{
    allocations++;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    allocations++;
    return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    allocations++;
    return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    allocations++;
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
    allocations++;
    if (alignment < sizeof(void *) || (alignment & (alignment - 1))) return EINVAL;
    void *made = __libc_memalign(alignment, size);
    if (!made) return ENOMEM;
    *memory = made;
    return 0;
}

// Found by the program, which reports it as its count.
uint64_t allocations_of_this_thread(void) { return allocations; }

// MARK: The log

__attribute__((destructor)) static void write_log(void)
{
    const char *stem = getenv("VITRINE_OBSERVE_LOG");
    if (!stem || frame_count == 0) return;
    char path[4096];
    snprintf(path, sizeof path, "%s.%s.%d", stem, program_invocation_short_name, (int)getpid());
    FILE *log = fopen(path, "w");
    if (!log) return;
    for (size_t index = 0; index < frame_count; index++) {
        const struct frame *frame = &frames[index];
        fprintf(log, "%u %lld %lld %lld %lld %u\n", frame->number, (long long)frame->begun, (long long)frame->committed,
                (long long)frame->presenting, (long long)frame->presented, frame->allocations);
    }
    fclose(log);
}
