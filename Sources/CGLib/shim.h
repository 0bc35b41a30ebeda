// Names of files and digests as desktops make them. Debian package: libglib2.0-dev.
#include <glib.h>
