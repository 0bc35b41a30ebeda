import DecodingProtocol

/// Why a file has no thumbnail, as it is noted in the folder for failures, where every program has a folder of its own.
package enum SharedFailure: String, CaseIterable, Sendable {
  /// Its bytes make no sense.
  case damaged
  /// Nothing here decodes its format.
  case unsupported

  /// The folder in the folder for failures: the number is another one when what is decoded is.
  static let folderName = "vitrine-1"
  /// What says which of these it is.
  static let keyword = "Vitrine::Failure"

  /// What says when anything of the file was last changed: what others tell of a file a tool may set back, and a failure that
  /// is believed wrongly is never tried again.
  static let changeKeyword = "Vitrine::Changed"

  /// That time, as it is noted.
  static func change(_ version: PictureFile.Version) -> String {
    "\(version.changedSeconds).\(version.changedNanoseconds)"
  }

  /// The failure that a decode's end is, where it will be the same every time.
  ///
  /// - Parameters:
  ///   - failure: how a decode of the whole picture ended.
  ///   - isSandboxed: whether the decoding process had all formats; it is no file's fault where it had not.
  init?(_ failure: ImageFailure, isSandboxed: Bool) {
    switch failure {
    case .refused(.damaged): self = .damaged
    case .refused(.unsupportedFormat) where isSandboxed: self = .unsupported
    default: return nil
    }
  }

  /// What the item is told.
  var status: DecodingStatus {
    switch self {
    case .damaged: .damaged
    case .unsupported: .unsupportedFormat
    }
  }
}
