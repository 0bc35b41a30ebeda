public import VitrineGeometry
public import VitrineRendering

/// A tiny preview of an image in 32 bytes: its size, its colours and its coarse shapes, shown until the image is
/// available.
///
/// It stores the lowest frequencies of the image's cosine transform, with more detail for luma than for colour, as
/// BlurHash (Dag Ågren, 2018) and ThumbHash (Evan Wallace, 2023) do; the layout and the code are this package's own. It
/// also stores which part of the image it was made of, so it can be drawn with another aspect ratio: shapes keep their
/// position in the image, and missing parts are filled by mirroring.
///
/// Any 32 bytes are a valid preview, so stored bytes need no check.
public struct TinyPreview: Hashable, Sendable, BitwiseCopyable {
  /// The size of a preview in bytes.
  public static let byteCount = 32

  /// The number of frequencies of luma, and of each of the two colour differences, in addition to the averages.
  static let (lumaCount, chromaCount) = (28, 8)
  /// The number of steps of a coefficient on either side of zero.
  static let steps: Float = 7

  /// The words: size, shape and averages; scales and the lowest luma frequencies; the higher ones; the colour
  /// frequencies.
  var words: SIMD4<UInt64>

  init(words: SIMD4<UInt64>) { self.words = words }

  /// Creates a preview from bytes, or nil if their number is not ``byteCount``.
  public init?(bytes: some Collection<UInt8>) {
    guard bytes.count == TinyPreview.byteCount else { return nil }
    words = .zero
    for (index, byte) in bytes.enumerated() { words[index / 8] |= UInt64(byte) << UInt64(index % 8 * 8) }
  }

  /// The bytes of the preview, equal on every machine.
  public var bytes: [UInt8] {
    (0..<TinyPreview.byteCount).map { UInt8(truncatingIfNeeded: words[$0 / 8] >> UInt64($0 % 8 * 8)) }
  }

  /// The image's own size in pixels after orientation, if known.
  public var pictureSize: PixelSize? { PixelSize(width: field(.width), height: field(.height)) }

  /// The average colour of the part that the preview was made of; the error of each channel is at most 1/64.
  public var averageColor: Color {
    let average = averages
    func byte(_ channel: Float) -> UInt8 { UInt8(min(255, max(0, channel * 255 + 0.5))) }
    let (red, green, blue) = PreviewColors.channels(average.luma, average.orange, average.green)
    return Color(red: byte(red), green: byte(green), blue: byte(blue))
  }

  /// The fraction of the image that the preview was made of, 0 to 1; less than 1 for a cropped thumbnail.
  public var coverage: Double { PreviewCrop(shape: shape, picture: pictureSize).coverage }

  /// The aspect ratio of the bitmap that the preview was made of.
  var shape: PreviewShape { PreviewShape(code: field(.shape)) }

  /// The averages of luma, 0...1, and of the two colour differences, -1...1.
  var averages: (luma: Float, orange: Float, green: Float) {
    (
      Float(field(.luma)) / 255, Float(min(126, field(.orange)) - 63) / 63, Float(min(126, field(.green)) - 63) / 63
    )
  }
}

// MARK: - Stored form

extension TinyPreview {
  /// Creates a preview from its stored form.
  public init(_ payload: PreviewPayload) {
    self.init(
      words: withUnsafeBytes(of: payload) { bytes in
        var words = SIMD4<UInt64>.zero
        for index in 0..<4 {
          words[index] = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
        }
        return words
      })
  }

  /// The stored form of the preview, without loss.
  public var payload: PreviewPayload {
    var payload = PreviewPayload()
    withUnsafeMutableBytes(of: &payload) { bytes in
      for index in 0..<4 {
        bytes.storeBytes(of: words[index].littleEndian, toByteOffset: index * 8, as: UInt64.self)
      }
    }
    return payload
  }

  /// Returns whether a view of the given size shows notably more of the image than the preview was made of.
  public func isInsufficient(for size: PixelSize) -> Bool {
    PreviewCrop(viewSize: size, picture: pictureSize).coverage > coverage * 1.1
  }
}

// MARK: - Fields

extension TinyPreview {
  /// The location of a number in the words; none crosses the boundary between two words.
  struct Field {
    let word: Int
    let bit: UInt64
    let count: UInt64

    /// The image's size, 0 if unknown.
    static let width = Field(word: 0, bit: 0, count: 16)
    static let height = Field(word: 0, bit: 16, count: 16)
    /// The shape of the bitmap that the preview was made of.
    static let shape = Field(word: 0, bit: 32, count: 8)
    /// The averages.
    static let luma = Field(word: 0, bit: 40, count: 8)
    static let orange = Field(word: 0, bit: 48, count: 7)
    static let green = Field(word: 0, bit: 55, count: 7)
    /// The largest coefficient of each channel.
    static let lumaScale = Field(word: 1, bit: 0, count: 6)
    static let orangeScale = Field(word: 1, bit: 6, count: 5)
    static let greenScale = Field(word: 1, bit: 11, count: 5)

