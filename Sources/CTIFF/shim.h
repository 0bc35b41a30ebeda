// Debian package: libtiff-dev.
#include <tiffio.h>

// `TIFFGetField` is variadic, so Swift cannot call it. Each of these functions takes the arguments of its tag.

static inline int ctiff_get_u16(TIFF *file, uint32_t tag, uint16_t *value) {
  return TIFFGetFieldDefaulted(file, tag, value);
}

static inline int ctiff_get_u32(TIFF *file, uint32_t tag, uint32_t *value) {
  return TIFFGetFieldDefaulted(file, tag, value);
}

static inline int ctiff_get_bytes(TIFF *file, uint32_t tag, uint32_t *count, const void **bytes) {
  return TIFFGetField(file, tag, count, bytes);
}

static inline int ctiff_get_extra_samples(TIFF *file, uint16_t *count, const uint16_t **kinds) {
  return TIFFGetField(file, TIFFTAG_EXTRASAMPLES, count, kinds);
}

static inline int ctiff_get_palette(TIFF *file, const uint16_t **red, const uint16_t **green, const uint16_t **blue) {
  return TIFFGetField(file, TIFFTAG_COLORMAP, red, green, blue);
}

// Requests conversion to RGB of YCbCr in JPEG data.
static inline int ctiff_want_rgb_of_jpeg(TIFF *file) {
  return TIFFSetField(file, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
}
