import Testing
import VitrineGeometry
import VitrineImageMetadata
import VitrineRendering
import VitrineTestSupport

@testable import VitrineImageDecoding

@Suite("The memory for a HEIC is estimated before it is decoded")
struct HEICMemoryTests {
  private typealias Item = HEICBoxWriter.Item

  private func bytes(_ items: [Item], primary: Int = 1) -> Int {
    HEICBoxWriter(primary: primary, items: items).file.withUnsafeBytes { file in
      let table = ItemTable(file)
      var memory = HEICMemory(table)
      return memory.bytes(for: table.primary)
    }
  }

  private func coded(_ width: Int, _ height: Int, chroma: Int = 1, bits: Int = 8) -> Item {
    Item(
      kind: "hvc1", width: width, height: height,
      configuration: HEICBoxWriter.configuration(width: width, height: height, chroma: chroma, bits: bits))
  }

  @Test("Parameter sets of every kind and size are read", arguments: 1...4)
  func parameterSets(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<200 {
      let (width, height) = (Int.random(in: 1...70_000, using: &random), Int.random(in: 1...9000, using: &random))
      let chroma = Int.random(in: 0...3, using: &random)
      let bits = Int.random(in: 8...12, using: &random)
      let configuration = HEICBoxWriter.configuration(
        width: width, height: height, chroma: chroma, bits: bits, layers: Int.random(in: 0...6, using: &random))
      let extent = configuration.withUnsafeBytes { HEVCExtent(configuration: $0) }
      #expect(extent?.width == width && extent?.height == height)
      #expect(extent?.chroma == chroma && extent?.bits == bits)
      let cut = Array(configuration.prefix(Int.random(in: 0..<configuration.count - 12, using: &random)))
      #expect(cut.withUnsafeBytes { HEVCExtent(configuration: $0) } == nil)
    }
  }

  @Test("The file of an encoder is read: a grid of one tile")
  func fixture() throws {
    ISOMediaFixture.heic.withUnsafeBytes { file in
      let table = ItemTable(file)
      let grid = table[table.primary]
      #expect(grid.kind == "grid")
      #expect(grid.canvas ?? (0, 0) == (32, 24))
      #expect(table.isValid)
      #expect(grid.size ?? (0, 0) == (32, 24))
      let tile = table[grid.parts.first ?? 0]
      #expect(tile.kind == "hvc1")
      #expect(tile.coded?.width == 64 && tile.coded?.height == 64 && tile.coded?.chroma == 1 && tile.coded?.bits == 8)
    }
  }

  @Test("An image in one piece needs three times its planes and one and a half bytes per pixel")
  func onePiece() {
    #expect(bytes([coded(1000, 100)]) == 100_000 * 6)
    #expect(bytes([coded(1000, 100, bits: 10)]) == 100_000 * 10 + 50_000)
    #expect(bytes([coded(1000, 100, chroma: 3)]) == 100_000 * 10 + 50_000)
    #expect(bytes([coded(1000, 100, chroma: 0)]) == 100_000 * 4 + 50_000)
  }

  @Test("The size of the stream counts, not the declared size")
  func declaredSize() {
    var item = coded(4000, 3000)
    (item.width, item.height) = (64, 64)
    #expect(bytes([item]) == 12_000_000 * 6)
  }

  @Test("A grid needs its planes twice, and one of its tiles")
  func grid() {
    let tiles = Array(repeating: coded(512, 512), count: 4)
    let grid = Item(kind: "grid", width: 1000, height: 1000, parts: [2, 3, 4, 5], gridSize: (1000, 1000))
    #expect(bytes([grid] + tiles) == 3_000_000 + 512 * 512 * 6)
    // The size in the description of the grid is allocated.
    var larger = grid
    larger.gridSize = (60_000, 50_000)
    #expect(bytes([larger] + tiles) > HEICMemory.maximumBytes)
    // One tile is decoded after another, but none may be larger than the grid.
    #expect(bytes([grid] + Array(repeating: coded(1500, 1500), count: 4)) > HEICMemory.maximumBytes)
  }

