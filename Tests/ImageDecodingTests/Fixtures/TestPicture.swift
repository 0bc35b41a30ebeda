import Glibc
import Testing
import VitrineGeometry
import VitrineImageDecoding
import VitrineRendering
import VitrineTestSupport

/// An image in an array, to create and compare small images.
struct TestPicture: Hashable {
  let width: Int
  let height: Int
  /// The pixels as R, G, B, A.
  var bytes: [UInt8]

  init(width: Int, height: Int, _ color: (_ x: Int, _ y: Int) -> Color) {
    self.width = width
    self.height = height
    bytes = []
    bytes.reserveCapacity(width * height * 4)
    for y in 0..<height {
      for x in 0..<width {
        let color = color(x, y)
        bytes += [color.red, color.green, color.blue, color.alpha]
      }
    }
  }

  init(_ bitmap: Bitmap) {
    width = bitmap.size.width
    height = bitmap.size.height
    bytes = bitmap.withPixels { Array($0) }
  }

  subscript(x: Int, y: Int) -> Color {
    let start = (y * width + x) * 4
    return Color(red: bytes[start], green: bytes[start + 1], blue: bytes[start + 2], alpha: bytes[start + 3])
  }

  /// Returns an image with red, green, blue and white corners.
  static func corners(width: Int, height: Int) -> TestPicture {
    TestPicture(width: width, height: height) { x, y in
      switch (x < width / 2, y < height / 2) {
      case (true, true): Color(hex: 0xFF0000)
      case (false, true): Color(hex: 0x00FF00)
      case (true, false): Color(hex: 0x0000FF)
      case (false, false): Color(hex: 0xFFFFFF)
      }
    }
  }

  /// Returns hills of several sizes with a little grain, like those of photographs.
  static func landscape(width: Int, height: Int, seed: UInt64 = 1) -> TestPicture {
    var random = SeededGenerator(seed: seed)
    let grids = [4, 9, 21, 47, 101].map { count in
      (count, (0..<count * count * 3).map { _ in Double.random(in: -1...1, using: &random) })
    }
    var picture = TestPicture(width: width, height: height) { _, _ in .black }
    var index = 0
    for y in 0..<height {
      for x in 0..<width {
        for channel in 0..<3 {
          var value = 128 + Double.random(in: -2...2, using: &random)
          var amplitude = 70.0
          for (count, grid) in grids {
            let column = Double(x) / Double(width) * Double(count - 1)
            let row = Double(y) / Double(height) * Double(count - 1)
            let (left, top) = (Int(column), Int(row))
            let (fx, fy) = (column - Double(left), row - Double(top))
            func node(_ x: Int, _ y: Int) -> Double { grid[(y * count + x) * 3 + channel] }
            let upper = node(left, top) * (1 - fx) + node(left + 1, top) * fx
            let lower = node(left, top + 1) * (1 - fx) + node(left + 1, top + 1) * fx
            value += (upper * (1 - fy) + lower * fy) * amplitude
            amplitude *= 0.55
          }
          picture.bytes[index + channel] = UInt8(max(0, min(255, value.rounded())))
        }
        index += 4
      }
    }
    return picture
  }
}

// MARK: - Decoding

/// Functions that decode files in memory.
enum Decoding {
  /// Decodes a file at a size.
  static func decode(
    _ file: [UInt8], width: Int, height: Int, fit: FitMode = .fill, background: Color = .black,
    representation: DecodingRepresentation = .full, interruption: DecodingInterruption = .none
  ) throws -> (picture: TestPicture, image: DecodedImage) {
    let size = try #require(PixelSize(width: width, height: height))
    let target = DecodingTarget(size: size, fit: fit, background: background)
    let result = try file.withUnsafeBytes {
      try ImageDecoder().bitmap($0, target: target, representation: representation, interruption: interruption)
    }
    #expect(result.bitmap.isOpaque)
    return (TestPicture(result.bitmap), result.image)
  }

  /// Decodes a file at its own size.
  static func decode(_ file: [UInt8], background: Color = .black) throws -> (picture: TestPicture, image: DecodedImage)
  {
    try decode(file, width: 4000, height: 4000, fit: .fit, background: background)
  }

  /// Returns whether two colors are as similar as a lossy format keeps them.
  static func isNear(_ a: Color, _ b: Color, within tolerance: Int = 24) -> Bool {
    abs(Int(a.red) - Int(b.red)) <= tolerance && abs(Int(a.green) - Int(b.green)) <= tolerance
      && abs(Int(a.blue) - Int(b.blue)) <= tolerance && a.alpha == b.alpha
  }
}

// MARK: - Random changes

/// Changes random bytes of files, and checks that each changed file is decoded or refused.
struct Mutations {
  let seed: Int

  /// The number of changed versions per file.
  private static let rounds = 150

  func check(_ files: [[UInt8]]) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    for file in files {
      for _ in 0..<Mutations.rounds {
        var changed = file
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          let index = Int.random(in: 0..<changed.count, using: &random)
          switch Int.random(in: 0..<8, using: &random) {
          case 0: changed.remove(at: index)
          case 1: changed.insert(UInt8.random(in: 0...255, using: &random), at: index)
          default: changed[index] = UInt8.random(in: 0...255, using: &random)
          }
        }
        do {
          let result = try Decoding.decode(changed, width: 8, height: 8)
          #expect(result.picture.bytes.count == 256)
        } catch is DecodingError {}
      }
    }
  }
}

// MARK: - Reference resampler

/// Lanczos resampling with three lobes by its definition, slow and in double precision.
struct ReferenceResampler {
  let window: Rect
  let width: Int
  let height: Int

  /// Returns the red, green and blue of the result, not rounded.
  func draw(_ picture: TestPicture) -> [Double] {
    let columns = (0..<width).map { weights($0, window.minX, window.width / Double(width), picture.width) }
    let rows = (0..<height).map { weights($0, window.minY, window.height / Double(height), picture.height) }
    // Horizontally first, unlike the tested resampler.
    var narrow = [Double](repeating: 0, count: picture.height * width * 3)
    for y in 0..<picture.height {
      for (x, column) in columns.enumerated() {
        for (source, weight) in column {
          for channel in 0..<3 {
            narrow[(y * width + x) * 3 + channel] +=
              weight * Double(picture.bytes[(y * picture.width + source) * 4 + channel])
          }
        }
      }
    }
    var out = [Double](repeating: 0, count: width * height * 3)
    for (y, row) in rows.enumerated() {
      for (source, weight) in row {
        for index in 0..<width * 3 { out[y * width * 3 + index] += weight * narrow[source * width * 3 + index] }
      }
    }
    return out.map { max(0, min(255, $0)) }
  }

  private func weights(_ index: Int, _ start: Double, _ ratio: Double, _ count: Int) -> [(Int, Double)] {
    let center = start + (Double(index) + 0.5) * ratio
    let scale = max(1, ratio)
    let taps = (0..<count).map { ($0, lanczos((Double($0) + 0.5 - center) / scale)) }.filter { $0.1 != 0 }
    let sum = taps.reduce(0) { $0 + $1.1 }
    return taps.map { ($0.0, $0.1 / sum) }
  }

  private func lanczos(_ x: Double) -> Double {
    func sinc(_ x: Double) -> Double { x == 0 ? 1 : sin(Double.pi * x) / (Double.pi * x) }
    return abs(x) < 3 ? sinc(x) * sinc(x / 3) : 0
  }
}
