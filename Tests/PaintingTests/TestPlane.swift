import Testing
import VitrineGeometry
import VitrinePainting
import VitrineRendering
import VitrineTestSupport

/// A plane over memory with guard bytes around its rows, and the pixels that the reference painter paints for it.
struct TestPlane {
  /// The value of the bytes around and between rows.
  private static let guardByte: UInt8 = 0xA5
  /// The size in pixels.
  let size: PixelSize
  /// The order of a pixel's channels.
  let order: ChannelOrder
  private let padding: Int
  private(set) var memory: [UInt8]
  private(set) var expected: [UInt32]

  /// Creates a plane of random pixels.
  init(size: PixelSize, order: ChannelOrder, using random: inout SeededGenerator) {
    self.size = size
    self.order = order
    padding = 4 * Int.random(in: 0...3, using: &random)
    expected = (0..<size.area).map { _ in Color.random(alpha: 255, using: &random).packed }
    memory = Array(repeating: TestPlane.guardByte, count: 64 + (size.width * 4 + padding) * size.height + 64)
    for (index, pixel) in expected.enumerated() {
      let bytes = order.pixel(Color(packed: pixel))
      for byte in 0..<4 { memory[offset(of: index) + byte] = UInt8(truncatingIfNeeded: bytes >> UInt32(byte * 8)) }
    }
  }

  private var bytesPerRow: Int { size.width * 4 + padding }

  private func offset(of index: Int) -> Int { 64 + index / size.width * bytesPerRow + index % size.width * 4 }

  /// Draws into the plane with a closure, and paints the commands with the reference painter.
  mutating func paint(_ commands: [DrawCommand], bitmap: Bitmap?, _ body: (PixelPlane) -> Void) {
    let (size, order, bytesPerRow) = (size, order, bytesPerRow)
    memory.withUnsafeMutableBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      body(PixelPlane(start: start + 64, bytesPerRow: bytesPerRow, extent: size.rect, order: order))
    }
    expected.withUnsafeMutableBytes { ReferencePainter(size: size, pixels: $0).paint(commands) { _ in bitmap } }
  }

  /// Whether every pixel is as expected, except for its fourth byte, and every guard byte is unchanged.
  var matchesReference: Bool {
    var rest = memory
    for (index, pixel) in expected.enumerated() {
      let bytes = order.pixel(Color(packed: pixel))
      for byte in 0..<4 {
        if byte < 3, memory[offset(of: index) + byte] != UInt8(truncatingIfNeeded: bytes >> UInt32(byte * 8)) {
          return false
        }
        rest[offset(of: index) + byte] = TestPlane.guardByte
      }
    }
    return rest.allSatisfy { $0 == TestPlane.guardByte }
  }

  /// Calls a closure with the pixels of a bitmap as those of a texture.
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
