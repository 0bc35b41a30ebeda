// Debian package: libdeflate-dev.
#include <libdeflate.h>
