import VitrineGeometry

/// A conversion of a row of TIFF samples, as libtiff returns them, to R, G, B, A.
///
/// Supports signed and unsigned integers of any number of bits and floating-point numbers; grey, palettes, RGB and
/// CMYK, with or without alpha.
struct TIFFRowConversion {
  /// The meaning of the sample after the colours.
  enum Alpha: Hashable {
    /// There is no such sample, or its meaning is unknown.
    case none
    /// The colours are not multiplied by alpha.
    case straight
    /// The colours are multiplied by alpha.
    case premultiplied
  }

  private enum Kind {
    case grey(isWhiteZero: Bool)
    case palette([SIMD4<UInt8>])
    case color
    case cmyk
  }

  private enum Format {
    case unsigned
    case signed
    case floatingPoint
  }

  /// The meaning of the fourth byte of converted pixels, which is 255 without alpha.
  let alpha: Alpha
  /// The length of a stored row in bytes, of one plane if planes are separate.
  let bytesPerRow: Int

  private let kind: Kind
  private let format: Format
  private let width: Int
  private let bits: Int
  /// The number of samples from one pixel to the next in a plane.
  private let step: Int
  private let colorCount: Int
  private let largest: Double

  /// Creates a conversion, or returns nil for unsupported kinds of pixels.
  init?(_ frame: LibTIFF.Frame, _ decoder: borrowing LibTIFF) {
    switch frame.sampleFormat {
    case 1, 4: format = .unsigned
    case 2: format = .signed
    case 3: format = .floatingPoint
    default: return nil
    }
    bits = frame.bitsPerSample
    guard format == .floatingPoint ? [16, 24, 32, 64].contains(bits) : (1...32).contains(bits) || bits == 64 else {
      return nil
    }
    switch frame.photometric {
    case 0, 1: (kind, colorCount) = (.grey(isWhiteZero: frame.photometric == 0), 1)
    case 2: (kind, colorCount) = (.color, 3)
    case 3 where bits <= 16 && format == .unsigned:
      guard let colors = decoder.palette(count: 1 << bits) else { return nil }
      (kind, colorCount) = (.palette(colors), 1)
    case 5 where frame.inkSet == 1: (kind, colorCount) = (.cmyk, 4)
    case 6 where frame.compression == 7 && frame.samplesPerPixel == 3 && bits == 8:
      // YCbCr, which libjpeg converts.
      guard decoder.requestRGBFromJPEG() else { return nil }
      (kind, colorCount) = (.color, 3)
    default: return nil
    }
    guard frame.samplesPerPixel >= colorCount else { return nil }
    switch frame.samplesPerPixel > colorCount ? frame.alphaKind : 0 {
    case 1: alpha = .premultiplied
    case 2: alpha = .straight
    default: alpha = .none
    }
    width = frame.size.width
    step = frame.isContiguous ? frame.samplesPerPixel : 1
    largest = bits == 64 ? 0x1p64 : Double(1 << bits) - 1
    bytesPerRow = (width * bits * step + 7) / 8
  }

  /// Converts a row.
  ///
  /// - Parameters:
  ///   - planes: The start of the row in each plane. One plane if the samples of a pixel are contiguous.
  ///   - row: The destination, with four bytes per pixel.
  func convert(_ planes: [UnsafePointer<UInt8>], into row: UnsafeMutablePointer<UInt8>) {
    var pixel = row
    for x in 0..<width {
      switch kind {
      case .grey(let isWhiteZero):
        let level = level(planes, x, 0)
        let grey = isWhiteZero ? 255 - level : level
        (pixel[0], pixel[1], pixel[2]) = (grey, grey, grey)
      case .palette(let colors):
        let color = colors[Int(truncatingIfNeeded: number(planes[0], x * step))]
        (pixel[0], pixel[1], pixel[2]) = (color[0], color[1], color[2])
      case .color:
        for channel in 0..<3 { pixel[channel] = level(planes, x, channel) }
      case .cmyk:
        let light = 255 - UInt32(level(planes, x, 3))
        for channel in 0..<3 {
          pixel[channel] = UInt8(truncatingIfNeeded: ((255 - UInt32(level(planes, x, channel))) * light + 127) / 255)
        }
      }
      pixel[3] = alpha == .none ? 255 : level(planes, x, colorCount)
      pixel += 4
    }
  }

