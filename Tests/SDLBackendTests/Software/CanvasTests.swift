import Geometry
import Rendering
import SDLBackend
import TestSupport
import Testing

@Suite("A canvas moves pixels by its first row, and keeps the others")
struct CanvasTests {
  /// The pixels of a canvas, by row.
  private func pixels(_ canvas: Canvas) -> [UInt32] {
    let plane = canvas.plane
    return (0..<Int(plane.extent.height)).flatMap { row in
      (0..<Int(plane.extent.width)).map { column in
        (plane.start + row * plane.bytesPerRow + column * 4).load(as: UInt32.self)
      }
    }
  }

  private func write(_ pixels: [UInt32], to canvas: Canvas) {
    let (plane, width) = (canvas.plane, Int(canvas.extent.width))
    for (place, pixel) in pixels.enumerated() {
      (plane.start + place / width * plane.bytesPerRow + place % width * 4).storeBytes(of: pixel, as: UInt32.self)
    }
  }

  @Test("A new canvas is black, and has rows to spare")
  func new() throws {
    let canvas = try Canvas(extent: .at(0, 0, 33, 17))
    #expect(pixels(canvas).allSatisfy { $0 == 0 } && canvas.ring.spareRows > 0 && canvas.bytesPerRow >= 33 * 4)
    #expect(canvas.ring.rowCount * canvas.bytesPerRow % MirroredMemory.granularity == 0)
  }

  @Test(
    "No extent, and one beyond what windows have, are refused", arguments: [(0, 9), (9, 0), (40_000, 9), (9, 40_000)])
  func refused(width: Int32, height: Int32) {
    #expect(throws: DisplayError.self) { try Canvas(extent: .at(0, 0, width, height)) }
  }

  @Test(
    "Any course of moves gives what memory has after moving it pixel by pixel",
    arguments: 1...150 as ClosedRange<UInt64>)
  func moves(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let (width, height) = (Int32.random(in: 1...40, using: &random), Int32.random(in: 1...90, using: &random))
    let canvas = try Canvas(extent: .at(0, 0, width, height))
    var expected = (0..<UInt32(width * height)).map { $0 + 1 }
    write(expected, to: canvas)
    var ringMoves = 0
    for _ in 0..<30 {
      // All of it, or most of it, or little.
      let region =
        Bool.random(using: &random) ? canvas.extent : PixelRect.random(within: canvas.extent, using: &random)
      guard !region.isEmpty else { continue }
      let x = random.chance(oneIn: 4) ? Int32.random(in: -5...5, using: &random) : 0
      guard let move = PixelMove(within: region, byX: x, y: .random(in: -height...height, using: &random)) else {
        continue
      }
      let top = canvas.ring.top
      canvas.movePixels(move)
      if canvas.ring.top != top { ringMoves += 1 }
      let before = expected
      for row in move.target.y..<move.target.maxY {
        for column in move.target.x..<move.target.maxX {
          expected[Int(row * width + column)] = before[Int((row - move.y) * width + column - move.x)]
        }
      }
      let now = pixels(canvas)
      for row in 0..<height {
        for column in 0..<width {
          let place = Int(row * width + column)
          let one = PixelRect.at(column, row, 1, 1)
          // Where nothing arrives in the region there may be anything.
          let isFree = !region.intersection(one).isEmpty && move.target.intersection(one).isEmpty
          #expect(isFree || now[place] == expected[place], "\(move) at \(column), \(row)")
          expected[place] = now[place]
        }
      }
    }
    #expect(height < 8 || ringMoves > 0)
  }
}
