import VitrineGeometry

/// A YCbCr image as video decoders produce it, with chroma possibly at half the resolution, and optional alpha.
///
/// The planes refer to the decoder's memory, which must outlive this value.
struct PlanarPicture {
  /// The samples of one component.
  struct Plane {
    let start: UnsafePointer<UInt8>
    let bytesPerRow: Int
    let width: Int
    let height: Int
  }

  /// The size of the luma plane in pixels.
  let size: PixelSize
  let luma: Plane
  /// The Cb and Cr planes, or nil for a grey image.
  let chroma: (blue: Plane, red: Plane)?
  /// The number of horizontally adjacent pixels that share a chroma sample: 1 or 2.
  let horizontalSubsampling: Int
  /// The number of vertically adjacent pixels that share a chroma sample: 1 or 2.
  let verticalSubsampling: Int
  let alpha: Plane?
  /// Whether the colours are premultiplied by alpha.
  let isPremultiplied: Bool
  /// The number of bits per sample.
  ///
  /// Samples of more than 8 bits take two bytes.
  let bits: Int
  let matrix: ColorMatrix

  /// Creates an image from a decoder's planes, or returns nil if a plane is smaller than the image.
  init?(
    size: PixelSize, luma: Plane, chroma: (blue: Plane, red: Plane)?, horizontalSubsampling: Int,
    verticalSubsampling: Int, alpha: Plane?,
    isPremultiplied: Bool, bits: Int, matrix: ColorMatrix
  ) {
    let sampleBytes = bits > 8 ? 2 : 1
    func isWhole(_ plane: Plane, _ width: Int, _ height: Int) -> Bool {
      plane.width >= width && plane.height >= height && plane.bytesPerRow >= plane.width * sampleBytes
    }
    let across = (size.width + horizontalSubsampling - 1) / horizontalSubsampling
    let down = (size.height + verticalSubsampling - 1) / verticalSubsampling
    guard (8...16).contains(bits), isWhole(luma, size.width, size.height),
      alpha.map({ isWhole($0, size.width, size.height) }) ?? true,
      chroma.map({ isWhole($0.blue, across, down) && isWhole($0.red, across, down) }) ?? true
    else { return nil }
    self.size = size
    self.luma = luma
    self.chroma = chroma
    self.horizontalSubsampling = horizontalSubsampling
    self.verticalSubsampling = verticalSubsampling
    self.alpha = alpha
    self.isPremultiplied = isPremultiplied
    self.bits = bits
    self.matrix = matrix
  }
}

/// The conversion from YCbCr to RGB (ITU-T H.273, section 8.3).
struct ColorMatrix: Hashable {
  private enum Kind: Hashable {
    /// The planes contain green, blue and red.
    case identity
    /// Color differences with the luma coefficients of red and blue (Kr and Kb).
    case weighted(red: Float, blue: Float)
    /// YCgCo: colour differences as sums of halves and quarters.
    case yCgCo
  }

  private let kind: Kind
  private let bits: Int
  /// Whether samples use their full range rather than the limited range of video.
  private let isFullRange: Bool

  /// Returns the matrix coefficients that are derived from primaries, or 2, which is unspecified.
  ///
  /// The numbers of both are different lists: primaries 8 (generic film) are not the coefficients 8 (YCgCo).
  private static func coefficients(ofPrimaries primaries: Int) -> Int {
    switch primaries {
    case 1: 1
    case 4: 4
    case 5, 6: 6
    case 7: 7
    case 9: 9
    case 11, 12: primaries
    default: 2
    }
  }

  /// Creates a conversion for matrix coefficients of the standard.
  ///
  /// Unknown ones are treated as those of JPEG.
  init(coefficients: Int, primaries: Int, isFullRange: Bool, bits: Int) {
    self.bits = bits
    self.isFullRange = isFullRange
    let derivedFromPrimaries = 12
    switch coefficients == derivedFromPrimaries ? ColorMatrix.coefficients(ofPrimaries: primaries) : coefficients {
    case 0: kind = .identity
    case 1: kind = .weighted(red: 0.2126, blue: 0.0722)
    case 4: kind = .weighted(red: 0.30, blue: 0.11)
    case 7: kind = .weighted(red: 0.212, blue: 0.087)
    case 8: kind = .yCgCo
    case 9, 10: kind = .weighted(red: 0.2627, blue: 0.0593)
    // The coefficients of Display P3, if they are derived from the primaries.
    case 12 where coefficients == derivedFromPrimaries: kind = .weighted(red: 0.22897, blue: 0.07929)
    default: kind = .weighted(red: 0.299, blue: 0.114)
    }
  }

  /// The scale and offset that map luma samples to 0 to 255.
  var lumaScale: (factor: Float, offset: Float) {
    let step = Float(1 << (bits - 8))
    return isFullRange
      ? (255 / Float((1 << bits) - 1), 0) : (255 / (219 * step), -16 * 255 / 219)
  }

  /// The scale and offset that map chroma samples to -128 to 128.
  var chromaScale: (factor: Float, offset: Float) {
    if kind == .identity { return lumaScale }
    let step = Float(1 << (bits - 8))
    let factor = isFullRange ? 255 / Float((1 << bits) - 1) : 255 / (224 * step)
    return (factor, -128 * step * factor)
  }

  /// The weights of luma, Cb and Cr in each colour.
  struct Weights {
    var red: SIMD3<Float>
    var green: SIMD3<Float>
    var blue: SIMD3<Float>
  }

  /// The weights of scaled samples.
  ///
  /// Their sums may be out of range.
  var weights: Weights {
    switch kind {
    case .identity:
      return Weights(red: [0, 0, 1], green: [1, 0, 0], blue: [0, 1, 0])
    case .weighted(let red, let blue):
      let green = 1 - red - blue
      let (redStep, blueStep) = (2 * (1 - red), 2 * (1 - blue))
      return Weights(
        red: [1, 0, redStep], green: [1, -blue * blueStep / green, -red * redStep / green], blue: [1, blueStep, 0])
    case .yCgCo:
      return Weights(red: [1, -1, 1], green: [1, 1, 0], blue: [1, -1, -1])
    }
  }
}
