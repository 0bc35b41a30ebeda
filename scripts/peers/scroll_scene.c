// A peer of `scripts/bench scroll --scene`: the same scene in plain C and SDL, drawn by SDL's software renderer. A grid
// with six columns of images of 180 x 135 and a line of text below each (a prepared bitmap) scrolls in a window of 1280
// x 800 at 2,000 points per second. Entering images and lines are uploaded to the textures of those that left.
//
//   scroll_scene whole|moved HZ SECONDS
//
// whole: every frame is drawn completely (SDL_CreateRenderer). moved: the window's surface is moved by memmove, and
// only the entering rows are drawn. Prints the processor time per frame (user and system) in microseconds, without the
// first 60 frames. There is no collection view and there are no cells: this is the minimum cost of the scene.
#define _GNU_SOURCE
#include <SDL2/SDL.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

enum {
    width = 1280, height = 800, columns = 6, cell_width = 180, picture_height = 135, line_height = 24,
    column_gap = 20, row_gap = 10, side = 50, row_height = picture_height + line_height + row_gap,
    rows = height / row_height + 2, pictures = 256
};

struct cell {
    SDL_Texture *picture, *line;
    int item;
};

static SDL_Window *window;
static SDL_Renderer *renderer;
static struct cell cells[rows * columns];
static uint32_t *bitmaps, *lines;

static void fail(const char *action)
{
    fprintf(stderr, "scroll_scene: %s: %s\n", action, SDL_GetError());
    exit(1);
}

static double processor_time(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec * 1e6 + time.tv_nsec / 1e3;
}

static uint32_t *noise(size_t count, uint32_t seed)
{
    uint32_t *pixels = malloc(count * sizeof *pixels);
    if (pixels == NULL) fail("allocate memory");
    for (size_t index = 0; index < count; index++) {
        seed = seed * 1664525 + 1013904223;
        pixels[index] = 0xFF000000 | seed >> 8;
    }
    return pixels;
}

static void make_textures(void)
{
    for (int index = 0; index < rows * columns; index++) {
        struct cell *cell = &cells[index];
        cell->item = -1;
        cell->picture = SDL_CreateTexture(
            renderer, SDL_PIXELFORMAT_RGB888, SDL_TEXTUREACCESS_STATIC, cell_width, picture_height);
        cell->line = SDL_CreateTexture(
            renderer, SDL_PIXELFORMAT_RGB888, SDL_TEXTUREACCESS_STATIC, cell_width, line_height);
        if (cell->picture == NULL || cell->line == NULL) fail("create a texture");
    }
}

// Draws the visible cells, and uploads those that entered.
static void draw(long offset)
{
    SDL_SetRenderDrawColor(renderer, 24, 24, 26, 255);
    SDL_RenderClear(renderer);
    for (long row = offset / row_height; row * row_height < offset + height; row++)
        for (int column = 0; column < columns; column++) {
            const int item = (int)(row * columns + column);
            struct cell *cell = &cells[item % (rows * columns)];
            if (cell->item != item) {
                cell->item = item;
                SDL_UpdateTexture(cell->picture, NULL,
                    bitmaps + (size_t)(item % pictures) * cell_width * picture_height, cell_width * 4);
                SDL_UpdateTexture(
                    cell->line, NULL, lines + (size_t)(item % pictures) * cell_width * line_height, cell_width * 4);
            }
            const SDL_Rect picture = {
                side + column * (cell_width + column_gap), (int)(row * row_height - offset), cell_width, picture_height};
            const SDL_Rect line = {picture.x, picture.y + picture_height, cell_width, line_height};
            SDL_RenderCopy(renderer, cell->picture, NULL, &picture);
            SDL_RenderCopy(renderer, cell->line, NULL, &line);
        }
}

int main(int count, char **arguments)
{
    if (count != 4) {
        fprintf(stderr, "usage: scroll_scene whole|moved HZ SECONDS\n");
        return 2;
    }
    const int moves = strcmp(arguments[1], "moved") == 0, rate = atoi(arguments[2]), seconds = atoi(arguments[3]);
    SDL_SetHint(SDL_HINT_FRAMEBUFFER_ACCELERATION, "0");
    SDL_SetHint(SDL_HINT_RENDER_DRIVER, "software");
    prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
    if (SDL_Init(SDL_INIT_VIDEO) != 0) fail("start SDL");
    window = SDL_CreateWindow("scene", 0, 0, width, height, 0);
    if (window == NULL) fail("open a window");
    SDL_Surface *surface = moves ? SDL_GetWindowSurface(window) : NULL;
    renderer = moves ? SDL_CreateSoftwareRenderer(surface) : SDL_CreateRenderer(window, -1, SDL_RENDERER_SOFTWARE);
    if (renderer == NULL) fail("create a renderer");
    bitmaps = noise((size_t)pictures * cell_width * picture_height, 1);
    lines = noise((size_t)pictures * cell_width * line_height, 2);
    make_textures();

    const int warm_up = 60, frames = rate * seconds;
    const double step = 2000.0 / rate;
    struct timespec tick;
    clock_gettime(CLOCK_MONOTONIC, &tick);
    double start = 0;
    long last = 0;
    for (int frame = 0; frame < warm_up + frames; frame++) {
        if (frame == warm_up) start = processor_time();
        SDL_Event event;
        while (SDL_PollEvent(&event)) {}
        const long offset = (long)(frame * step);
        const int entering = (int)(offset - last);
        if (moves && frame > 0 && entering < height) {
            char *pixels = surface->pixels;
            const SDL_Rect rest = {0, height - entering, width, entering};
            memmove(pixels, pixels + (size_t)entering * surface->pitch, (size_t)(height - entering) * surface->pitch);
            SDL_RenderSetClipRect(renderer, &rest);
        }
        draw(offset);
        last = offset;
        tick.tv_nsec += 1000000000 / rate;
        if (tick.tv_nsec >= 1000000000) {
            tick.tv_nsec -= 1000000000;
            tick.tv_sec++;
        }
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &tick, NULL);
        if (moves)
            SDL_UpdateWindowSurface(window);
        else
            SDL_RenderPresent(renderer);
    }
    printf("%.1f\n", (processor_time() - start) / frames);
    SDL_Quit();
    return 0;
}
