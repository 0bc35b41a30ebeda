// Debian package: liblcms2-dev.
#include <lcms2.h>

// Pixel formats are macros that Swift does not import.

// Red, green, blue and a byte that is left unchanged.
static inline cmsUInt32Number clcms_colors(void) { return TYPE_RGBA_8; }

// Grey, and three bytes that are ignored.
static inline cmsUInt32Number clcms_grey(void) {
  return COLORSPACE_SH(PT_GRAY) | EXTRA_SH(3) | CHANNELS_SH(1) | BYTES_SH(1);
}

// Red, green and blue of sixteen bits.
static inline cmsUInt32Number clcms_deep_colors(void) { return TYPE_RGB_16; }
