import DecodingProtocol
import ImageMetadata

/// Why a file has no thumbnail, as it is noted in the folder for failures, where every program has a folder of its own.
package enum SharedThumbnailFailure: String, CaseIterable, Sendable {
  /// Its bytes make no sense.
  case damaged

  /// The folder in the folder for failures: the number is another one when what is decoded is.
  static let folderName = "vitrine-1"
  /// What says which of these it is.
  static let keyword = "Vitrine::Failure"

  /// What says when anything of the file was last changed: what others tell of a file a tool may set back, and a failure that
  /// is believed wrongly is never tried again.
  static let changeKeyword = "Vitrine::Changed"

  /// That time, as it is noted.
  static func changeTime(_ version: PictureFile.Version) -> String {
    "\(version.changedSeconds).\(version.changedNanoseconds)"
  }

  /// For how long it is believed, in seconds: the libraries that decode are the system's, and are mended.
  static let validSeconds = 30 * 24 * 60 * 60

  /// The formats whose decoders tell what a file is to blame for from what memory or a limit is.
  ///
  /// Never a format that is not decoded: the library for it may be there tomorrow.
  private static let formats: Set<ImageFormat> = [.jpeg, .png, .webp, .gif, .bmp, .qoi]

  /// The failure that a decode's end is, where it will be the same every time.
  ///
  /// - Parameters:
  ///   - failure: how a decode of the whole picture ended.
  ///   - format: what the file's first bytes say that it is.
  init?(_ failure: ImageFailure, of format: ImageFormat?) {
    guard failure == .refused(.damaged), let format, SharedThumbnailFailure.formats.contains(format) else { return nil }
    self = .damaged
  }

  /// Whether what was noted then is still believed now, both in seconds since 1970.
  static func isValid(notedAt noted: Int, now: Int) -> Bool { (now &- noted).magnitude <= UInt(validSeconds) }

  /// What the item is told.
  var status: DecodingStatus {
    switch self {
    case .damaged: .damaged
    }
  }
}
