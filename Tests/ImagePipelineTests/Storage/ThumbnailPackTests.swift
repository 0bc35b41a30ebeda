import DataStructures
import Foundation
import Geometry
import Glibc
@testable import ImagePipeline
@testable import ImageStore
import Rendering
import TestSupport
import Testing

@Suite("Thumbnail pack")
struct ThumbnailPackTests {
  @Test("Added thumbnails are found immediately, and by other instances, pixel by pixel")
  func persists() throws {
    let harness = ThumbnailPackHarness()
    let pack = try harness.open()
    try pack.add(0..<40)
    try pack.add([100], 100, 60)
    let other = try harness.open()
    for number in 0..<40 {
      #expect(try pack.hasThumbnail(number))
      #expect(try other.hasThumbnail(number))
    }
    #expect(try other.hasThumbnail(100, 100, 60))
    #expect(try !other.hasThumbnail(41))
    #expect(other.count == 41)
  }

  @Test("Two instances add thumbnails, and each finds the other's after reading")
  func twoInstances() throws {
    let harness = ThumbnailPackHarness()
    let (first, second) = (try harness.open(), try harness.open())
    try first.add(0..<10)
    try second.add(10..<20)
    #expect(try !first.hasThumbnail(10))
    try first.readNewRecords()
    try second.readNewRecords()
    for number in 0..<20 {
      #expect(try first.hasThumbnail(number))
      #expect(try second.hasThumbnail(number))
    }
    #expect(try harness.fileNames(suffix: ".pixels").count == 2, "each instance writes to its own segment")
  }

  @Test("A run continues the segment of the previous run, but not one in use")
  func reusesSegment() throws {
    let harness = ThumbnailPackHarness()
    for run in 0..<5 { try harness.open().add((run * 3)..<(run * 3 + 3)) }
    #expect(try harness.fileNames(suffix: ".pixels") == ["1.pixels"])
    let pack = try harness.open()
    #expect(pack.count == 15)
    for number in 0..<15 { #expect(try pack.hasThumbnail(number)) }
  }

  @Test("The oldest thumbnails are evicted at the limit, and the others are unchanged")
  func bounded() throws {
    let harness = ThumbnailPackHarness()
    let limit = 20_000
    let pack = try harness.open(limit: limit, segment: 2_000)
    for number in 0..<400 {
      try pack.add([number])
      if number.isMultiple(of: 7) { #expect(try harness.bytesOnDisk <= limit) }
    }
    #expect(try harness.bytesOnDisk > limit / 2)
    let present = try (0..<400).filter { try pack.hasThumbnail($0) }
    #expect(present.count > 50 && present == Array((400 - present.count)..<400))
    #expect(try !pack.hasThumbnail(0))
    // A smaller limit applies from the first new segment.
    try harness.open(limit: 6_000, segment: 2_000).add(400..<420)
    #expect(try harness.bytesOnDisk <= 6_000)
  }

  @Test("Thumbnails that are used stay, however many are added")
  func recency() throws {
    let harness = ThumbnailPackHarness()
    let pack = try harness.open(limit: 20_000, segment: 2_000)
    for number in 0..<300 {
      try pack.add([number])
      for used in 0..<3 where number > 5 {
        let found = try #require(pack.thumbnail(for: ThumbnailPackHarness.name(used)), "\(used) after \(number)")
        if found.needsRewrite { try pack.add([used]) }
      }
    }
    #expect(try !pack.hasThumbnail(5))
  }

  @Test("A thumbnail larger than a segment is not stored")
  func tooLarge() throws {
    let harness = ThumbnailPackHarness()
    let pack = try harness.open(limit: 32_000, segment: 4_000)
    #expect(!pack.canStore(pixels: 400) && pack.canStore(pixels: 100))
    try pack.add([1], 100, 100)
    #expect(try !pack.hasThumbnail(1, 100, 100))
    try pack.add([2])
    #expect(try pack.hasThumbnail(2))
  }

  @Test("Pixels that changed on disk are not used", arguments: 0..<20)
  func changedPixels(seed: UInt64) throws {
    let harness = ThumbnailPackHarness()
    try harness.open().add(0..<10)
    let path = try harness.folder.get().path(of: "1.pixels")
    var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    var random = SplitMix64(seed: seed)
    let index = Int.random(in: bytes.indices, using: &random)
    bytes[index] ^= UInt8.random(in: 1...255, using: &random)
    try harness.folder.get().write(bytes, to: "1.pixels")
    let pack = try harness.open()
    let damaged = index / (9 * 7 * 3)
    for number in 0..<10 { #expect(try pack.hasThumbnail(number) == (number != damaged)) }
    #expect(pack.count == 9)
    try pack.add([damaged])
    #expect(try pack.hasThumbnail(damaged))
  }

  @Test(
    "The pack opens whatever the folder contains, and new thumbnails can be added", arguments: TestScale.seeds(0..<40))
  func anyBytes(seed: UInt64) throws {
    let harness = ThumbnailPackHarness()
    let setup = try harness.open(limit: 1 << 16, segment: 2_000)
    try setup.add(0..<30)
    var random = SplitMix64(seed: seed)
    let folder = try harness.folder.get()
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let name = try #require(try harness.fileNames(suffix: "").randomElement(using: &random))
      var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: folder.path(of: name))))
      switch Int.random(in: 0..<5, using: &random) {
      case 0: bytes.removeLast(Int.random(in: 0...bytes.count, using: &random))
      case 1: bytes += (0..<500).map { _ in UInt8.random(in: 0...255, using: &random) }
      case 2 where !bytes.isEmpty: bytes[Int.random(in: bytes.indices, using: &random)] ^= 0x40
      case 3: try folder.write([], to: "4294967295.pixels")
      default: unlink(folder.path(of: name))
      }
      if folder.contains(name) { try folder.write(bytes, to: name) }
    }
    let pack = try harness.open(limit: 1 << 16, segment: 2_000)
    for number in 0..<30 { _ = try pack.hasThumbnail(number) }
    if !folder.contains("4294967295.pixels") {
      try pack.add(30..<60)
      for number in 30..<60 { #expect(try pack.hasThumbnail(number)) }
    }
  }