  @Test("An alpha plane adds to the memory")
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
    // Depth and gain maps are not decoded with the image.
    for name in ["urn:mpeg:hevc:2015:auxid:2", "urn:com:apple:photo:2020:aux:hdrgainmap"] {
      alpha.auxiliary = name
      #expect(bytes([picture, alpha]) == 6_000_000)
    }
  }

  @Test("An image of 50 megapixels in one piece is within the limit, and one of 96 megapixels is not")
  func limit() {
    #expect(bytes([coded(8600, 5800)]) < HEICMemory.maximumBytes)
    #expect(bytes([coded(12_000, 8000)]) > HEICMemory.maximumBytes)
    let grid = Item(
      kind: "grid", width: 8064, height: 6048, parts: Array(repeating: 2, count: 192), gridSize: (8064, 6048))
    #expect(bytes([grid, coded(512, 512)]) < HEICMemory.maximumBytes - 32 << 20)
  }

  @Test("An image that needs too much memory is refused as too large before it is decoded")
  func refused() throws {
    // The size of the grid, in the item data box.
    var file = ISOMediaFixture.heic
    let offset = try #require(file.indices.first { file[$0...].starts(with: [0, 0, 0, 0, 0, 0x20, 0, 0x18]) })
    file.replaceSubrange(offset + 4..<offset + 8, with: [0xFF, 0xFF, 0xFF, 0xFF])
    #expect(throws: DecodingError.tooLarge(PixelSize(width: 32, height: 24))) {
      try Decoding.decode(file, width: 8, height: 6)
    }
    #expect(try Decoding.decode(ISOMediaFixture.heic, width: 8, height: 6).picture.width == 8)
  }

  @Test("The memory of files with random changes in their boxes can be estimated", arguments: 1...4)
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
          guard ItemReferences(bytes).areValid else { return }
          let table = ItemTable(bytes)
          var memory = HEICMemory(table)
          #expect(memory.bytes(for: table.primary) >= 0)
        }
      }
    }
  }
}

// MARK: - Invalid boxes

@Suite("The memory estimate of a HEIC with invalid boxes is an upper bound")
struct HEICInvalidBoxesTests {
  private typealias Item = HEICBoxWriter.Item

  private func estimate(_ boxes: HEICBoxWriter) -> (bytes: Int, isValid: Bool) {
    boxes.file.withUnsafeBytes { file in
      let table = ItemTable(file)
      var memory = HEICMemory(table)
      return (memory.bytes(for: table.primary), table.isValid)
    }
  }

  private func bytes(_ items: [Item]) -> Int { estimate(HEICBoxWriter(items: items)).bytes }

  private func coded(_ width: Int, _ height: Int) -> Item {
    Item(
      kind: "hvc1", width: width, height: height,
      configuration: HEICBoxWriter.configuration(width: width, height: height))
  }

  private let small = HEICBoxWriter.configuration(width: 64, height: 64)

  @Test("Sides of 32 bits exceed the limit without an overflow", arguments: ["grid", "iovl"])
  func largestSides(kind: String) {
    for size in [(0xFFFF_FFFF, 0xFFFF_FFFF), (0xFFFF_FFFF, 1), (1, 0xFFFF_FFFF)] {
      #expect(bytes([Item(kind: kind, width: 64, height: 64, parts: [2], gridSize: size), coded(64, 64)]) > 1 << 32)
    }
    let declared = Item(kind: "av01", width: 0xFFFF_FFFF, height: 0xFFFF_FFFF)
    #expect(bytes([declared]) > 1 << 32)
  }

  @Test("A decoder configuration of a grid or an overlay is ignored", arguments: ["grid", "iovl"])
  func unexpectedConfiguration(kind: String) {
    var item = Item(kind: kind, width: 64, height: 64, parts: [2], gridSize: (4000, 3000))
    let expected = bytes([item, coded(64, 64)])
    #expect(expected > 2 * 12_000_000)
    item.configuration = small
    #expect(bytes([item, coded(64, 64)]) == expected)
    item.gridSize = (60_000, 50_000)
    #expect(bytes([item, coded(64, 64)]) > HEICMemory.maximumBytes)
  }

