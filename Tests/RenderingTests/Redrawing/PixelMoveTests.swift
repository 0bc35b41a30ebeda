import Geometry
import Rendering
import TestSupport
import Testing

@Suite("Pixels move as if all were read before any is written")
struct PixelMoveTests {
  @Test(
    "A move within a region changes the pixels where something arrives, and no others",
    arguments: 1...200 as ClosedRange<UInt64>)
  func moves(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let (width, height) = (17, 13)
    let left = Int32.random(in: 0...10, using: &random)
    let top = Int32.random(in: 0...8, using: &random)
    let region = PixelRect(
      x: left, y: top, width: .random(in: 1...(17 - left), using: &random),
      height: .random(in: 1...(13 - top), using: &random))
    let (x, y) = (Int32.random(in: -9...9, using: &random), Int32.random(in: -9...9, using: &random))
    let before = (0..<UInt32(width * height)).map { $0 }
    var expected = before
    for row in region.y..<region.maxY {
      for column in region.x..<region.maxX {
        let from = (x: column - x, y: row - y)
        guard from.x >= region.x, from.x < region.maxX, from.y >= region.y, from.y < region.maxY else { continue }
        expected[Int(row) * width + Int(column)] = before[Int(from.y) * width + Int(from.x)]
      }
    }
    var moved = before
    let move = PixelMove(within: region, byX: x, y: y)
    moved.withUnsafeMutableBytes { pixels in
      if let start = pixels.baseAddress { move?.movePixels(in: start, bytesPerRow: width * 4) }
    }
    #expect(moved == expected)
    #expect((move == nil) == (abs(x) >= region.width || abs(y) >= region.height))
  }
}
