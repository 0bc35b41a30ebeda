import Geometry
import Rendering
import TestSupport
import Testing

@testable import vitrine_outline

@Suite("Painted landscapes")
struct LandscapeTests {
  @Test("The same number gives the same picture, another one another")
  func same() throws {
    let size = try #require(PixelSize(width: 48, height: 32))
    for scenery in [Scenery.coast, .mountains, .desert, .forest, .lake, .ice, .town] {
      let digests = [3, 3, 4].map { Landscape(scenery, number: $0).bitmap(size)?.contentDigest }
      #expect(digests[0] == digests[1] && digests[0] != digests[2] && digests[0] != nil)
    }
  }

  @Test("There is sky above and land below")
  func land() throws {
    let size = try #require(PixelSize(width: 60, height: 40))
    let picture = try #require(Landscape(.forest, number: 9).bitmap(size))
    func brightness(ofRow row: Int) -> Int {
      picture.withPixels { bytes in
        (0..<size.width).reduce(0) { $0 + Int(bytes[(row * size.width + $1) * 4 + 1]) } / size.width
      }
    }
    #expect(brightness(ofRow: 39) + 30 < brightness(ofRow: 18))
  }
}
