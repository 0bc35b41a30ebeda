// Debian package: libspng-dev.
#include <spng.h>
