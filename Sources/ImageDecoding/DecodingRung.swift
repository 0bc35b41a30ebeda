/// How much work a picture is worth for now.
public enum DecodingRung: Hashable, Sendable {
  /// The small preview that the file carries, enlarged if need be; ``DecodingError/noPreview`` where it has none.
  case embedded
  /// Of a HEIC the preview, if it has as many pixels as are wanted; ``DecodingError/noPreview`` otherwise.
  case sufficientPreview
  /// The picture itself, or a preview in the file with as many pixels as are wanted.
  case full
}
