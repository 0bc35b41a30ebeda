// File URIs and digests, as desktops compute them. Debian package: libglib2.0-dev.
#include <glib.h>