  @Test(
    "A pack opens and can be added to after its newest file was truncated at any byte", arguments: [".pixels", ".list"])
  func cutAtAnyByte(suffix: String) throws {
    let harness = ThumbnailPackHarness()
    try harness.open().add(0..<3, 3, 2)
    let folder = try harness.folder.get()
    let names = ["1.pixels", "1.list"]
    let originals = try names.map { Array(try Data(contentsOf: URL(fileURLWithPath: folder.path(of: $0)))) }
    let cut = names.firstIndex { $0.hasSuffix(suffix) } ?? 0
    for length in originals[cut].indices {
      for (name, bytes) in zip(names, originals) {
        try folder.write(name == names[cut] ? Array(bytes[..<length]) : bytes, to: name)
      }
      let pack = try harness.open()
      let present = try (0..<3).filter { try pack.hasThumbnail($0, 3, 2) }
      if suffix == ".pixels" { #expect(present == Array(0..<(length / 18)), "\(length) bytes") }
      try pack.add([7], 3, 2)
      #expect(try harness.open().hasThumbnail(7, 3, 2))
      for name in try harness.fileNames(suffix: "") { unlink(folder.path(of: name)) }
    }
  }

  @Test("Files left behind by killed instances are removed")
  func leftovers() throws {
    let harness = ThumbnailPackHarness()
    let folder = try harness.folder.get()
    for name in ["9.list", "8.list.unreadable", "1.list"] { try folder.write([1, 2, 3], to: name) }
    try folder.write([1, 2, 3], to: "01.pixels")
    try harness.open().add([1])
    #expect(try harness.fileNames(suffix: "") == ["01.pixels", "1.list", "1.pixels"])
    #expect(try harness.open().hasThumbnail(1))
  }

  @Test("Random operations of two instances keep added thumbnails and the limit", arguments: TestScale.seeds(0..<12))
  func model(seed: UInt64) throws {
    let harness = ThumbnailPackHarness()
    var random = SplitMix64(seed: seed)
    let (limit, segment) = (30_000, 2_000)
    var packs = [try harness.open(limit: limit, segment: segment), try harness.open(limit: limit, segment: segment)]
    for _ in 0..<150 {
      let index = Int.random(in: 0..<2, using: &random)
      let number = Int.random(in: 0..<200, using: &random)
      switch Int.random(in: 0..<12, using: &random) {
      case 0: packs[index] = try harness.open(limit: limit, segment: segment)
      case 1...2: try packs[index].readNewRecords()
      case 3...6:
        try packs[index].add(number..<(number + 3))
        #expect(try packs[index].hasThumbnail(number + 2))
      default: _ = try packs[index].hasThumbnail(number)
      }
      #expect(try harness.bytesOnDisk <= limit + segment, "two instances exceed the limit by at most one segment")
    }
  }
}

// MARK: - Pack index

@Suite("Pack index")
struct PackIndexTests {
  private func entry(_ segment: UInt32, side: Int = 10) -> PackEntry {
    PackEntry(digest: 0, segment: segment, offset: 0, size: pixels(side, side), sourceSize: nil)
  }

  private func record(_ number: Int, _ segment: UInt32) -> PackRecord {
    PackRecord(key: ThumbnailPackHarness.name(number), entry: entry(segment))
  }

