import VitrineDataStructures
package import VitrineImageMetadata

/// The record of a photograph.
package struct Photo: Hashable, Sendable {
  /// The identifier of the photograph, valid during this run.
  package var id: PhotoID
  /// The path of the file.
  package var path: PhotoPath
  /// The identity of the file, including its version.
  package var identity: FileIdentity
  /// The image header, or nil if it has not been read or the file is not a picture.
  package var header: ImageHeader?
  /// Why the photograph cannot be shown, or nil if no reason is known.
  package var failure: PhotoFailure?

  /// Creates a record.
  package init(
    id: PhotoID, path: PhotoPath, identity: FileIdentity, header: ImageHeader? = nil, failure: PhotoFailure? = nil
  ) {
    self.id = id
    self.path = path
    self.identity = identity
    self.header = header
    self.failure = failure
  }
}

/// An identifier of a photograph, valid during one run.
///
/// A path always has the same identifier, which no other path ever gets. An identifier is not a row number: photographs
/// keep theirs when others are added, removed or moved.
package struct PhotoID: Hashable, Sendable {
  /// The number of the identifier.
  ///
  /// Its order has no meaning.
  package let rawValue: UInt32

  /// Creates an identifier from a number, for libraries without a ``PhotoCatalogue``.
  package init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// The identity of a file, including its version.
///
/// Identities support comparison for equality only. They do not tell which version is newer, because clocks can be set
/// back.
package struct FileIdentity: Hashable, Sendable {
  /// The number of the file system.
  package var device: UInt64
  /// The number of the file on its file system.
  package var inode: UInt64
  /// The length in bytes.
  package var byteCount: Int64
  /// The modification date in nanoseconds since 1970, clamped to the years 1677 to 2262.
  package var modificationNanoseconds: Int64

  /// The identity of a file whose status could not be read.
  package static let unknown = FileIdentity(device: 0, inode: 0, byteCount: 0, modificationNanoseconds: 0)

  /// Creates an identity.
  package init(device: UInt64, inode: UInt64, byteCount: Int64, modificationNanoseconds: Int64) {
    self.device = device
    self.inode = inode
    self.byteCount = byteCount
    self.modificationNanoseconds = modificationNanoseconds
  }

  /// Creates an identity from a modification date in two parts, which may have any value.
  init(device: UInt64, inode: UInt64, byteCount: Int64, modificationSeconds seconds: Int64, nanoseconds: Int64) {
    let (whole, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, overflowsToo) = whole.addingReportingOverflow(nanoseconds)
    self.init(
      device: device, inode: inode, byteCount: byteCount,
      modificationNanoseconds: overflows || overflowsToo ? (seconds < 0 ? .min : .max) : sum)
  }

  /// The modification date in whole seconds since 1970, rounded down.
  package var modificationSeconds: Int64 {
    let (quotient, remainder) = modificationNanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    return remainder < 0 ? quotient - 1 : quotient
  }

  /// A hash of the identity for cache keys.
  ///
  /// Equal identities have equal versions in every run. Different identities have different versions, except with a
  /// probability of 2^-64.
  package var version: UInt64 {
    var hash: UInt64 = 0x9E37_79B9_7F4A_7C15
    for part in [device, inode, UInt64(bitPattern: byteCount), UInt64(bitPattern: modificationNanoseconds)] {
      hash = SplitMix64.mix(hash ^ part)
    }
    return hash
  }
}

/// A reason why a photograph that was found cannot be shown.
///
/// This is a state of the item, not an error of the program.
package enum PhotoFailure: UInt8, CaseIterable, Hashable, Sendable, CustomStringConvertible {
  /// A FIFO, socket or device with the name of a picture.
  case notARegularFile = 1
  /// A symbolic link without a target, or a cycle of links.
  case brokenLink = 2
  /// The user has no permission to read the file.
  case permissionDenied = 3
  /// The file disappeared before it was read.
  case missing = 4
  /// A disk or network error.
  case unreadable = 5
  /// The file is empty.
  case emptyFile = 6
  /// The first bytes are not those of a picture.
  case notAPicture = 7

  /// A short description for a caption.
  package var description: String {
    switch self {
    case .notARegularFile: "not a regular file"
    case .brokenLink: "broken link"
    case .permissionDenied: "no permission to read"
    case .missing: "no longer there"
    case .unreadable: "cannot be read"
    case .emptyFile: "empty file"
    case .notAPicture: "not a picture"
    }
  }

  /// Creates the failure that a system error means for a photograph.
  init(_ error: FileError) {
    if error.isSymbolicLinkLoop {
      self = .brokenLink
    } else if error.isNotFound {
      self = .missing
    } else {
      self = error.isPermissionDenied ? .permissionDenied : .unreadable
    }
  }
}
