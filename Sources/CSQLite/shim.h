// Debian package: libsqlite3-dev.
#include <sqlite3.h>

// `SQLITE_STATIC` is a cast of a number to a function pointer, which Swift does not import. SQLite does not copy the
// bytes, which must stay valid until the statement is reset.
static inline int csqlite_bind_bytes(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_STATIC);
}
