// FreeType and HarfBuzz in one module, so that both can share an open font.
// Debian packages: libfreetype-dev libharfbuzz-dev.
#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H
#include <harfbuzz/hb.h>
#include <harfbuzz/hb-ft.h>
#include <harfbuzz/hb-ot.h>

// Load flags that are macros with casts, which Swift does not import: outlines with light hinting.
static const FT_Int32 ctype_load_light = FT_LOAD_TARGET_LIGHT | FT_LOAD_NO_BITMAP;
// Colour bitmaps, rendered.
static const FT_Int32 ctype_load_color = FT_LOAD_COLOR | FT_LOAD_RENDER;