  private func makeIndex(_ sizes: [Int], limit: Int = 1_000) -> PackIndex {
    var packIndex = PackIndex(byteLimit: limit, segmentLimit: 100)
    for (index, size) in sizes.enumerated() {
      packIndex.recordSegment(.init(number: UInt32(index + 1), byteCount: size))
    }
    return packIndex
  }

  @Test("The oldest segments are evicted, as few as necessary")
  func eviction() {
    let packIndex = makeIndex([100, 50, 100])
    #expect(packIndex.segmentsToEvict(forBytes: 750).isEmpty)
    #expect(packIndex.segmentsToEvict(forBytes: 751) == [1])
    #expect(packIndex.segmentsToEvict(forBytes: 851) == [1, 2])
    #expect(packIndex.segmentsToEvict(forBytes: 5_000) == [1, 2, 3])
    #expect(packIndex.nextNumber == 4)
  }

  @Test("Evicting a segment removes its thumbnails, except those that were rewritten")
  func evictedThumbnails() {
    var packIndex = makeIndex([100, 100])
    packIndex.insertRecords([record(1, 1), record(2, 1), record(3, 2), record(2, 2)])
    packIndex.insertRecords([record(3, 1)])
    packIndex.removeSegments([1])
    #expect(packIndex[ThumbnailPackHarness.name(1)] == nil && packIndex.count == 2)
    #expect(
      packIndex[ThumbnailPackHarness.name(2)]?.segment == 2 && packIndex[ThumbnailPackHarness.name(3)]?.segment == 2)
    #expect(packIndex.segments.map(\.number) == [2])
    packIndex.removeThumbnail(ThumbnailPackHarness.name(2))
    #expect(packIndex.count == 1)
  }

  @Test("Segments are ordered by number, and their size can grow")
  func order() {
    var packIndex = PackIndex(byteLimit: 1_000, segmentLimit: 100)
    for number: UInt32 in [5, 2, 9, 2, 7] { packIndex.recordSegment(.init(number: number, byteCount: Int(number))) }
    packIndex.recordSegment(.init(number: 5, byteCount: 50))
    #expect(packIndex.segments.map(\.number) == [2, 5, 7, 9] && packIndex.byteCount == 68)
  }

  @Test("Only thumbnails in the oldest part of a full pack are rewritten")
  func rewritesOldest() {
    var full = makeIndex(Array(repeating: 100, count: 10))
    full.recordWrite(1_000)
    var rewritten: [UInt32] = []
    for number: UInt32 in 1...10 where full.claimRewrite(of: entry(number, side: 1)) { rewritten.append(number) }
    #expect(rewritten == [1, 2, 3, 4])
    var half = makeIndex(Array(repeating: 100, count: 5))
    half.recordWrite(1_000)
    let isRewritten = half.claimRewrite(of: entry(1, side: 1))
    #expect(!isRewritten)
  }

  @Test("Rewritten bytes are limited to the new ones plus a segment")
  func allowance() {
    var packIndex = makeIndex(Array(repeating: 100, count: 10))
    let old = entry(1, side: 5)
    var results = [packIndex.claimRewrite(of: old), packIndex.claimRewrite(of: old)]
    packIndex.recordWrite(30)
    results.append(packIndex.claimRewrite(of: old))
    packIndex.recordWrite(20)
    results.append(packIndex.claimRewrite(of: old))
    #expect(results == [true, false, false, true], "75 of 100; 75 of 25; 75 of 55; 75 of 75")
  }
}

// MARK: - Opaque pixels

@Suite("Opaque pixels")
struct OpaquePixelsTests {
  @Test(
    "Packed pixels are unpacked unchanged, for any count", arguments: [1, 2, 3, 4, 5, 7, 8, 63, 64, 1_025])
  func roundTrip(count: Int) throws {
    let bitmap = try ThumbnailPackHarness.picture(count, count, 1).bitmap
    let packed = OpaquePixels.packed(bitmap)
    let expected = bitmap.withPixels { pixels in pixels.indices.filter { $0 % 4 != 3 }.map { pixels[$0] } }
    #expect(packed == expected)
    let spread = try Bitmap(size: pixels(count, 1), isOpaque: true) { memory in
      for (offset, byte) in packed.enumerated() { memory[count + offset] = byte }
      OpaquePixels.unpack(in: memory)
    }
    #expect(spread.contentDigest == bitmap.contentDigest)
    // With the other channel order the stored bytes and the unpacked image are the same.
    #expect(OpaquePixels.packed(try bitmap.converted(to: .blueFirst)) == packed)
    let blueFirst = try Bitmap(size: pixels(count, 1), isOpaque: true, order: .blueFirst) { memory in
      for (offset, byte) in packed.enumerated() { memory[count + offset] = byte }
      OpaquePixels.unpack(in: memory, to: .blueFirst)
    }
    #expect(blueFirst.contentDigest == bitmap.contentDigest)
  }
}