    /// Returns the field of a luma coefficient, lowest frequency first.
    static func luma(_ index: Int) -> Field {
      // Twelve coefficients fit after the scales.
      index < 12
        ? Field(word: 1, bit: UInt64(16 + index * 4), count: 4) : Field(word: 2, bit: UInt64(index - 12) * 4, count: 4)
    }

    /// Returns the field of a coefficient of the first colour difference.
    static func orange(_ index: Int) -> Field { Field(word: 3, bit: UInt64(index) * 4, count: 4) }

    /// Returns the field of a coefficient of the second colour difference.
    static func green(_ index: Int) -> Field {
      Field(word: 3, bit: UInt64(TinyPreview.chromaCount + index) * 4, count: 4)
    }

    /// The largest number that fits.
    var largest: Int { 1 << Int(count) - 1 }
  }

  /// Returns the number in a field.
  func field(_ field: Field) -> Int {
    Int(words[field.word] &>> field.bit & UInt64(field.largest))
  }

  /// Sets the number in a field, clamped to its range.
  mutating func set(_ field: Field, to number: Int) {
    let mask = UInt64(field.largest) &<< field.bit
    words[field.word] = words[field.word] & ~mask | UInt64(min(field.largest, max(0, number))) &<< field.bit
  }

  /// Returns the largest coefficient of a channel, with finer steps for small values.
  func scale(_ field: Field) -> Float {
    let root = Float(self.field(field)) / Float(field.largest)
    return root * root
  }

  /// Returns a coefficient relative to the channel's scale, -1...1.
  func coefficient(_ field: Field) -> Float { (Float(self.field(field)) - TinyPreview.steps) / TinyPreview.steps }
}

// MARK: - Shape and crop

/// The aspect ratio of a rectangle in eight bits: from 1:16 to 16:1, with a precision of 1 %.
struct PreviewShape: Hashable, Sendable {
  /// The code, 0 to 255; 128 is a square, and 32 more double the ratio.
  let code: Int

  /// Creates a shape from a code, clamped to 0...255.
  init(code: Int) { self.code = min(255, max(0, code)) }

  /// Creates the nearest shape of a size.
  init(_ size: PixelSize) {
    // Compared with the ratios themselves, as logarithms differ among machines.
    let ratio = Double(size.width) / Double(size.height)
    var (low, high) = (0, 255)
    while low < high {
      let middle = (low + high) / 2
      let between = PreviewShape.ratios[middle] * PreviewShape.ratios[middle + 1]
      if ratio * ratio <= between { high = middle } else { low = middle + 1 }
    }
    code = low
  }

  /// The ratio of width to height.
  var ratio: Double { PreviewShape.ratios[code] }

  /// The ratios of all shapes: powers of the 32nd root of two, computed by five square roots, which are exact on every
  /// machine.
  private static let ratios: [Double] = {
    var root = 2.0
    for _ in 0..<5 { root = root.squareRoot() }
    var ratios = Array(repeating: 1.0, count: 256)
    for code in 129..<256 { ratios[code] = ratios[code - 1] * root }
    for code in (0..<128).reversed() { ratios[code] = ratios[code + 1] / root }
    return ratios
  }()
}

/// The part of an image that is visible in a view that it fills, cropped around its centre.
struct PreviewCrop: Hashable, Sendable {
  /// The size of the part, relative to the image.
  let width: Double
  let height: Double

  /// Creates the part visible in a view with the given shape; the whole image if its size is unknown.
  init(shape: PreviewShape, picture: PixelSize?) { self.init(ratio: shape.ratio, picture: picture) }

  /// Creates the part visible in a view of the given size; the whole image if its size is unknown.
  init(viewSize: PixelSize, picture: PixelSize?) {
    self.init(ratio: Double(viewSize.width) / Double(viewSize.height), picture: picture)
  }

  private init(ratio: Double, picture: PixelSize?) {
    let own = picture.map { Double($0.width) / Double($0.height) } ?? ratio
    width = min(1, ratio / own)
    height = min(1, own / ratio)
  }

  /// The fraction of the image that is visible.
  var coverage: Double { width * height }
}

/// The stored form of a tiny preview: 32 opaque bytes.
public struct PreviewPayload: Hashable, Sendable, BitwiseCopyable {
  /// The size of a payload in bytes.
  public static let byteCount = 32

  private var first: UInt64 = 0
  private var second: UInt64 = 0
  private var third: UInt64 = 0
  private var fourth: UInt64 = 0

  /// Creates a payload of zeros.
  public init() {}

  /// Creates a payload from bytes, padded with zeros.
  ///
  /// - Returns: Nil for more than ``byteCount`` bytes.
  public init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count <= PreviewPayload.byteCount else { return nil }
    withUnsafeMutableBytes(of: &self) { target in
      for (offset, byte) in bytes.enumerated() { target[offset] = byte }
    }
  }

  /// The bytes of the payload.
  public var bytes: [UInt8] { withUnsafeBytes(of: self) { Array($0) } }

  /// Returns the byte at an offset.
  ///
  /// - Precondition: The offset is in 0..<32.
  public subscript(offset: Int) -> UInt8 { withUnsafeBytes(of: self) { $0[offset] } }
}
