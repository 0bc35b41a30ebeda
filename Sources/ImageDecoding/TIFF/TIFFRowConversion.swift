import Geometry

/// Turns a row of a TIFF as it is stored into R, G, B, A: the plain kinds, of which a file may hold one tall strip.
struct TIFFRowConversion {
  private enum Kind {
    case grey(isWhiteZero: Bool)
    case palette([SIMD4<UInt8>])
    case color
  }

  /// Whether a pixel may be anything but opaque.
  let hasAlpha: Bool
  /// How many bytes a row takes as it is stored.
  let bytesPerRow: Int

  private let kind: Kind
  private let width: Int
  private let bits: Int
  private let samples: Int

  /// For a kind that is known here; nothing for others.
  init?(_ frame: LibTIFF.Frame, _ decoder: borrowing LibTIFF) {
    guard frame.isContiguous, !frame.isTiled, [1, 2, 4, 8, 16].contains(frame.bitsPerSample) else { return nil }
    switch frame.photometric {
    case 0 where frame.samplesPerPixel == 1: kind = .grey(isWhiteZero: true)
    case 1 where frame.samplesPerPixel == 1: kind = .grey(isWhiteZero: false)
    case 2 where (3...4).contains(frame.samplesPerPixel) && frame.bitsPerSample >= 8: kind = .color
    case 3 where frame.samplesPerPixel == 1 && frame.bitsPerSample <= 8:
      guard let colors = decoder.palette(count: 1 << frame.bitsPerSample) else { return nil }
      kind = .palette(colors)
    case 6 where frame.compression == 7 && frame.samplesPerPixel == 3 && frame.bitsPerSample == 8:
      // Brightness and differences of colour, which libjpeg turns.
      guard decoder.wantColorsOfJPEG() else { return nil }
      kind = .color
    default: return nil
    }
    let straightAlpha = 2
    guard frame.samplesPerPixel < 4 || frame.alphaKind == 0 || frame.alphaKind == straightAlpha else { return nil }
    hasAlpha = frame.samplesPerPixel == 4 && frame.alphaKind == straightAlpha
    width = frame.size.width
    bits = frame.bitsPerSample
    samples = frame.samplesPerPixel
    bytesPerRow = (width * bits * samples + 7) / 8
  }

  /// Converts a row.
  func convert(_ stored: UnsafePointer<UInt8>, into row: UnsafeMutablePointer<UInt8>) {
    var pixel = row
    for x in 0..<width {
      switch kind {
      case .grey(let isWhiteZero):
        let level = level(stored, x)
        let grey = isWhiteZero ? 255 - level : level
        (pixel[0], pixel[1], pixel[2], pixel[3]) = (grey, grey, grey, 255)
      case .palette(let colors):
        let color = colors[number(stored, x)]
        (pixel[0], pixel[1], pixel[2], pixel[3]) = (color[0], color[1], color[2], 255)
      case .color:
        for channel in 0..<3 { pixel[channel] = level(stored, x * samples + channel) }
        pixel[3] = hasAlpha ? level(stored, x * samples + 3) : 255
      }
      pixel += 4
    }
  }

  /// A sample brought to eight bits.
  private func level(_ stored: UnsafePointer<UInt8>, _ index: Int) -> UInt8 {
    // libtiff gives numbers of two bytes in the machine's order.
    if bits == 16 { return UnsafeRawPointer(stored).loadUnaligned(fromByteOffset: index * 2 + 1, as: UInt8.self) }
    return UInt8(truncatingIfNeeded: number(stored, index) * 255 / ((1 << bits) - 1))
  }

  /// A sample of up to eight bits.
  private func number(_ stored: UnsafePointer<UInt8>, _ index: Int) -> Int {
    let bit = index * bits
    let shift = 8 - bits - bit % 8
    return Int(stored[bit / 8]) >> max(0, shift) & ((1 << min(bits, 8)) - 1)
  }
}
