import Glibc

/// The description of why nothing can be stored in the cache folder, for the user.
///
/// The error of a database often says only that a file could not be opened, so the folder is examined for the reason.
enum StorageFault {
  /// Returns a sentence without a full stop that names the folder and the reason.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - directory: The bytes of the folder's path.
  static func text(for error: StorageError, in directory: [UInt8]) -> String {
    text(for: error, name: String(decoding: directory, as: UTF8.self), obstacle: obstacle(to: error, in: directory))
  }

  /// Returns the sentence for an error and what the examination of the folder found.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - name: The path of the folder for display.
  ///   - obstacle: The `errno` that explains the error, or nil if the folder does not explain it.
  static func text(for error: StorageError, name: String, obstacle: Int32?) -> String {
    switch obstacle ?? error.code {
    case EROFS: "the cache folder \(name) is on a read-only file system"
    case ENOSPC: "the disk of the cache folder \(name) is full; free some space"
    case EDQUOT: "the quota of the disk of the cache folder \(name) is used up; free some space"
    case EACCES, EPERM: "the cache folder \(name) may not be written: permission denied"
    case ENOTDIR, EEXIST: "the cache folder \(name) is not a folder, or is within a file"
    default: "the cache folder \(name) cannot be used: \(error)"
    }
  }

  /// Returns the `errno` that explains an error of a missing or inaccessible file: that of the nearest folder that exists, or
  /// that of a full disk; nil if the error explains itself.
  ///
  /// The C functions are `faccessat` and `statvfs`.
  private static func obstacle(to error: StorageError, in directory: [UInt8]) -> Int32? {
    guard [ENOENT, EIO, EUCLEAN].contains(error.code) else { return nil }
    var path = directory
    while true {
      let text = path.map { CChar(bitPattern: $0) } + [0]
      if faccessat(AT_FDCWD, text, W_OK, AT_EACCESS) == 0 { return isFull(text) ? ENOSPC : nil }
      guard errno == ENOENT, let slash = path.lastIndex(of: UInt8(ascii: "/")), path.count > 1 else {
        return errno == ENOENT ? nil : errno
      }
      path.removeSubrange(max(slash, 1)...)
    }
  }

  private static func isFull(_ path: [CChar]) -> Bool {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return false }
    // File systems without a limit report none.
    return (status.f_blocks > 0 && status.f_bavail == 0) || (status.f_files > 0 && status.f_favail == 0)
  }
}