  /// Returns a sample scaled to eight bits.
  private func level(_ planes: [UnsafePointer<UInt8>], _ x: Int, _ sample: Int) -> UInt8 {
    let isContiguous = planes.count == 1
    let plane = planes[isContiguous ? 0 : sample]
    let index = isContiguous ? x * step + sample : x
    switch format {
    case .unsigned where bits == 8: return plane[index]
    case .unsigned: return TIFFRowConversion.byte(Double(number(plane, index)) / largest)
    case .signed:
      // The minimum is black.
      let half: UInt64 = 1 << UInt64(bits - 1)
      let mask = bits == 64 ? UInt64.max : (1 << UInt64(bits)) - 1
      return TIFFRowConversion.byte(Double((number(plane, index) &+ half) & mask) / largest)
    case .floatingPoint: return TIFFRowConversion.byte(real(plane, index))
    }
  }

  /// Maps a value of 0 to 1 to 0 to 255, and NaN to 0.
  private static func byte(_ share: Double) -> UInt8 {
    share > 0 ? UInt8(truncatingIfNeeded: Int(min(1, share) * 255 + 0.5)) : 0
  }

  /// Returns the bits of a sample.
  ///
  /// Samples of whole bytes are in native byte order, as libtiff returns them; others start at the highest bit.
  private func number(_ plane: UnsafePointer<UInt8>, _ index: Int) -> UInt64 {
    if bits % 8 == 0 {
      let bytes = bits / 8
      var number: UInt64 = 0
      for byte in 0..<bytes { number |= UInt64(plane[index * bytes + byte]) << UInt64(8 * byte) }
      return number
    }
    var number: UInt64 = 0
    var (place, left) = (index * bits, bits)
    while left > 0 {
      let count = min(left, 8 - place % 8)
      let byte = UInt64(plane[place / 8]) >> UInt64(8 - place % 8 - count)
      number = number << UInt64(count) | byte & ((1 << UInt64(count)) - 1)
      place += count
      left -= count
    }
    return number
  }

  /// Returns a sample as a floating-point number: half, 24-bit (16 fraction bits), single or double precision.
  private func real(_ plane: UnsafePointer<UInt8>, _ index: Int) -> Double {
    let number = number(plane, index)
    switch bits {
    case 64: return Double(bitPattern: number)
    case 32: return Double(Float(bitPattern: UInt32(truncatingIfNeeded: number)))
    case 24: return TIFFRowConversion.real(number, exponentBits: 7, fractionBits: 16)
    default: return TIFFRowConversion.real(number, exponentBits: 5, fractionBits: 10)
    }
  }

  /// Decodes a number of IEEE 754's form with the given field sizes.
  private static func real(_ number: UInt64, exponentBits: Int, fractionBits: Int) -> Double {
    let fraction = Double(number & ((1 << UInt64(fractionBits)) - 1))
    let highest = (1 << exponentBits) - 1
    let exponent = Int(number >> UInt64(fractionBits)) & highest
    let isNegative = number >> UInt64(exponentBits + fractionBits) & 1 == 1
    guard exponent < highest else { return fraction == 0 && !isNegative ? .infinity : .nan }
    let bias = highest / 2
    let share = Double(sign: .plus, exponent: -fractionBits, significand: fraction)
    let value =
      exponent == 0
      ? Double(sign: .plus, exponent: 1 - bias, significand: share)
      : Double(sign: .plus, exponent: exponent - bias, significand: 1 + share)
    return isNegative ? -value : value
  }
}
