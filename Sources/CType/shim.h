// FreeType and HarfBuzz in one module: a font's file is open once for both.
// Debian packages: libfreetype-dev libharfbuzz-dev.
#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H
#include <harfbuzz/hb.h>
#include <harfbuzz/hb-ft.h>
#include <harfbuzz/hb-ot.h>

// Macros with casts are not seen from Swift.
static const FT_Int32 ctype_load_light = FT_LOAD_TARGET_LIGHT | FT_LOAD_NO_BITMAP;
// Of a font of pictures: the picture itself, in its colours.
static const FT_Int32 ctype_load_color = FT_LOAD_COLOR | FT_LOAD_RENDER;
