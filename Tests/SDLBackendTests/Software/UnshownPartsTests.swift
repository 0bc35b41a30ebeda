import Geometry
import SDLBackend
import TestSupport
import Testing

@Suite("What was drawn is shown")
struct UnshownPartsTests {
  @Test("Every pixel that was added is in one of few rectangles", arguments: 1...60 as ClosedRange<UInt64>)
  func all(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let unshown = UndisplayedRegion()
    var added: [PixelRect] = []
    for _ in 0..<Int.random(in: 0...60, using: &random) {
      let part = PixelRect.random(within: .at(0, 0, 200, 100), using: &random)
      unshown.add(part)
      if !part.isEmpty { added.append(part) }
      #expect(unshown.rects.count <= UndisplayedRegion.maximumRects)
    }
    for part in added { #expect(unshown.rects.contains { $0.contains(part) }) }
    #expect(unshown.rects.isEmpty == added.isEmpty)
    unshown.removeAll()
    #expect(unshown.rects.isEmpty)
  }

  @Test("What another rectangle has is not shown twice")
  func once() {
    let unshown = UndisplayedRegion()
    unshown.add(.at(0, 0, 100, 100))
    unshown.add(.at(10, 10, 20, 20))
    #expect(Array(unshown.rects) == [.at(0, 0, 100, 100)])
  }
}
