import Testing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport

@testable import VitrineImageDecodingCore

@Suite("Lossless JPEG decoding")
struct LosslessJPEGDecoderTests {
  /// A writer of standard files with one or three components, and with a code of five bits for every difference size.
  private struct Writer {
    var width: Int
    var height: Int
    var precision = 8
    var count = 1
    var predictor = 1
    var pointTransform = 0
    var restartRows = 0

    func file(_ samples: [Int]) -> [UInt8] {
      var out: [UInt8] = [0xFF, 0xD8]
      out += segment(
        0xC3,
        [UInt8(precision)] + big(height) + big(width) + [UInt8(count)]
          + (0..<count).flatMap { [UInt8($0 + 1), 0x11, 0] })
      // Seventeen codes of five bits.
      out += segment(0xC4, [0, 0, 0, 0, 0, 17] + [UInt8](repeating: 0, count: 11) + Array(0...16))
      if restartRows > 0 { out += segment(0xDD, big(restartRows * width)) }
      out += segment(
        0xDA,
        [UInt8(count)] + (0..<count).flatMap { [UInt8($0 + 1), 0] }
          + [UInt8(predictor), 0, UInt8(pointTransform)])
      var bits = EntropyBits()
      for y in 0..<height {
        let isFirst = y == 0 || restartRows > 0 && y % restartRows == 0
        if isFirst, y > 0 { bits.restart(y / restartRows - 1) }
        for x in 0..<width {
          for component in 0..<count {
            func sample(_ x: Int, _ y: Int) -> Int { samples[(y * width + x) * count + component] >> pointTransform }
            let predicted: Int
            if isFirst {
              predicted = x == 0 ? 1 << (precision - pointTransform - 1) : sample(x - 1, y)
            } else if x == 0 {
              predicted = sample(x, y - 1)
            } else {
              let (a, b, c) = (sample(x - 1, y), sample(x, y - 1), sample(x - 1, y - 1))
              predicted = [a, b, c, a + b - c, a + (b - c) >> 1, b + (a - c) >> 1, (a + b) >> 1][predictor - 1]
            }
            append((sample(x, y) - predicted) & 0xFFFF, to: &bits)
          }
        }
      }
      bits.pad()
      return out + bits.bytes + [0xFF, 0xD9]
    }

    private func append(_ difference: Int, to bits: inout EntropyBits) {
      if difference == 32_768 { return bits.append(16, count: 5) }
      let value = difference > 32_768 ? difference - 65_536 : difference
      let size = Int.bitWidth - abs(value).leadingZeroBitCount
      bits.append(size, count: 5)
      bits.append(value > 0 ? value : value + (1 << size) - 1, count: size)
    }

    private func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
      [0xFF, marker] + big(content.count + 2) + content
    }

    private func big(_ number: Int) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 255)] }
  }

  @Test("All predictors, grey and color, 2 to 16 bits, restarts and point transforms are decoded", arguments: 1...7)
  func predictions(predictor: Int) throws {
    var random = SeededGenerator(seed: UInt64(predictor))
    for (precision, count, pointTransform, restartRows) in [
      (8, 1, 0, 0), (16, 1, 0, 3), (12, 3, 0, 2), (8, 3, 2, 0), (2, 1, 0, 1),
    ] {
      let writer = Writer(
        width: 19, height: 11, precision: precision, count: count, predictor: predictor, pointTransform: pointTransform,
        restartRows: restartRows)
      let maximum = (1 << precision) - 1
      let samples = (0..<19 * 11 * count).map { _ in Int.random(in: 0...maximum, using: &random) }
      let (picture, image) = try Decoding.decode(writer.file(samples))
      #expect(!image.isDamaged && picture.width == 19 && picture.height == 11)
      for y in 0..<11 {
        for x in 0..<19 {
          let expected = (0..<3).map { channel -> UInt8 in
            let sample =
              (samples[(y * 19 + x) * count + (count == 3 ? channel : 0)] >> pointTransform) << pointTransform
            return UInt8((sample * 255 + maximum / 2) / maximum)
          }
          #expect(picture[x, y] == Color(red: expected[0], green: expected[1], blue: expected[2], alpha: 255))
        }
      }
    }
  }

  /// Segments that specify, or do not specify, the meaning of three samples.
  private static let colorMarkers: [(bytes: [UInt8], isLumaAndChroma: Bool)] = [
    ([0xFF, 0xE0, 0, 16] + Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0], true),
    ([0xFF, 0xEE, 0, 14] + Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 1], true),
    ([0xFF, 0xEE, 0, 14] + Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 0], false), ([], false),
  ]

  @Test("Three samples are luma and chroma if a marker specifies it", arguments: colorMarkers)
  func colors(marker: [UInt8], isLumaAndChroma: Bool) throws {
    // Pure red, as JFIF stores it.
    let file = Writer(width: 4, height: 2, count: 3).file((0..<8).flatMap { _ in [76, 85, 255] })
    let picture = try Decoding.decode(Array(file.prefix(2)) + marker + Array(file.dropFirst(2))).picture
    let color = picture[1, 1]
    #expect([color.red, color.green, color.blue] == (isLumaAndChroma ? [254, 0, 0] : [76, 85, 255]))
  }

  @Test("A truncated file shows its rows and is marked as damaged, and changed files are decoded or refused")
  func truncated() throws {
    let file = Writer(width: 19, height: 11, precision: 16, predictor: 4).file((0..<19 * 11).map { $0 * 300 & 0xFFFF })
    let image = try Decoding.decode(Array(file.prefix(file.count - 100))).image
    #expect(image.isDamaged)
    for count in 0..<file.count { _ = try? Decoding.decode(Array(file.prefix(count))) }
    try Mutations(seed: 3).check([file])
  }
}
