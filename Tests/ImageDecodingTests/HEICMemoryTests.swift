import Geometry
import ImageMetadata
import TestSupport
import Testing

@testable import ImageDecoding

@Suite("The memory of a HEIC is reckoned before it is decoded")
struct HEICMemoryTests {
  private typealias Item = HEICBoxes.Item

  private func bytes(_ items: [Item], primary: Int = 1) -> Int {
    HEICBoxes(primary: primary, items: items).file.withUnsafeBytes { file in
      let table = ItemTable(file)
      var memory = HEICMemory(table)
      return memory.bytes(for: table.primary)
    }
  }

  private func coded(_ width: Int, _ height: Int, chroma: Int = 1, bits: Int = 8) -> Item {
    Item(
      kind: "hvc1", width: width, height: height,
      configuration: HEICBoxes.configuration(width: width, height: height, chroma: chroma, bits: bits))
  }

  @Test("Parameter sets are read, of every kind and size", arguments: 1...4)
  func parameterSets(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<200 {
      let (width, height) = (Int.random(in: 1...70_000, using: &random), Int.random(in: 1...9000, using: &random))
      let chroma = Int.random(in: 0...3, using: &random)
      let bits = Int.random(in: 8...12, using: &random)
      let configuration = HEICBoxes.configuration(
        width: width, height: height, chroma: chroma, bits: bits, layers: Int.random(in: 0...6, using: &random))
      let extent = configuration.withUnsafeBytes { HEVCExtent(configuration: $0) }
      #expect(extent?.width == width && extent?.height == height)
      #expect(extent?.chroma == chroma && extent?.bits == bits)
      let cut = Array(configuration.prefix(Int.random(in: 0..<configuration.count - 12, using: &random)))
      #expect(cut.withUnsafeBytes { HEVCExtent(configuration: $0) } == nil)
    }
  }

  @Test("A file of an encoder is read: a grid of one tile")
  func fixture() throws {
    ISOMediaFixture.heic.withUnsafeBytes { file in
      let table = ItemTable(file)
      let grid = table[table.primary]
      #expect(grid.kind == "grid")
      #expect(grid.canvas ?? (0, 0) == (32, 24))
      #expect(table.isSound)
      #expect(grid.size ?? (0, 0) == (32, 24))
      let tile = table[grid.parts.first ?? 0]
      #expect(tile.kind == "hvc1")
      #expect(tile.coded?.width == 64 && tile.coded?.height == 64 && tile.coded?.chroma == 1 && tile.coded?.bits == 8)
    }
  }

  @Test("What is coded in one piece takes three times its planes and a byte and a half a pixel")
  func onePiece() {
    #expect(bytes([coded(1000, 100)]) == 100_000 * 6)
    #expect(bytes([coded(1000, 100, bits: 10)]) == 100_000 * 10 + 50_000)
    #expect(bytes([coded(1000, 100, chroma: 3)]) == 100_000 * 10 + 50_000)
    #expect(bytes([coded(1000, 100, chroma: 0)]) == 100_000 * 4 + 50_000)
  }

  @Test("The stream's size counts, not what is said of it")
  func lyingSize() {
    var item = coded(4000, 3000)
    (item.width, item.height) = (64, 64)
    #expect(bytes([item]) == 12_000_000 * 6)
  }

  @Test("A grid takes its planes twice and one of its tiles")
  func grid() {
    let tiles = Array(repeating: coded(512, 512), count: 4)
    let grid = Item(kind: "grid", width: 1000, height: 1000, parts: [2, 3, 4, 5], gridSize: (1000, 1000))
    #expect(bytes([grid] + tiles) == 3_000_000 + 512 * 512 * 6)
    // What the grid says of itself is what is allocated.
    var lying = grid
    lying.gridSize = (60_000, 50_000)
    #expect(bytes([lying] + tiles) > HEICMemory.most)
    // One tile after the other, but none of them larger than the grid is.
    #expect(bytes([grid] + Array(repeating: coded(1500, 1500), count: 4)) > HEICMemory.most)
  }

  @Test("Alpha comes on top")
  func alpha() {
    let picture = coded(1000, 1000)
    var alpha = coded(1000, 1000, chroma: 0)
    alpha.alphaOf = 1
    #expect(bytes([picture]) == 6_000_000)
    #expect(bytes([picture, alpha]) == 3_000_000 + 4_500_000)
    for name in ["urn:mpeg:avc:2015:auxid:1", "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha"] {
      alpha.auxiliary = name
      #expect(bytes([picture, alpha]) == 3_000_000 + 4_500_000)
    }
    // Depth and brightness are said beside a picture, and never decoded with it.
    for name in ["urn:mpeg:hevc:2015:auxid:2", "urn:com:apple:photo:2020:aux:hdrgainmap"] {
      alpha.auxiliary = name
      #expect(bytes([picture, alpha]) == 6_000_000)
    }
  }

  @Test("What is coded in one piece fits where a camera's 33 megapixels with more colours and bits do")
  func largest() {
    #expect(bytes([coded(8600, 5800)]) < HEICMemory.most)
    #expect(bytes([coded(12_000, 8000)]) > HEICMemory.most)
    let grid = Item(
      kind: "grid", width: 8064, height: 6048, parts: Array(repeating: 2, count: 192), gridSize: (8064, 6048))
    #expect(bytes([grid, coded(512, 512)]) < HEICMemory.most - 32 << 20)
  }

  @Test("A picture that would take too much is refused with the reason, whatever its boxes say")
  func refused() throws {
    // The grid's own size, in the box of items' data.
    var file = ISOMediaFixture.heic
    let place = try #require(file.indices.first { file[$0...].starts(with: [0, 0, 0, 0, 0, 0x20, 0, 0x18]) })
    file.replaceSubrange(place + 4..<place + 8, with: [0xFF, 0xFF, 0xFF, 0xFF])
    #expect(throws: DecodingError.tooLarge(PixelSize(width: 32, height: 24))) {
      try Decoding.decode(file, width: 8, height: 6)
    }
    #expect(try Decoding.decode(ISOMediaFixture.heic, width: 8, height: 6).picture.width == 8)
  }

  @Test("Boxes changed at random are reckoned all the same", arguments: 1...4)
  func mutations(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    for file in [ISOMediaFixture.heic, ISOMediaFixture.oddHEIC, ISOMediaFixture.previewHEIC] {
      for _ in 0..<300 {
        var changed = file
        for _ in 0..<4 {
          changed[Int.random(in: 0..<min(900, changed.count), using: &random)] = UInt8.random(
            in: 0...255, using: &random)
        }
        changed.withUnsafeBytes { bytes in
          guard ItemReferences(bytes).areSound else { return }
          let table = ItemTable(bytes)
          var memory = HEICMemory(table)
          #expect(memory.bytes(for: table.primary) >= 0)
        }
      }
    }
  }
}
