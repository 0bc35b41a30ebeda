// Debian package: libwebp-dev.
#include <webp/decode.h>
