/// A picture's small preview, and which file it is of.
public struct PreviewRecord: Hashable, Sendable, BitwiseCopyable {
  /// The file in its version.
  public var file: FileFingerprint
  /// The preview.
  public var preview: PreviewPayload

  /// Makes a record.
  public init(file: FileFingerprint, preview: PreviewPayload) {
    self.file = file
    self.preview = preview
  }
}
