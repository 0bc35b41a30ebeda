/// What a picture is to those who measure its decoding.
public enum PictureKind: Hashable, Sendable {
  /// JPEG in one pass over its pixels.
  case baseline
  /// JPEG in several passes.
  case progressive
  /// PNG.
  case png
  /// WebP with loss.
  case webP
  /// AVIF.
  case avif
  /// HEIC without a small picture in it.
  case heic
  /// HEIC with one.
  case heicWithPreview
  /// Anything else, of which nothing is promised.
  case other

  /// The most that ours takes of the time of libvips; nothing where no bound is set.
  ///
  /// - Parameters:
  ///   - megapixels: the picture's.
  ///   - size: the thumbnail's longest side in pixels.
  public func aim(megapixels: Double, size: Int) -> Double? {
    let isTwelve = (10...14).contains(megapixels)
    switch self {
    case .baseline: return isTwelve && size == 256 ? 0.85 : isTwelve && size == 512 ? 0.7 : 0.95
    case .progressive: return size <= 256 ? 0.25 : nil
    case .png: return 0.9
    case .webP, .heic: return 1.05
    case .avif: return 0.45
    case .heicWithPreview: return size <= 256 ? 0.05 : nil
    case .other: return nil
    }
  }

  /// How near a thumbnail is to be to the reference, in decibels; nothing where it is of another's making, or of a kind that
  /// nothing is promised of.
  public var leastQuality: Double? {
    switch self {
    case .progressive: 43
    case .baseline, .png, .webP, .avif, .heic: 45
    case .heicWithPreview, .other: nil
    }
  }

  /// Whether a bare decoder of JPEG is measured beside it.
  public var isBaseline: Bool { self == .baseline }
}
