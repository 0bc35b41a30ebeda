import Geometry
import Rendering
import SDLBackend
import TestSupport
import Testing

@Suite("A copy pixel for pixel is cut to what is visible and to its texture")
struct BlitTests {
  private let window = PixelRect.at(0, 0, 9, 7)

  @Test("It has exactly the pixels that are in both", arguments: 1...300 as ClosedRange<UInt64>)
  func cuts(seed: UInt64) throws {
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
          visible.has(x, y) && command.destination.has(x, y) && column >= 0 && column < texture.width && row >= 0
          && row < texture.height
        #expect((blit?.rect.has(x, y) ?? false) == isIn, "\(command) \(visible)")
        if isIn, let blit {
          #expect(blit.column + Int(x) - blit.x == Int(column) && blit.row + Int(y) - blit.y == Int(row))
        }
      }
    }
  }

  @Test("The farthest numbers there are cut nothing out of the texture or the window")
  func farthestNumbers() throws {
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
  /// Whether a pixel lies within.
  fileprivate func has(_ column: Int32, _ row: Int32) -> Bool {
    column >= x && column < maxX && row >= y && row < maxY
  }
}
