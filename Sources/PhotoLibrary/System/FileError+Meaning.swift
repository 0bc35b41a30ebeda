import Glibc

extension FileError {
  /// Whether nothing stands there, or no longer.
  public var isAbsence: Bool { code == ENOENT || code == ENOTDIR || code == ESTALE }

  /// Whether the user's rights do not suffice.
  public var isDenial: Bool { code == EACCES || code == EPERM }

  /// Whether a link leads to itself.
  public var isLinkLoop: Bool { code == ELOOP }
}
