import Glibc

extension FileError {
  /// Whether nothing stands there, or no longer.
  public var isNotFound: Bool { code == ENOENT || code == ENOTDIR || code == ESTALE }

  /// Whether the user's rights do not suffice.
  public var isPermissionDenied: Bool { code == EACCES || code == EPERM }

  /// Whether a link leads to itself.
  public var isSymbolicLinkLoop: Bool { code == ELOOP }
}
