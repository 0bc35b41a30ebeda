import VitrineDecodingProtocol
package import VitrineGeometry
package import VitrineImageMetadata
package import VitrineImagePipeline

/// The metadata of a shared thumbnail and its original: the size, and PNG texts.
///
/// A reading process reads the texts; none of them is trusted.
package struct SharedThumbnailMetadata: Hashable, Sendable {
  /// The thumbnail's size.
  package let size: PixelSize
  /// The URI of the original (`Thumb::URI`).
  package private(set) var uri: String?
  /// The original's modification time in seconds since 1970 (`Thumb::MTime`).
  package private(set) var modifiedSeconds: Int?
  /// The original's size in bytes (`Thumb::Size`), which not all programs write.
  package private(set) var byteCount: Int?

  /// Whether this program has written the file (`Software`).
  package private(set) var isOwn = false
  /// The origin of the pixels (`Vitrine::Origin`), in a thumbnail of this program.
  package private(set) var origin: DecoderOrigin?

  /// The reason why there is no thumbnail, in a failure file of this program.
  package private(set) var failure: SharedThumbnailFailure?

  /// The original's change time, in a failure file of this program.
  private(set) var changed: String?

  /// The keyword of the program that wrote a file, and this program.
  static let (softwareKeyword, software) = ("Software", "Vitrine")
  /// The keyword of the origin, in hexadecimal digits.
  static let originKeyword = "Vitrine::Origin"

  /// Creates the metadata from what a reading process found in a file.
  package init(_ description: PNGDescription) {
    size = description.size
    for text in description.texts { apply(text.value, for: text.keyword) }
  }

  /// Returns whether the thumbnail belongs to the current version of an original.
  package func matches(_ uri: String, modifiedSeconds: Int, byteCount: Int) -> Bool {
    self.uri == uri && self.modifiedSeconds == modifiedSeconds && (self.byteCount ?? byteCount) == byteCount
  }

  /// Returns whether the thumbnail may be shown; one of another program is a file like any other.
  func isAccepted(by fixes: SecurityFixes) -> Bool { !isOwn || fixes.accepts(origin) }

  /// Returns whether the thumbnail belongs to the current version of an original.
  func matches(_ uri: String, _ original: ImageFileIdentity) -> Bool {
    matches(uri, modifiedSeconds: original.modifiedSeconds, byteCount: original.byteCount)
  }

  /// Returns the reason why a file has no thumbnail, if it is recorded for exactly this version.
  func failure(of uri: String, _ original: ImageFile.Version) -> SharedThumbnailFailure? {
    matches(uri, original.identity) && changed == SharedThumbnailFailure.changeTime(original) ? failure : nil
  }

  /// Returns whether the thumbnail shows all of an image of the given size, upright and not cropped.
  package func showsAll(of picture: PixelSize) -> Bool {
    let longer = max(picture.width, picture.height)
    // Within the precision of whole pixels.
    return abs(size.width * picture.height - size.height * picture.width) <= longer
  }

  /// The first of equal keywords counts, so that a longer prefix of the file yields no other result.
  private mutating func apply(_ value: String, for keyword: String) {
    switch keyword {
    case "Thumb::URI": uri = uri ?? value
    // Some programs write fractions of a second.
    case "Thumb::MTime":
      modifiedSeconds = modifiedSeconds ?? value.split(separator: ".", maxSplits: 1).first.flatMap { Int($0) }
    case "Thumb::Size": byteCount = byteCount ?? Int(value)
    case SharedThumbnailMetadata.softwareKeyword: isOwn = isOwn || value == SharedThumbnailMetadata.software
    case SharedThumbnailMetadata.originKeyword:
      origin = origin ?? UInt64(value, radix: 16).flatMap(DecoderOrigin.init(packed:))
    case SharedThumbnailFailure.keyword: failure = failure ?? SharedThumbnailFailure(rawValue: value)
    case SharedThumbnailFailure.changeKeyword: changed = changed ?? value
    default: break
    }
  }
}

/// The reason why a file has no thumbnail, recorded in the program's folder for failures.
package enum SharedThumbnailFailure: String, CaseIterable, Sendable {
  /// The file is damaged.
  case damaged

  /// The program's folder for failures, with the version of its decoders.
  static let folderName = "vitrine-1"
  /// The keyword of the reason.
  static let keyword = "Vitrine::Failure"

  /// The keyword of the file's change time.
  ///
  /// The modification time, which other programs compare, can be reset by tools, and a wrongly recorded failure would
  /// never be retried.
  static let changeKeyword = "Vitrine::Changed"

  /// Returns the recorded text of the change time.
  static func changeTime(_ version: ImageFile.Version) -> String {
    "\(version.changedSeconds).\(version.changedNanoseconds)"
  }

  /// The validity of a recorded failure in seconds; limited, as the system's decoding libraries get fixed.
  static let validSeconds = 30 * 24 * 60 * 60

  /// Creates the failure of a decode if it is permanent, and if the decoder of the format distinguishes a damaged file
  /// from a lack of memory or an exceeded limit (`ImageFormatEntry.recordsDamage`).
  ///
  /// - Parameters:
  ///   - failure: The failure of a decode of the whole image.
  ///   - format: The format according to the file's first bytes.
  init?(_ failure: ImageFailure, of format: ImageFormat?) {
    guard failure == .refused(.damaged), let format, format.entry.recordsDamage else { return nil }
    self = .damaged
  }

  /// Returns whether a failure recorded at a time is still valid, both in seconds since 1970.
  static func isValid(recordedAt recordedSeconds: Int, now: Int) -> Bool {
    (now &- recordedSeconds).magnitude <= UInt(validSeconds)
  }

  /// The corresponding decoding status.
  var status: DecodingStatus {
    switch self {
    case .damaged: .damaged
    }
  }
}
