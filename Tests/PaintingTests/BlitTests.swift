import Testing
import VitrineGeometry
import VitrinePainting
import VitrineRendering
import VitrineTestSupport

@Suite("A pixel-exact copy is clipped to the visible area and to its texture")
struct BlitTests {
  private let window = PixelRect.at(0, 0, 9, 7)

  @Test(
    "A blit covers exactly the pixels that are visible and in the texture", arguments: 1...300 as ClosedRange<UInt64>)
  func clips(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let texture = try #require(
      PixelSize(width: .random(in: 1...8, using: &random), height: .random(in: 1...8, using: &random)))
    let extent = (Int32.random(in: -1...9, using: &random), Int32.random(in: -1...9, using: &random))
    let from = (x: Int32.random(in: -5...9, using: &random), y: Int32.random(in: -5...9, using: &random))
    let to = (x: Int32.random(in: -9...10, using: &random), y: Int32.random(in: -9...10, using: &random))
    let command = DrawCommand.copy(
      .none, from: .at(from.x, from.y, extent.0, extent.1), to: .at(to.x, to.y, extent.0, extent.1))
    let visible = window.intersection(
      .at(
        .random(in: 0...4, using: &random), .random(in: 0...4, using: &random), .random(in: 0...9, using: &random),
        .random(in: 0...9, using: &random)))
    let blit = Blit(command, texture: texture, visible: visible)
    for y in -10...20 as ClosedRange<Int32> {
      for x in -10...20 as ClosedRange<Int32> {
        let (column, row) = (x - to.x + from.x, y - to.y + from.y)
        let isIn =
          visible.containsPixel(x, y) && command.destination.containsPixel(x, y) && column >= 0
          && column < texture.width && row >= 0
          && row < texture.height
        #expect((blit?.rect.containsPixel(x, y) ?? false) == isIn, "\(command) \(visible)")
        if isIn, let blit {
          #expect(blit.column + Int(x) - blit.x == Int(column) && blit.row + Int(y) - blit.y == Int(row))
        }
      }
    }
  }

  @Test("Extreme coordinates never exceed the texture or the window")
  func extremeCoordinates() throws {
    let texture = try #require(PixelSize(width: 4, height: 4))
    let numbers: [Int32] = [.min, .min + 3, -5, -1, 0, 1, 3, 8, .max - 3, .max]
    for x in numbers {
      for sourceX in numbers {
        for width in numbers {
          let command = DrawCommand.copy(.none, from: .at(sourceX, 0, width, 4), to: .at(x, 1, width, 4))
          guard let blit = Blit(command, texture: texture, visible: window) else { continue }
          #expect(blit.column >= 0 && blit.width > 0 && blit.column + blit.width <= 4)
          #expect(blit.x >= 0 && blit.x + blit.width <= 9 && blit.height == 4)
        }
      }
    }
  }
}

extension PixelRect {
  /// Whether the rectangle contains the pixel at the given column and row.
  fileprivate func containsPixel(_ column: Int32, _ row: Int32) -> Bool {
    column >= x && column < maxX && row >= y && row < maxY
  }
}

@Suite("Scaled copies are clipped to the visible area")
struct ScaledCopyTests {
  private let screen = PixelRect.at(0, 0, 1_280, 800)

  @Test("A copy within the texture and the visible area is unchanged")
  func unclippedCopy() throws {
    let size = try #require(PixelSize(width: 100, height: 50))
    let copy = ScaledCopy(source: .at(10, 5, 90, 45), destination: .at(0, 0, 1_280, 800), bitmap: size, visible: screen)
    #expect(copy?.source == .at(10, 5, 90, 45) && copy?.destination == screen)
  }

  @Test("A copy that is invisible or has no source gives nil")
  func invisibleCopies() throws {
    let size = try #require(PixelSize(width: 100, height: 50))
    let all = PixelRect.at(0, 0, 100, 50)
    let cases: [(PixelRect, PixelRect)] = [
      (all, .at(1_280, 0, 100, 50)), (all, .at(-100, 0, 100, 50)), (all, .at(0, 0, 0, 50)), (.zero, all),
      (.at(100, 0, 10, 10), all), (.at(-10, -10, 10, 10), all), (.at(0, 0, -5, 5), all),
      (all, .at(2_000_000_000, 2_000_000_000, 100, 50)), (all, .at(.min, .min, 100, 50)),
    ]
    for (source, destination) in cases {
      let copy = ScaledCopy(source: source, destination: destination, bitmap: size, visible: screen)
      #expect(copy == nil, "\(source) \(destination)")
    }
    #expect(ScaledCopy(source: all, destination: all, bitmap: size, visible: .zero) == nil)
  }

