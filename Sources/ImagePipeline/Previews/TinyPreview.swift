public import Geometry
public import Rendering

/// What is kept of a picture so that its place is never empty again: its size, its colours and its rough forms, in 32 bytes.
///
/// The lowest frequencies of the picture's cosine transform, those of brightness finer than those of colour, as BlurHash
/// (Dag Ågren, 2018) and ThumbHash (Evan Wallace, 2023) have them; the layout and the code are this package's own. It
/// knows which part of the picture it was made of, so that it can be painted for a place of another shape: forms stand
/// where they stand in the picture, and what the part did not reach is filled by mirroring it.
///
/// Any 32 bytes are a preview; what files hold needs no check.
public struct TinyPreview: Hashable, Sendable, BitwiseCopyable {
  /// The bytes of a preview.
  public static let byteCount = 32

  /// Frequencies of brightness, and of each of two differences of colour, beside the averages.
  static let (lumaCount, chromaCount) = (28, 8)
  /// A frequency's share is one of so many steps to either side of zero.
  static let steps: Float = 7

  /// Size, shape and averages; scales and the lowest frequencies of brightness; the higher ones; those of colour.
  var words: SIMD4<UInt64>

  init(words: SIMD4<UInt64>) { self.words = words }

  /// Takes a preview from bytes; nothing where these are not ``byteCount``.
  public init?(bytes: some Collection<UInt8>) {
    guard bytes.count == TinyPreview.byteCount else { return nil }
    words = .zero
    for (place, byte) in bytes.enumerated() { words[place / 8] |= UInt64(byte) << UInt64(place % 8 * 8) }
  }

  /// The preview's bytes, equal on every machine.
  public var bytes: [UInt8] {
    (0..<TinyPreview.byteCount).map { UInt8(truncatingIfNeeded: words[$0 / 8] >> UInt64($0 % 8 * 8)) }
  }

  /// The picture's own size in pixels after orientation, where it was known.
  public var pictureSize: PixelSize? { PixelSize(width: field(.width), height: field(.height)) }

  /// The average of the part of the picture that it was made of; each channel is off by 1/64 at most.
  public var averageColor: Color {
    let average = averages
    func byte(_ channel: Float) -> UInt8 { UInt8(min(255, max(0, channel * 255 + 0.5))) }
    let (red, green, blue) = PreviewColors.channels(average.luma, average.orange, average.green)
    return Color(red: byte(red), green: byte(green), blue: byte(blue))
  }

  /// The share of the picture that it was made of, 0 to 1: a crop for a place of another shape shows less.
  public var coverage: Double { PreviewCrop(shape: shape, picture: pictureSize).coverage }

  /// The shape of what it was made of.
  var shape: PreviewShape { PreviewShape(code: field(.shape)) }

  /// Averages of brightness, 0...1, and of the two differences of colour, -1...1.
  var averages: (luma: Float, orange: Float, green: Float) {
    (
      Float(field(.luma)) / 255, Float(min(126, field(.orange)) - 63) / 63, Float(min(126, field(.green)) - 63) / 63
    )
  }
}
