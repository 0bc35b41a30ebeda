// Debian package: libavif-dev.
#include <avif/avif.h>
