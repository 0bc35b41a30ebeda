import Geometry
import SDLBackend
import TestSupport
import Testing

@Suite("What later commands cover is left out of a fill")
struct CoverListTests {
  private let covers = OccluderList()

  @Test("The parts are all that no later command covers, each pixel once", arguments: 1...100 as ClosedRange<UInt64>)
  func parts(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var noted: [(rect: PixelRect, command: Int)] = []
    for command in 0..<Int.random(in: 0...20, using: &random) {
      let rect = PixelRect.at(
        .random(in: -40...200, using: &random), .random(in: -40...200, using: &random),
        .random(in: 1...160, using: &random), .random(in: 1...160, using: &random))
      covers.add(rect, by: command)
      if rect.width * rect.height >= OccluderList.minimumArea { noted.append((rect, command)) }
    }
    let rect = PixelRect.at(
      .random(in: -10...20, using: &random), .random(in: -10...20, using: &random), 190, 180)
    let command = Int.random(in: -1...20, using: &random)
    let size = 256
    var painted = [UInt8](repeating: 0, count: size * size)
    covers.forEachVisiblePart(of: rect, behind: command) { part in
      for y in part.y..<part.maxY {
        for x in part.x..<part.maxX { painted[(Int(y) + 20) * size + Int(x) + 20] += 1 }
      }
    }
    var expected = [UInt8](repeating: 0, count: size * size)
    for y in rect.y..<rect.maxY {
      for x in rect.x..<rect.maxX {
        let isCovered = noted.contains { cover in
          cover.command > command && x >= cover.rect.x && x < cover.rect.maxX && y >= cover.rect.y
            && y < cover.rect.maxY
        }
        expected[(Int(y) + 20) * size + Int(x) + 20] = isCovered ? 0 : 1
      }
    }
    #expect(painted == expected)
  }

  @Test("More rectangles than there is room for are as none, and an empty list covers nothing")
  func bounds() {
    let rect = PixelRect.at(0, 0, 100, 100)
    var count = 0
    covers.forEachVisiblePart(of: rect, behind: -1) { part in
      #expect(part == rect)
      count += 1
    }
    for _ in 0..<OccluderList.maximumOccluders { covers.add(.at(500, 0, 100, 100), by: 0) }
    covers.add(rect, by: 1)
    covers.forEachVisiblePart(of: rect, behind: -1) { part in
      #expect(part == rect)
      count += 1
    }
    #expect(count == 2)
    covers.removeAll()
    covers.add(rect, by: 1)
    covers.forEachVisiblePart(of: rect, behind: 0) { _ in count += 1 }
    #expect(count == 2)
    covers.forEachVisiblePart(of: rect, behind: 1) { _ in count += 1 }
    #expect(count == 3)
  }
}
