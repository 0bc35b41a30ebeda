import Geometry
import Rendering
import SDLBackend
import TestSupport

/// A plane over memory of its own with bytes around it that nobody may touch, beside what the reference paints.
struct PaintedPlane {
  /// What the memory has around and between rows.
  private static let guardByte: UInt8 = 0xA5
  /// The extent.
  let size: PixelSize
  /// The order of a pixel's channels.
  let order: ChannelOrder
  private let spare: Int
  private(set) var memory: [UInt8]
  private(set) var expected: [UInt32]

  /// Makes a plane of random pixels.
  init(size: PixelSize, order: ChannelOrder, using random: inout SeededGenerator) {
    self.size = size
    self.order = order
    spare = 4 * Int.random(in: 0...3, using: &random)
    expected = (0..<size.area).map { _ in Color.random(alpha: 255, using: &random).packed }
    memory = Array(repeating: PaintedPlane.guardByte, count: 64 + (size.width * 4 + spare) * size.height + 64)
    for (place, pixel) in expected.enumerated() {
      let bytes = order.pixel(Color(packed: pixel))
      for byte in 0..<4 { memory[offset(of: place) + byte] = UInt8(truncatingIfNeeded: bytes >> UInt32(byte * 8)) }
    }
  }

  private var bytesPerRow: Int { size.width * 4 + spare }

  private func offset(of place: Int) -> Int { 64 + place / size.width * bytesPerRow + place % size.width * 4 }

  /// Draws into the plane, and has the reference paint commands.
  mutating func paint(_ commands: [DrawCommand], bitmap: Bitmap?, _ body: (PixelPlane) -> Void) {
    let (size, order, bytesPerRow) = (size, order, bytesPerRow)
    memory.withUnsafeMutableBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      body(PixelPlane(start: start + 64, bytesPerRow: bytesPerRow, extent: size.rect, order: order))
    }
    expected.withUnsafeMutableBytes { ReferencePainter(size: size, pixels: $0).paint(commands) { _ in bitmap } }
  }

  /// Whether every pixel is as expected, but for its fourth byte, and every byte around them as it was.
  var isRight: Bool {
    var rest = memory
    for (place, pixel) in expected.enumerated() {
      let bytes = order.pixel(Color(packed: pixel))
      for byte in 0..<4 {
        if byte < 3, memory[offset(of: place) + byte] != UInt8(truncatingIfNeeded: bytes >> UInt32(byte * 8)) {
          return false
        }
        rest[offset(of: place) + byte] = PaintedPlane.guardByte
      }
    }
    return rest.allSatisfy { $0 == PaintedPlane.guardByte }
  }

  /// Lets a body use a bitmap's pixels as those of a texture.
  static func withTexels(of bitmap: Bitmap, order: ChannelOrder, _ body: (Texels) throws -> Void) rethrows {
    let bytesPerRow = bitmap.bytesPerRow + 8
    var memory = [UInt8](repeating: 0, count: bytesPerRow * bitmap.size.height)
    try memory.withUnsafeMutableBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      var texels = Texels(
        start: start, bytesPerRow: bytesPerRow, size: bitmap.size, isOpaque: bitmap.isOpaque, order: order)
      texels.copyPixels(from: bitmap)
      try body(texels)
    }
  }
}

extension PixelSize {
  /// The rectangle of this extent at 0, 0.
  var rect: PixelRect { .at(0, 0, Int32(width), Int32(height)) }
}

extension Color {
  /// Any colour of an opacity; both ends of each channel come more often than others.
  static func random(alpha: UInt8, using random: inout SeededGenerator) -> Color {
    Color(
      red: .randomChannel(using: &random), green: .randomChannel(using: &random), blue: .randomChannel(using: &random),
      alpha: alpha)
  }
}

extension UInt8 {
  /// Any channel; both ends come more often.
  static func randomChannel(using random: inout SeededGenerator) -> UInt8 {
    random.chance(oneIn: 4) ? (Bool.random(using: &random) ? 255 : 0) : .random(in: 0...255, using: &random)
  }
}
