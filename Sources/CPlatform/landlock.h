// Landlock with every right handled and none granted.
#ifndef CPLATFORM_LANDLOCK_H
#define CPLATFORM_LANDLOCK_H

enum {
  /// The first versions of the interface with rights to files, with TCP, and with scopes of signals and abstract
  /// sockets.
  LANDLOCK_FILES_SINCE = 1,
  LANDLOCK_NETWORK_SINCE = 4,
  LANDLOCK_SCOPES_SINCE = 6
};

/// Forbids the calling thread everything that the kernel's Landlock can forbid. Open files stay usable. Returns the
/// version of the interface, or -1 with errno. The C functions are landlock_create_ruleset(2) and
/// landlock_restrict_self(2).
int landlock_forbid_everything(void);

#endif
