import Geometry

/// Turns a row of a TIFF's samples, as libtiff hands them out, into R, G, B, A: whole numbers of any number of bits, with
/// or without a sign, and floating-point numbers; grey, palettes, colours and inks, with or without alpha.
struct TIFFRowConversion {
  /// What the sample behind the colours is.
  enum Alpha: Hashable {
    /// There is none, or its meaning is unknown.
    case none
    /// The colours are as they would be without it.
    case straight
    /// The colours are multiplied by it.
    case premultiplied
  }

  private enum Kind {
    case grey(isWhiteZero: Bool)
    case palette([SIMD4<UInt8>])
    case color
    case ink
  }

  private enum Format {
    case unsigned
    case signed
    case floatingPoint
  }

  /// What becomes of a pixel's fourth byte; 255 without alpha.
  let alpha: Alpha
  /// How many bytes a row takes as it is stored; of one plane where planes are stored apart.
  let bytesPerRow: Int

  private let kind: Kind
  private let format: Format
  private let width: Int
  private let bits: Int
  /// Samples from one pixel to the next in a plane.
  private let step: Int
  private let colorCount: Int
  private let largest: Double

  /// Makes a conversion; nil for kinds of pixels that are not known here.
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
    case 5 where frame.inkSet == 1: (kind, colorCount) = (.ink, 4)
    case 6 where frame.compression == 7 && frame.samplesPerPixel == 3 && bits == 8:
      // Brightness and differences of colour, which libjpeg turns.
      guard decoder.wantColorsOfJPEG() else { return nil }
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
  ///   - planes: where the row begins in each plane; one plane where the samples of a pixel stand together.
  ///   - row: four bytes a pixel.
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
      case .ink:
        let light = 255 - UInt32(level(planes, x, 3))
        for channel in 0..<3 {
          pixel[channel] = UInt8(truncatingIfNeeded: ((255 - UInt32(level(planes, x, channel))) * light + 127) / 255)
        }
      }
      pixel[3] = alpha == .none ? 255 : level(planes, x, colorCount)
      pixel += 4
    }
  }

  /// A sample brought to eight bits.
  private func level(_ planes: [UnsafePointer<UInt8>], _ x: Int, _ sample: Int) -> UInt8 {
    let isTogether = planes.count == 1
    let plane = planes[isTogether ? 0 : sample]
    let index = isTogether ? x * step + sample : x
    switch format {
    case .unsigned where bits == 8: return plane[index]
    case .unsigned: return TIFFRowConversion.byte(Double(number(plane, index)) / largest)
    case .signed:
      // The least number is black.
      let half: UInt64 = 1 << UInt64(bits - 1)
      let mask = bits == 64 ? UInt64.max : (1 << UInt64(bits)) - 1
      return TIFFRowConversion.byte(Double((number(plane, index) &+ half) & mask) / largest)
    case .floatingPoint: return TIFFRowConversion.byte(real(plane, index))
    }
  }

  /// 0 to 255 for 0 to 1; what is no number is 0.
  private static func byte(_ share: Double) -> UInt8 {
    share > 0 ? UInt8(truncatingIfNeeded: Int(min(1, share) * 255 + 0.5)) : 0
  }

  /// A sample's bits: those of whole bytes in the machine's order, as libtiff hands them out, others from the highest on.
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

  /// A sample as a floating-point number: half, three bytes (16 bits behind the point), single or double.
  private func real(_ plane: UnsafePointer<UInt8>, _ index: Int) -> Double {
    let number = number(plane, index)
    switch bits {
    case 64: return Double(bitPattern: number)
    case 32: return Double(Float(bitPattern: UInt32(truncatingIfNeeded: number)))
    case 24: return TIFFRowConversion.real(number, exponentBits: 7, fractionBits: 16)
    default: return TIFFRowConversion.real(number, exponentBits: 5, fractionBits: 10)
    }
  }

  /// A number of IEEE 754's shape of any size.
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
