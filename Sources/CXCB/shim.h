// The X protocol and its shared memory extension.
// Debian packages: libxcb1-dev libxcb-shm0-dev.
#include <xcb/shm.h>
#include <xcb/xcb.h>

// Returns the server's data of the shared memory extension. Its ID is a global variable in XCB, which Swift cannot
// assume to be constant.
static inline const xcb_query_extension_reply_t *cxcb_shared_memory(xcb_connection_t *connection) {
  return xcb_get_extension_data(connection, &xcb_shm_id);
}
