import Geometry

/// A picture as video decoders hand it out: brightness, two differences of colour at perhaps half the resolution, and
/// perhaps alpha.
///
/// The samples are the decoder's memory, which must outlive this.
struct PlanarPicture {
  /// One kind of sample.
  struct Plane {
    let start: UnsafePointer<UInt8>
    let bytesPerRow: Int
    let width: Int
    let height: Int
  }

  /// The extent of the brightness.
  let size: PixelSize
  let luma: Plane
  /// Blue's and red's difference; nothing for a grey picture.
  let chroma: (blue: Plane, red: Plane)?
  /// Pixels across that share a sample of colour: 1 or 2.
  let chromaAcross: Int
  /// Pixels down that share a sample of colour: 1 or 2.
  let chromaDown: Int
  let alpha: Plane?
  /// Whether the colours hold the alpha already.
  let isPremultiplied: Bool
  /// Bits of a sample; samples of more than 8 take two bytes.
  let bits: Int
  let matrix: ColorMatrix

  /// Makes a picture of a decoder's planes; nothing where they are not as large as the picture.
  init?(
    size: PixelSize, luma: Plane, chroma: (blue: Plane, red: Plane)?, chromaAcross: Int, chromaDown: Int, alpha: Plane?,
    isPremultiplied: Bool, bits: Int, matrix: ColorMatrix
  ) {
    let sampleBytes = bits > 8 ? 2 : 1
    func isWhole(_ plane: Plane, _ width: Int, _ height: Int) -> Bool {
      plane.width >= width && plane.height >= height && plane.bytesPerRow >= plane.width * sampleBytes
    }
    let across = (size.width + chromaAcross - 1) / chromaAcross
    let down = (size.height + chromaDown - 1) / chromaDown
    guard (8...16).contains(bits), isWhole(luma, size.width, size.height),
      alpha.map({ isWhole($0, size.width, size.height) }) ?? true,
      chroma.map({ isWhole($0.blue, across, down) && isWhole($0.red, across, down) }) ?? true
    else { return nil }
    self.size = size
    self.luma = luma
    self.chroma = chroma
    self.chromaAcross = chromaAcross
    self.chromaDown = chromaDown
    self.alpha = alpha
    self.isPremultiplied = isPremultiplied
    self.bits = bits
    self.matrix = matrix
  }
}
