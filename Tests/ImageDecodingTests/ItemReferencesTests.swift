import Testing

@testable import ImageDecoding

@Suite("Items of a HEIC that are made of each other")
struct ItemReferencesTests {
  private func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let count = content.count + 8
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) } + Array(name.utf8) + content
  }

  private func areSound(_ references: [(name: String, from: Int, to: [Int])], isLarge: Bool = false) -> Bool {
    func id(_ item: Int) -> [UInt8] { (isLarge ? [0, 0] : []) + [UInt8(item >> 8), UInt8(item & 255)] }
    let boxes = references.flatMap { box($0.name, id($0.from) + [0, UInt8($0.to.count)] + $0.to.flatMap(id)) }
    let file =
      box("ftyp", Array("heic".utf8)) + box("meta", [0, 0, 0, 0] + box("iref", [isLarge ? 1 : 0, 0, 0, 0] + boxes))
    return file.withUnsafeBytes { ItemReferences($0).areSound }
  }

  @Test("Tiles, alpha and previews are sound")
  func sound() {
    for isLarge in [false, true] {
      #expect(areSound([], isLarge: isLarge))
      #expect(areSound([("dimg", 9, Array(1...8)), ("thmb", 10, [9]), ("auxl", 11, [9])], isLarge: isLarge))
      #expect(
        areSound([("dimg", 9, [1, 1, 2]), ("dimg", 20, [9]), ("dimg", 11, [2]), ("auxl", 11, [9])], isLarge: isLarge))
    }
  }

  @Test("What leads back to itself is not, and neither is what is made of too many others in turn")
  func unsound() {
    for isLarge in [false, true] {
      #expect(!areSound([("dimg", 2, [2])], isLarge: isLarge))
      #expect(!areSound([("dimg", 2, [1, 3]), ("dimg", 3, [4]), ("dimg", 4, [2])], isLarge: isLarge))
      #expect(!areSound([("auxl", 5, [5])], isLarge: isLarge))
      // The alpha of a tile is the grid that the tile is of.
      #expect(!areSound([("dimg", 2, [1]), ("auxl", 2, [1])], isLarge: isLarge))
      func chain(_ length: Int) -> [(name: String, from: Int, to: [Int])] {
        (1...length).map { ("dimg", $0 + 1, [$0]) }
      }
      #expect(areSound(chain(8), isLarge: isLarge))
      #expect(!areSound(chain(40), isLarge: isLarge))
    }
  }
}
