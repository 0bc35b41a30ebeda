import Geometry
import Rendering
import TestSupport
import Testing

@testable import ImageDecoding

@Suite("Samples of a TIFF that libtiff turns into no colours")
struct TIFFSampleTests {
  /// Numbers of some bits in a row, as a TIFF stores them.
  private func packed(_ numbers: [UInt64], bits: Int, isBigEndian: Bool) -> [UInt8] {
    if bits % 8 == 0 {
      return numbers.flatMap { number in
        let little = (0..<bits / 8).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
        return isBigEndian ? little.reversed() : little
      }
    }
    var stream = EntropyBits()
    stream.stuffs = false
    for number in numbers { stream.append(Int(number), count: bits) }
    stream.pad()
    return stream.bytes
  }

  /// The bits of a number of -2 to 2 as floating point of a width.
  private func real(_ value: Float, bits: Int) -> UInt64 {
    switch bits {
    case 64: return Double(value).bitPattern
    case 32: return UInt64(value.bitPattern)
    default:
      // Single precision with fewer bits of either kind; small numbers are nought.
      let (exponentBits, fractionBits) = bits == 24 ? (7, 16) : (5, 10)
      let exponent = Int(value.bitPattern >> 23 & 255) - 127 + (1 << (exponentBits - 1)) - 1
      guard exponent > 0 else { return 0 }
      let sign = UInt64(value.bitPattern >> 31) << UInt64(bits - 1)
      return sign | UInt64(exponent) << UInt64(fractionBits)
        | UInt64(value.bitPattern & 0x7F_FFFF) >> UInt64(23 - fractionBits)
    }
  }

  @Test("Whole numbers of any width, with a sign or without, in pixels, planes and tiles", arguments: 1...32)
  func wholeNumbers(bits: Int) throws {
    var random = SeededGenerator(seed: UInt64(bits))
    let most = (UInt64(1) << UInt64(bits)) - 1
    for (sampleFormat, isPlanar, isBigEndian) in [
      (1, false, false), (1, true, true), (2, false, true), (2, true, false),
    ] {
      var writer = TIFFWriter(width: 16, height: 5, isBigEndian: isBigEndian, bits: bits)
      writer.sampleFormat = sampleFormat
      writer.isPlanar = isPlanar
      writer.rowsPerStrip = 2
      if bits % 8 == 0, !isPlanar { writer.tileSide = 16 }
      let levels = (0..<5).map { _ in (0..<48).map { _ in UInt64.random(in: 0...most, using: &random) } }
      // With a sign the least number is black.
      let half = sampleFormat == 2 ? UInt64(1) << UInt64(bits - 1) : 0
      let stored = levels.map { row in row.map { ($0 &+ half) & most } }
      let rows =
        isPlanar
        ? (0..<3).flatMap { plane in
          stored.map { row in
            packed(stride(from: plane, to: 48, by: 3).map { row[$0] }, bits: bits, isBigEndian: isBigEndian)
          }
        }
        : stored.map { packed($0, bits: bits, isBigEndian: isBigEndian) }
      let (picture, image) = try Decoding.decode(writer.file(rows: rows))
      #expect(!image.isDamaged)
      for (y, row) in levels.enumerated() {
        for x in 0..<16 {
          let expected = (0..<3).map { UInt8((Double(row[3 * x + $0]) / Double(most) * 255).rounded()) }
          let color = Color(red: expected[0], green: expected[1], blue: expected[2], alpha: 255)
          #expect(Decoding.isNear(picture[x, y], color, within: 1), "\(sampleFormat) \(isPlanar) \(x) \(y)")
        }
      }
    }
  }

  @Test(
    "Floating-point numbers of four widths: 0 is black, 1 white, what lies beyond too", arguments: [16, 24, 32, 64])
  func realNumbers(bits: Int) throws {
    var writer = TIFFWriter(width: 6, height: 1, bits: bits, samples: 1, photometric: 1)
    writer.sampleFormat = 3
    let values: [Float] = [0, 0.25, 0.5, 1, 1.75, -1]
    let row = packed(values.map { real($0, bits: bits) }, bits: bits, isBigEndian: false)
    let picture = try Decoding.decode(writer.file(rows: [row])).picture
    #expect((0..<6).map { picture[$0, 0].red } == [0, 64, 128, 255, 255, 0])
    let nan = packed([UInt64.max], bits: bits, isBigEndian: false)
    #expect(try Decoding.decode(writer.file(rows: [nan + row.dropFirst(bits / 8)])).picture[0, 0] == .black)
  }

  @Test("Inks of 16 bits, and a palette with alpha of either kind")
  func otherKinds() throws {
    let inks = TIFFWriter(width: 2, height: 1, bits: 16, samples: 4, photometric: 5)
    let row = packed([0xFFFF, 0, 0, 0, 0, 0, 0, 0x8000], bits: 16, isBigEndian: false)
    let picture = try Decoding.decode(inks.file(rows: [row])).picture
    #expect(picture[0, 0] == Color(hex: 0x00FFFF) && Decoding.isNear(picture[1, 0], Color(hex: 0x7F7F7F), within: 1))

    var palette = TIFFWriter(width: 2, height: 1, samples: 2, photometric: 3)
    palette.palette = (0..<256).map { $0 == 7 ? [0xFFFF, 0x8000, 0] : [0, 0, 0xFFFF] }
    for (kind, opaque) in [(2, Color(hex: 0xFF8000)), (1, Color(hex: 0xFF8000)), (0, Color(hex: 0xFF8000))] {
      palette.extraSample = kind
      let picture = try Decoding.decode(palette.file(rows: [[7, 255, 7, 0]]), background: .white).picture
      #expect(picture[0, 0] == opaque)
      #expect(picture[1, 0] == (kind == 2 ? .white : kind == 1 ? .white : opaque))
    }
  }
}
