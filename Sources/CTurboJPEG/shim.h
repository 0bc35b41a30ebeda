// Debian package: libturbojpeg0-dev.
#include <turbojpeg.h>
