// Loaded into the program by LD_PRELOAD: counts its calls into SDL's drawing, FreeType's colour glyphs and SDL2_image, apart for the
// first thread, which draws, and all others; and lets one of SDL's calls fail, as a lost device does.
//
// Written to $VITRINE_DOOR_LOG at the end, a line a function: name, calls on the first thread, calls on others.
// VITRINE_DOOR_FAIL=NAME:N has the call number N of that function, counted from 1, and every later one fail.
// What the program itself starts loads this too and does nothing.
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

// Not what decodes beside it.
static int is_program(void)
{
    const char *const name = program_invocation_short_name;
    return strncmp(name, "vitrine", 7) == 0 && strcmp(name, "vitrine-decode") != 0;
}

// Counts a call, and says whether it is to fail.
static int note(int number)
{
    const int is_first = syscall(SYS_gettid) == getpid();
    const int call = atomic_fetch_add(&calls[number][is_first ? 0 : 1], 1) + 1;
    const char *const fail = getenv("VITRINE_DOOR_FAIL");
    if (!fail || !is_program()) return 0;
    const size_t length = strlen(names[number]);
    return strncmp(fail, names[number], length) == 0 && fail[length] == ':' && call >= atoi(fail + length + 1);
}

static void *next(const char *name)
{
    void *const function = dlsym(RTLD_NEXT, name);
    if (function) return function;
    fprintf(stderr, "door_shim: there is no %s\n", name);
    abort();
}

static int refuse(void)
{
    ((int (*)(const char *, ...))next("SDL_SetError"))("injected");
    return -1;
}

__attribute__((destructor)) static void write_counts(void)
{
    const char *const path = getenv("VITRINE_DOOR_LOG");
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
    if (note(number_SDL_CreateTexture)) return refuse(), NULL;
    return ((void *(*)(void *, uint32_t, int, int, int))next("SDL_CreateTexture"))(renderer, format, access, width, height);
}

int SDL_RenderCopy(void *renderer, void *texture, const void *source, const void *target)
{
    if (note(number_SDL_RenderCopy)) return refuse();
    return ((int (*)(void *, void *, const void *, const void *))next("SDL_RenderCopy"))(renderer, texture, source, target);
}

int SDL_RenderFillRect(void *renderer, const void *rect)
{
    if (note(number_SDL_RenderFillRect)) return refuse();
    return ((int (*)(void *, const void *))next("SDL_RenderFillRect"))(renderer, rect);
}

void SDL_RenderPresent(void *renderer)
{
    ((void (*)(void *))next("SDL_RenderPresent"))(renderer);
    if (note(number_SDL_RenderPresent)) refuse();
}

// MARK: FreeType

int FT_Load_Glyph(void *face, unsigned glyph, int32_t flags)
{
    // FT_LOAD_COLOR
    if (flags & 1 << 20) note(number_FT_Load_Glyph_colour);
    return ((int (*)(void *, unsigned, int32_t))next("FT_Load_Glyph"))(face, glyph, flags);
}

// MARK: SDL2_image

#define COUNT_POINTER(name)                                                                                        \
    void *name(void *one, intptr_t two, intptr_t three, intptr_t four)                                             \
    {                                                                                                              \
        note(number_##name);                                                                                       \
        return ((void *(*)(void *, intptr_t, intptr_t, intptr_t))next(#name))(one, two, three, four);              \
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
    note(number_IMG_Init);
    return ((int (*)(int))next("IMG_Init"))(flags);
}

int IMG_SavePNG_RW(void *surface, void *stream, int closes)
{
    note(number_IMG_SavePNG_RW);
    return ((int (*)(void *, void *, int))next("IMG_SavePNG_RW"))(surface, stream, closes);
}
