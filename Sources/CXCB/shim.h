// The X protocol and its extension for shared memory, request by request.
// Debian packages: libxcb1-dev libxcb-shm0-dev.
#include <xcb/shm.h>
#include <xcb/xcb.h>

// What the server says of shared memory. Its name in XCB is a variable, which Swift cannot know to be constant.
static inline const xcb_query_extension_reply_t *cxcb_shared_memory(xcb_connection_t *connection) {
  return xcb_get_extension_data(connection, &xcb_shm_id);
}
