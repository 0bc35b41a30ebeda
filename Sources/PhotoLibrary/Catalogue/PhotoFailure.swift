/// Why a photograph that was found cannot be shown: a state of the item, not an error of the program.
public enum PhotoFailure: UInt8, CaseIterable, Hashable, Sendable, CustomStringConvertible {
  /// A FIFO, a socket or a device under the name of a picture.
  case notARegularFile = 1
  /// A link to nothing, or to itself.
  case brokenLink = 2
  /// The user's rights do not suffice.
  case permissionDenied = 3
  /// Found, and gone when it was to be read.
  case missing = 4
  /// The disk or the network failed.
  case unreadable = 5
  /// The file holds nothing.
  case emptyFile = 6
  /// The first bytes are those of no picture.
  case notAPicture = 7

  /// A few words for a caption.
  public var description: String {
    switch self {
    case .notARegularFile: "not a regular file"
    case .brokenLink: "link to nothing"
    case .permissionDenied: "no permission to read"
    case .missing: "no longer there"
    case .unreadable: "cannot be read"
    case .emptyFile: "empty file"
    case .notAPicture: "not a picture"
    }
  }

  /// What a refusal of the system means for the photograph.
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