  @Test("A grid or an overlay is refused if its description is not readable in one piece", arguments: ["grid", "iovl"])
  func unreadable(kind: String) {
    let item = Item(kind: kind, width: 64, height: 64, parts: [2], gridSize: (64, 64))
    #expect(bytes([item, coded(64, 64)]) < HEICMemory.maximumBytes)
    for change: (inout Item) -> Void in [
      { $0.constructionMethod = 2 }, { $0.extentCount = 2 }, { $0.extentCount = 0 }, { $0.locationCount = 2 },
      { $0.gridSize = nil },
    ] {
      var changed = item
      change(&changed)
      #expect(bytes([changed, coded(64, 64)]) > HEICMemory.maximumBytes)
    }
  }

  @Test("References and a size of a coded item are ignored, and an item without a configuration is refused")
  func unexpectedParts() {
    var item = coded(4000, 3000)
    item.parts = [2]
    #expect(bytes([item, coded(64, 64)]) == 12_000_000 * 6)
    item.configuration = nil
    #expect(bytes([item, coded(64, 64)]) > HEICMemory.maximumBytes)
  }

  @Test("A derived item is as large as its source")
  func derived() {
    #expect(bytes([Item(kind: "iden", width: 8, height: 8, parts: [2]), coded(1000, 1000)]) == 6_000_000)
  }

  @Test("Of several configurations of an item, the largest counts, in any order")
  func severalConfigurations() {
    let large = HEICBoxWriter.configuration(width: 4000, height: 3000)
    for (first, second) in [(large, small), (small, large)] {
      let item = Item(kind: "hvc1", width: 64, height: 64, configuration: first, otherConfiguration: second)
      #expect(bytes([item]) == 12_000_000 * 6)
    }
    // A configuration that cannot be read has no upper bound.
    let item = Item(
      kind: "hvc1", width: 64, height: 64, configuration: small, otherConfiguration: Array(small.dropLast(12)))
    #expect(bytes([item]) > HEICMemory.maximumBytes)
  }

  @Test(
    "A table with a repeated box is invalid",
    arguments: ["pitm", "iinf", "iref", "iprp", "iloc", "idat", "meta"])
  func repeated(name: String) {
    var boxes = HEICBoxWriter(items: [coded(64, 64)])
    #expect(estimate(boxes).isValid)
    boxes.repeated = name
    #expect(!estimate(boxes).isValid)
  }

  @Test("A table with more boxes than are read is invalid, and so are its references")
  func tooManyBoxes() {
    for (fillers, isValid) in [(4000, true), (5000, false)] {
      let boxes = HEICBoxWriter(items: [coded(64, 64)], fillers: fillers)
      #expect(estimate(boxes).isValid == isValid)
      #expect(boxes.file.withUnsafeBytes { ItemReferences($0).areValid } == isValid)
    }
  }

  @Test("Tiles may exceed the grid by less than one tile, however narrow the grid is")
  func narrow() {
    let grid = Item(
      kind: "grid", width: 8000, height: 540, parts: Array(2...33), gridSize: (8000, 540))
    let tiles = Array(repeating: coded(512, 512), count: 32)
    #expect(bytes([grid] + tiles) == 8000 * 540 * 3 + 512 * 512 * 6)
    var shorter = grid
    shorter.gridSize = (4000, 540)
    #expect(bytes([shorter] + tiles) > HEICMemory.maximumBytes)
  }

  @Test("A parameter set is recognized by its own type, not by the type of its array")
  func mislabelled() {
    var configuration = small
    configuration[23] = 0xA0
    let extent = configuration.withUnsafeBytes { HEVCExtent(configuration: $0) }
    #expect(extent?.width == 64 && extent?.height == 64)
  }

