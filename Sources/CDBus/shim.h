// Messages to and from other programs of the session. Debian package: libdbus-1-dev.
#include <dbus/dbus.h>
