import Geometry
import ImageMetadata
import Rendering
import TestSupport
import Testing

@testable import ImageDecoding

@Suite("The memory of a HEIC whose boxes lie is reckoned from above")
struct HEICHostileBoxesTests {
  private typealias Item = HEICBoxes.Item

  private func reckon(_ boxes: HEICBoxes) -> (bytes: Int, isSound: Bool) {
    boxes.file.withUnsafeBytes { file in
      let table = ItemTable(file)
      var memory = HEICMemory(table)
      return (memory.bytes(for: table.primary), table.isSound)
    }
  }

  private func bytes(_ items: [Item]) -> Int { reckon(HEICBoxes(items: items)).bytes }

  private func coded(_ width: Int, _ height: Int) -> Item {
    Item(
      kind: "hvc1", width: width, height: height,
      configuration: HEICBoxes.configuration(width: width, height: height))
  }

  private let small = HEICBoxes.configuration(width: 64, height: 64)

  @Test("Sides of 32 bits are too many pixels, and no trap", arguments: ["grid", "iovl"])
  func largestSides(kind: String) {
    for size in [(0xFFFF_FFFF, 0xFFFF_FFFF), (0xFFFF_FFFF, 1), (1, 0xFFFF_FFFF)] {
      #expect(bytes([Item(kind: kind, width: 64, height: 64, parts: [2], gridSize: size), coded(64, 64)]) > 1 << 32)
    }
    let said = Item(kind: "av01", width: 0xFFFF_FFFF, height: 0xFFFF_FFFF)
    #expect(bytes([said]) > 1 << 32)
  }

  @Test("A stream's configuration beside a grid or an overlay changes nothing", arguments: ["grid", "iovl"])
  func strangeConfiguration(kind: String) {
    var item = Item(kind: kind, width: 64, height: 64, parts: [2], gridSize: (4000, 3000))
    let honest = bytes([item, coded(64, 64)])
    #expect(honest > 2 * 12_000_000)
    item.configuration = small
    #expect(bytes([item, coded(64, 64)]) == honest)
    item.gridSize = (60_000, 50_000)
    #expect(bytes([item, coded(64, 64)]) > HEICMemory.most)
  }

  @Test("A grid or an overlay whose own words cannot be read in one piece is refused", arguments: ["grid", "iovl"])
  func unreadable(kind: String) {
    let item = Item(kind: kind, width: 64, height: 64, parts: [2], gridSize: (64, 64))
    #expect(bytes([item, coded(64, 64)]) < HEICMemory.most)
    for change: (inout Item) -> Void in [
      { $0.method = 2 }, { $0.pieces = 2 }, { $0.pieces = 0 }, { $0.places = 2 }, { $0.gridSize = nil },
    ] {
      var changed = item
      change(&changed)
      #expect(bytes([changed, coded(64, 64)]) > HEICMemory.most)
    }
  }

  @Test("Of a stream, parts and what is said beside it change nothing; without a configuration it is refused")
  func strangeParts() {
    var item = coded(4000, 3000)
    item.parts = [2]
    #expect(bytes([item, coded(64, 64)]) == 12_000_000 * 6)
    item.configuration = nil
    #expect(bytes([item, coded(64, 64)]) > HEICMemory.most)
  }

  @Test("What stands for another item is as large as that")
  func derived() {
    #expect(bytes([Item(kind: "iden", width: 8, height: 8, parts: [2]), coded(1000, 1000)]) == 6_000_000)
  }

  @Test("Of several configurations of an item the largest counts, whichever comes first")
  func severalConfigurations() {
    let large = HEICBoxes.configuration(width: 4000, height: 3000)
    for (first, second) in [(large, small), (small, large)] {
      let item = Item(kind: "hvc1", width: 64, height: 64, configuration: first, otherConfiguration: second)
      #expect(bytes([item]) == 12_000_000 * 6)
    }
    // One that cannot be read may be anything.
    let item = Item(
      kind: "hvc1", width: 64, height: 64, configuration: small, otherConfiguration: Array(small.dropLast(12)))
    #expect(bytes([item]) > HEICMemory.most)
  }

  @Test(
    "A table that says something twice is not sound",
    arguments: ["pitm", "iinf", "iref", "iprp", "iloc", "idat", "meta"])
  func repeated(name: String) {
    var boxes = HEICBoxes(items: [coded(64, 64)])
    #expect(reckon(boxes).isSound)
    boxes.repeated = name
    #expect(!reckon(boxes).isSound)
  }

  @Test("A table of more boxes than are read is not sound, and its references are not either")
  func cut() {
    for (fillers, isSound) in [(4000, true), (5000, false)] {
      let boxes = HEICBoxes(items: [coded(64, 64)], fillers: fillers)
      #expect(reckon(boxes).isSound == isSound)
      #expect(boxes.file.withUnsafeBytes { ItemReferences($0).areSound } == isSound)
    }
  }

  @Test("Tiles may jut out by less than one of them, and the grid be as narrow as it likes")
  func narrow() {
    let grid = Item(
      kind: "grid", width: 8000, height: 540, parts: Array(2...33), gridSize: (8000, 540))
    let tiles = Array(repeating: coded(512, 512), count: 32)
    #expect(bytes([grid] + tiles) == 8000 * 540 * 3 + 512 * 512 * 6)
    var shorter = grid
    shorter.gridSize = (4000, 540)
    #expect(bytes([shorter] + tiles) > HEICMemory.most)
  }

  @Test("A parameter set is known by itself, not by what its array is said to hold")
  func mislabelled() {
    var configuration = small
    configuration[23] = 0xA0
    let extent = configuration.withUnsafeBytes { HEVCExtent(configuration: $0) }
    #expect(extent?.width == 64 && extent?.height == 64)
  }

  @Test("Units are read up to a number, and past it nothing is known")
  func units() {
    for (others, isKnown) in [(0, true), (63, true), (64, false), (60_000, false)] {
      // Units of another type, two bytes each, before the parameter set.
      var configuration = Array(small.prefix(22)) + [2, 0xA0, UInt8(others >> 8), UInt8(others & 255)]
      for _ in 0..<others { configuration += [0, 2, 0x40, 0x01] }
      configuration += small.dropFirst(23)
      #expect((configuration.withUnsafeBytes { HEVCExtent(configuration: $0) } != nil) == isKnown)
    }
    // Of two, one that cannot be read.
    var configuration = Array(small.prefix(22)) + [2] + Array(small.dropFirst(23))
    configuration += [0xA1, 0, 1, 0, 3, 0x42, 0x01, 0xFF]
    #expect(configuration.withUnsafeBytes { HEVCExtent(configuration: $0) } == nil)
  }

  @Test("A file that says something twice is damaged, and what is not wanted is left before its table is read")
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
      #expect(throws: DecodingError.interrupted) { _ = try decoder.decode(header, for: placement, rung: .full) }
    }
  }
}