  @Test("The number of units that are read is limited, and the extent is unknown beyond it")
  func units() {
    for (others, isKnown) in [(0, true), (63, true), (64, false), (60_000, false)] {
      // Units of another type, with two bytes each, before the parameter set.
      var configuration = Array(small.prefix(22)) + [2, 0xA0, UInt8(others >> 8), UInt8(others & 255)]
      for _ in 0..<others { configuration += [0, 2, 0x40, 0x01] }
      configuration += small.dropFirst(23)
      #expect((configuration.withUnsafeBytes { HEVCExtent(configuration: $0) } != nil) == isKnown)
    }
    // One of two units cannot be read.
    var configuration = Array(small.prefix(22)) + [2] + Array(small.dropFirst(23))
    configuration += [0xA1, 0, 1, 0, 3, 0x42, 0x01, 0xFF]
    #expect(configuration.withUnsafeBytes { HEVCExtent(configuration: $0) } == nil)
  }

  @Test("A file with repeated boxes is damaged, and an interrupted decoder does not read its table")
  func decoding() throws {
    let file = ISOMediaFixture.heic
    let meta = try #require(file.indices.first { file[$0...].starts(with: "meta".utf8) }) - 4
    let count = file[meta..<meta + 4].reduce(0) { $0 << 8 | Int($1) }
    let twice = file + file[meta..<meta + count]
    let header = try #require(ImageHeader.read(twice))
    let size = try #require(header.size)
    #expect(throws: DecodingError.damaged(detail: "items that are described twice, or too many")) {
      try Decoding.decode(twice, width: 8, height: 6)
    }
    let placement = Placement(stored: size, orientation: .up, target: size, fit: .fit)
    twice.withUnsafeBytes { bytes in
      let decoder = HEICDecoder(bytes, backdrop: Backdrop(.black), interruption: DecodingInterruption { true })
      #expect(throws: DecodingError.interrupted) {
        _ = try decoder.decode(header, for: placement, representation: .full)
      }
    }
  }
}

// MARK: - References

@Suite("The references between the items of a HEIC")
struct ItemReferencesTests {
  private func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let count = content.count + 8
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) } + Array(name.utf8) + content
  }

  private func areValid(_ references: [(name: String, from: Int, to: [Int])], isLarge: Bool = false) -> Bool {
    func id(_ item: Int) -> [UInt8] { (isLarge ? [0, 0] : []) + [UInt8(item >> 8), UInt8(item & 255)] }
    let boxes = references.flatMap { box($0.name, id($0.from) + [0, UInt8($0.to.count)] + $0.to.flatMap(id)) }
    let file =
      box("ftyp", Array("heic".utf8)) + box("meta", [0, 0, 0, 0] + box("iref", [isLarge ? 1 : 0, 0, 0, 0] + boxes))
    return file.withUnsafeBytes { ItemReferences($0).areValid }
  }

  @Test("References of tiles, alpha and previews are valid")
  func validReferences() {
    for isLarge in [false, true] {
      #expect(areValid([], isLarge: isLarge))
      #expect(areValid([("dimg", 9, Array(1...8)), ("thmb", 10, [9]), ("auxl", 11, [9])], isLarge: isLarge))
      #expect(
        areValid([("dimg", 9, [1, 1, 2]), ("dimg", 20, [9]), ("dimg", 11, [2]), ("auxl", 11, [9])], isLarge: isLarge))
    }
  }

  @Test("References that lead back to an item, and chains of too many items, are invalid")
  func invalidReferences() {
    for isLarge in [false, true] {
      #expect(!areValid([("dimg", 2, [2])], isLarge: isLarge))
      #expect(!areValid([("dimg", 2, [1, 3]), ("dimg", 3, [4]), ("dimg", 4, [2])], isLarge: isLarge))
      #expect(!areValid([("auxl", 5, [5])], isLarge: isLarge))
      // The alpha of a tile is the grid that contains the tile.
      #expect(!areValid([("dimg", 2, [1]), ("auxl", 2, [1])], isLarge: isLarge))
      func chain(_ length: Int) -> [(name: String, from: Int, to: [Int])] {
        (1...length).map { ("dimg", $0 + 1, [$0]) }
      }
      #expect(areValid(chain(8), isLarge: isLarge))
      #expect(!areValid(chain(40), isLarge: isLarge))
    }
  }
}
