// A library for LD_PRELOAD that counts the program's calls of SDL's drawing functions, FreeType's colour glyphs and
// SDL2_image, separately for the first thread, which draws, and for all others. It can make an SDL function fail, as
// after the loss of a device.
//
// At exit it writes a line per function to $VITRINE_LIBRARY_CALL_LOG: name, calls on the first thread, calls on other threads.
// VITRINE_LIBRARY_CALL_FAIL=NAME:N makes the Nth call of that function, counted from 1, and all later ones fail.
// It does nothing in the child processes of the program.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FUNCTIONS(each) \
    each(SDL_CreateTexture) each(SDL_RenderCopy) each(SDL_RenderFillRect) each(SDL_RenderPresent) \
    each(FT_Load_Glyph_colour) each(IMG_Load) each(IMG_Load_RW) each(IMG_LoadTyped_RW) each(IMG_LoadTexture) \
    each(IMG_LoadTexture_RW) each(IMG_LoadTextureTyped_RW) each(IMG_LoadAnimation) each(IMG_LoadAnimation_RW) \
    each(IMG_LoadPNG_RW) each(IMG_LoadJPG_RW) each(IMG_LoadTIF_RW) each(IMG_LoadWEBP_RW) each(IMG_LoadGIF_RW) \
    each(IMG_LoadBMP_RW) each(IMG_LoadSVG_RW) each(IMG_Init) each(IMG_SavePNG_RW)

#define NUMBER(name) number_##name,
enum { FUNCTIONS(NUMBER) function_count };
#define NAME(name) #name,
static const char *const names[] = {FUNCTIONS(NAME)};
static atomic_int calls[function_count][2];

// Returns whether this is the program, and not a decoding process.
static int is_program(void)
{
    const char *const name = program_invocation_short_name;
    return strncmp(name, "vitrine", 7) == 0 && strncmp(name, "vitrine-decode", 14) != 0;
}

// Counts a call and returns whether it must fail.
static int count_call(int number)
{
    const int is_first = syscall(SYS_gettid) == getpid();
    const int call = atomic_fetch_add(&calls[number][is_first ? 0 : 1], 1) + 1;
    const char *const fail = getenv("VITRINE_LIBRARY_CALL_FAIL");
    if (!fail || !is_program()) return 0;
    const size_t length = strlen(names[number]);
    return strncmp(fail, names[number], length) == 0 && fail[length] == ':' && call >= atoi(fail + length + 1);
}

static void *next_function(const char *name)
{
    void *const function = dlsym(RTLD_NEXT, name);
    if (function) return function;
    fprintf(stderr, "library_call_shim: there is no %s\n", name);
    abort();
}

static int fail_call(void)
{
    ((int (*)(const char *, ...))next_function("SDL_SetError"))("injected");
    return -1;
}

__attribute__((destructor)) static void write_counts(void)
{
    const char *const path = getenv("VITRINE_LIBRARY_CALL_LOG");
    if (!path || !is_program()) return;
    FILE *const file = fopen(path, "we");
    if (!file) return;
    for (int number = 0; number < function_count; number++)
        fprintf(file, "%s %d %d\n", names[number], atomic_load(&calls[number][0]), atomic_load(&calls[number][1]));
    fclose(file);
}

// MARK: SDL

void *SDL_CreateTexture(void *renderer, uint32_t format, int access, int width, int height)
{
    if (count_call(number_SDL_CreateTexture)) return fail_call(), NULL;
    return ((void *(*)(void *, uint32_t, int, int, int))next_function("SDL_CreateTexture"))(
        renderer, format, access, width, height);
}

int SDL_RenderCopy(void *renderer, void *texture, const void *source, const void *target)
{
    if (count_call(number_SDL_RenderCopy)) return fail_call();
    return ((int (*)(void *, void *, const void *, const void *))next_function("SDL_RenderCopy"))(
        renderer, texture, source, target);
}

int SDL_RenderFillRect(void *renderer, const void *rect)
{
    if (count_call(number_SDL_RenderFillRect)) return fail_call();
    return ((int (*)(void *, const void *))next_function("SDL_RenderFillRect"))(renderer, rect);
}

void SDL_RenderPresent(void *renderer)
{
    ((void (*)(void *))next_function("SDL_RenderPresent"))(renderer);
    if (count_call(number_SDL_RenderPresent)) fail_call();
}

// MARK: FreeType

int FT_Load_Glyph(void *face, unsigned glyph, int32_t flags)
{
    // FT_LOAD_COLOR
    if (flags & 1 << 20) count_call(number_FT_Load_Glyph_colour);
    return ((int (*)(void *, unsigned, int32_t))next_function("FT_Load_Glyph"))(face, glyph, flags);
}

// MARK: SDL2_image

#define COUNT_POINTER(name)                                                                                    \
    void *name(void *one, intptr_t two, intptr_t three, intptr_t four)                                         \
    {                                                                                                          \
        count_call(number_##name);                                                                             \
        return ((void *(*)(void *, intptr_t, intptr_t, intptr_t))next_function(#name))(one, two, three, four); \
    }
COUNT_POINTER(IMG_Load)
COUNT_POINTER(IMG_Load_RW)
COUNT_POINTER(IMG_LoadTyped_RW)
COUNT_POINTER(IMG_LoadTexture)
COUNT_POINTER(IMG_LoadTexture_RW)
COUNT_POINTER(IMG_LoadTextureTyped_RW)
COUNT_POINTER(IMG_LoadAnimation)
COUNT_POINTER(IMG_LoadAnimation_RW)
COUNT_POINTER(IMG_LoadPNG_RW)
COUNT_POINTER(IMG_LoadJPG_RW)
COUNT_POINTER(IMG_LoadTIF_RW)
COUNT_POINTER(IMG_LoadWEBP_RW)
COUNT_POINTER(IMG_LoadGIF_RW)
COUNT_POINTER(IMG_LoadBMP_RW)
COUNT_POINTER(IMG_LoadSVG_RW)

int IMG_Init(int flags)
{
    count_call(number_IMG_Init);
    return ((int (*)(int))next_function("IMG_Init"))(flags);
}

int IMG_SavePNG_RW(void *surface, void *stream, int closes)
{
    count_call(number_IMG_SavePNG_RW);
    return ((int (*)(void *, void *, int))next_function("IMG_SavePNG_RW"))(surface, stream, closes);
}
