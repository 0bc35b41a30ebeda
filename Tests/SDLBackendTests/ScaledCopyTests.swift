import Geometry
import SDLBackend
import TestSupport
import Testing

@Suite("Copies are cut to what can be seen")
struct ScaledCopyTests {
  private let screen = PixelRect.at(0, 0, 1_280, 800)

  @Test("A copy that lies within everything stays as it is")
  func untouched() throws {
    let size = try #require(PixelSize(width: 100, height: 50))
    let copy = ScaledCopy(source: .at(10, 5, 90, 45), destination: .at(0, 0, 1_280, 800), bitmap: size, visible: screen)
    #expect(copy?.source == .at(10, 5, 90, 45) && copy?.destination == screen)
  }

  @Test("What cannot be seen or does not exist is not copied")
  func nothing() throws {
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

  @Test("Copies that are not stretched are cut exactly", arguments: 1...200 as ClosedRange<UInt64>)
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
    // A copy that needs no cut at all keeps its place; any other is cut to exactly what is seen.
    #expect(copied == expected)
  }

  @Test(
    "Stretched copies cover what is visible, keep their place, and stay near the screen",
    arguments: 1...500 as ClosedRange<UInt64>)
  func stretchedCopies(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let size = try #require(
      PixelSize(width: .random(in: 1...6_000, using: &random), height: .random(in: 1...6_000, using: &random)))
    let source = PixelRect.at(0, 0, Int32(size.width), Int32(size.height))
    let destination = PixelRect.at(
      .random(in: -90_000...2_000, using: &random), .random(in: -90_000...2_000, using: &random),
      .random(in: 1...200_000, using: &random), .random(in: 1...200_000, using: &random))
    let seen = screen.intersection(destination)
    let cut = ScaledCopy(source: source, destination: destination, bitmap: size, visible: screen)
    guard !seen.isEmpty else {
      #expect(cut == nil)
      return
    }
    let copy = try #require(cut)
    let margin = ScaledCopy.maximumMargin
    #expect(copy.destination.intersection(seen) == seen)
    #expect(Int(copy.destination.width) <= 1_280 + 2 * margin && Int(copy.destination.height) <= 800 + 2 * margin)
    #expect(copy.source.intersection(source) == copy.source)
    // Each edge of the cut stands where its pixel of the source was to stand, to a pixel of the screen or, where one
    // pixel of the source covers the margin, to a pixel of the source.
    let across = Double(destination.width) / Double(source.width)
    let expectedLeft = Double(destination.x) + Double(copy.source.x) * across
    let expectedRight = Double(destination.x) + Double(copy.source.maxX) * across
    let tolerance = max(1, across * 3 > Double(margin) ? across * 3 : 1)
    #expect(abs(Double(copy.destination.x) - expectedLeft) <= tolerance)
    #expect(abs(Double(copy.destination.maxX) - expectedRight) <= tolerance)
  }
}
