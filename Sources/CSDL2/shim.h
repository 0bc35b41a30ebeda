// SDL2 and SDL2_ttf in one module. The program defines main() itself.
// Debian packages: libsdl2-dev libsdl2-ttf-dev.
#define SDL_MAIN_HANDLED
#include <SDL2/SDL.h>
#include <SDL2/SDL_syswm.h>
#include <SDL2/SDL_ttf.h>
