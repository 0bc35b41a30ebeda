import CPlatform
import Glibc

/// How well what is in a place is kept from others: where a copy may lie without being easier to come by than its original.
struct StorageProtection: Hashable, Sendable {
  /// The device: one may be encrypted as a whole, carried away, or another's, and nobody tells which.
  var device: UInt64
  /// Whether the file system encrypts it apart from its neighbours.
  var isEncrypted: Bool

  /// Whether a copy of what lies there may lie here.
  ///
  /// On the same device only, and what is encrypted only in encrypted places.
  func allowsCopy(of original: StorageProtection) -> Bool {
    device == original.device && (isEncrypted || !original.isEncrypted)
  }
}

extension StorageProtection {
  /// What holds for an open file or folder.
  ///
  /// The C functions are `fstat` and `statx`.
  ///
  /// - Parameter descriptor: its number.
  /// - Returns: nothing where the system does not tell, as those before Linux 4.11 do not.
  init?(of descriptor: Int32) {
    var status = stat()
    let encryption = platform_is_encrypted(descriptor)
    guard encryption >= 0, fstat(descriptor, &status) == 0 else { return nil }
    self.init(device: UInt64(status.st_dev), isEncrypted: encryption == 1)
  }
}