  @Test("Copies that are not scaled are clipped exactly", arguments: 1...200 as ClosedRange<UInt64>)
  func exactCopies(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let size = try #require(PixelSize(width: 40, height: 30))
    let visible = PixelRect.at(
      .random(in: 0...20, using: &random), .random(in: 0...20, using: &random), .random(in: 1...60, using: &random),
      .random(in: 1...60, using: &random))
    let source = PixelRect.at(
      .random(in: -10...45, using: &random), .random(in: -10...35, using: &random), .random(in: 1...60, using: &random),
      .random(in: 1...60, using: &random))
    let destination = PixelRect.at(
      .random(in: -50...80, using: &random), .random(in: -50...80, using: &random), source.width, source.height)
    let copy = ScaledCopy(source: source, destination: destination, bitmap: size, visible: visible)
    var expected: Set<[Int32]> = []
    for row in 0..<source.height {
      for column in 0..<source.width {
        let from = (x: source.x + column, y: source.y + row)
        let to = (x: destination.x + column, y: destination.y + row)
        guard (0..<40).contains(from.x), (0..<30).contains(from.y) else { continue }
        guard to.x >= visible.x, to.x < visible.maxX, to.y >= visible.y, to.y < visible.maxY else { continue }
        expected.insert([from.x, from.y, to.x, to.y])
      }
    }
    var copied: Set<[Int32]> = []
    if let copy {
      #expect(copy.source.width == copy.destination.width && copy.source.height == copy.destination.height)
      for row in 0..<copy.source.height {
        for column in 0..<copy.source.width {
          copied.insert([
            copy.source.x + column, copy.source.y + row, copy.destination.x + column, copy.destination.y + row,
          ])
        }
      }
    }
    // A copy that needs no clipping is unchanged. Any other is clipped to exactly its visible pixels.
    #expect(copied == expected)
  }

  @Test(
    "Scaled copies cover the visible area, keep their alignment, and are bounded by the screen and a margin",
    arguments: 1...500 as ClosedRange<UInt64>)
  func scaledCopies(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let size = try #require(
      PixelSize(width: .random(in: 1...6_000, using: &random), height: .random(in: 1...6_000, using: &random)))
    let source = PixelRect.at(0, 0, Int32(size.width), Int32(size.height))
    let destination = PixelRect.at(
      .random(in: -90_000...2_000, using: &random), .random(in: -90_000...2_000, using: &random),
      .random(in: 1...200_000, using: &random), .random(in: 1...200_000, using: &random))
    let visiblePart = screen.intersection(destination)
    let clipped = ScaledCopy(source: source, destination: destination, bitmap: size, visible: screen)
    guard !visiblePart.isEmpty else {
      #expect(clipped == nil)
      return
    }
    let copy = try #require(clipped)
    let margin = ScaledCopy.maximumMargin
    #expect(copy.destination.intersection(visiblePart) == visiblePart)
    #expect(Int(copy.destination.width) <= 1_280 + 2 * margin && Int(copy.destination.height) <= 800 + 2 * margin)
    #expect(copy.source.intersection(source) == copy.source)
    // Each edge of the clipped copy is at the position of its source pixel, within one screen pixel, or within one
    // source pixel if that pixel covers the margin.
    let scaleX = Double(destination.width) / Double(source.width)
    let expectedLeft = Double(destination.x) + Double(copy.source.x) * scaleX
    let expectedRight = Double(destination.x) + Double(copy.source.maxX) * scaleX
    let tolerance = max(1, scaleX * 3 > Double(margin) ? scaleX * 3 : 1)
    #expect(abs(Double(copy.destination.x) - expectedLeft) <= tolerance)
    #expect(abs(Double(copy.destination.maxX) - expectedRight) <= tolerance)
  }
}
