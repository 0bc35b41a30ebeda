public import Geometry

/// What a picture has more of than is shown here: a limit of this program's, and no fault of the picture's.
public enum ExceededLimit: Hashable, Sendable, CustomStringConvertible {
  /// Pixels; the size is nil where a side is longer than any that is accepted.
  case pixels(PixelSize?)
  /// Bytes of the file that would have to be read.
  case file(bytes: Int)
  /// Bytes that stand before the first frame and cannot be passed over.
  case metadata(bytes: Int)
  /// Passes over all pixels of a progressive picture.
  case passes(Int)

  /// What there is too much of, for a caption.
  public var description: String {
    switch self {
    case .pixels(let size?): "too large to show here (\(size.width) x \(size.height) pixels)"
    case .pixels(nil): "too large to show here (more than \(PixelSize.maximumSide) pixels on a side)"
    case .file(let bytes): "too large to show here (a file of \(ExceededLimit.megabytes(bytes)))"
    case .metadata(let bytes): "too large to show here (more than \(ExceededLimit.megabytes(bytes)) of metadata)"
    case .passes(let most): "too large to show here (more than \(most) passes)"
    }
  }

  private static func megabytes(_ bytes: Int) -> String { "\((bytes + (1 << 20) - 1) >> 20) MB" }
}
