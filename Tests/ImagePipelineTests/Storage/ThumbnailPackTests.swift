import DataStructures
import Foundation
import Glibc
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Thumbnails on disk")
struct ThumbnailPackTests {
  @Test("What is put in is there at once, in the next run, and for others, pixel by pixel")
  func keeps() throws {
    let bench = PackBench()
    let pack = try bench.open()
    try pack.add(0..<40)
    try pack.add([100], 100, 60)
    let other = try bench.open()
    for number in 0..<40 {
      #expect(try pack.has(number))
      #expect(try other.has(number))
    }
    #expect(try other.has(100, 100, 60))
    #expect(try !other.has(41))
    #expect(other.count == 41)
  }

  @Test("Two instances add, and each has the other's when it looks")
  func twoInstances() throws {
    let bench = PackBench()
    let (first, second) = (try bench.open(), try bench.open())
    try first.add(0..<10)
    try second.add(10..<20)
    #expect(try !first.has(10))
    try first.readNewRecords()
    try second.readNewRecords()
    for number in 0..<20 {
      #expect(try first.has(number))
      #expect(try second.has(number))
    }
    #expect(try bench.names(".pixels").count == 2, "nobody adds to another's segment")
  }

  @Test("A run goes on with the segment that the last one left, and not with one that is in use")
  func takesOver() throws {
    let bench = PackBench()
    for run in 0..<5 { try bench.open().add((run * 3)..<(run * 3 + 3)) }
    #expect(try bench.names(".pixels") == ["1.pixels"])
    let pack = try bench.open()
    #expect(pack.count == 15)
    for number in 0..<15 { #expect(try pack.has(number)) }
  }

  @Test("The limit is kept, the oldest leave, and what is there is right")
  func bounded() throws {
    let bench = PackBench()
    let limit = 20_000
    let pack = try bench.open(limit: limit, segment: 2_000)
    for number in 0..<400 {
      try pack.add([number])
      if number.isMultiple(of: 7) { #expect(try bench.bytesOnDisk <= limit) }
    }
    #expect(try bench.bytesOnDisk > limit / 2)
    let present = try (0..<400).filter { try pack.has($0) }
    #expect(present.count > 50 && present == Array((400 - present.count)..<400))
    #expect(try !pack.has(0))
    // A smaller limit holds from the first new segment on.
    try bench.open(limit: 6_000, segment: 2_000).add(400..<420)
    #expect(try bench.bytesOnDisk <= 6_000)
  }

  @Test("What is looked at stays, however much else is put in")
  func recency() throws {
    let bench = PackBench()
    let pack = try bench.open(limit: 20_000, segment: 2_000)
    for number in 0..<300 {
      try pack.add([number])
      for kept in 0..<3 where number > 5 {
        let found = try #require(pack.picture(for: PackBench.name(kept)), "\(kept) after \(number)")
        if found.needsRewrite { try pack.add([kept]) }
      }
    }
    #expect(try !pack.has(5))
  }

  @Test("What is too large for a segment is not kept, and harms nothing")
  func large() throws {
    let bench = PackBench()
    let pack = try bench.open(limit: 32_000, segment: 4_000)
    #expect(!pack.canStore(pixels: 400) && pack.canStore(pixels: 100))
    try pack.add([1], 100, 100)
    #expect(try !pack.has(1, 100, 100))
    try pack.add([2])
    #expect(try pack.has(2))
  }

  @Test("Pixels that changed on disk are not shown", arguments: 0..<20)
  func changedPixels(seed: UInt64) throws {
    let bench = PackBench()
    try bench.open().add(0..<10)
    let path = try bench.folder.get().path(of: "1.pixels")
    var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    var random = SplitMix64(seed: seed)
    let place = Int.random(in: bytes.indices, using: &random)
    bytes[place] ^= UInt8.random(in: 1...255, using: &random)
    try bench.folder.get().write(bytes, to: "1.pixels")
    let pack = try bench.open()
    let lost = place / (9 * 7 * 3)
    for number in 0..<10 { #expect(try pack.has(number) == (number != lost)) }
    #expect(pack.count == 9)
    try pack.add([lost])
    #expect(try pack.has(lost))
  }

  @Test("Whatever stands in the folder, the pack opens and takes thumbnails", arguments: 0..<40)
  func anyBytes(seed: UInt64) throws {
    let bench = PackBench()
    let setup = try bench.open(limit: 1 << 16, segment: 2_000)
    try setup.add(0..<30)
    var random = SplitMix64(seed: seed)
    let folder = try bench.folder.get()
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let name = try #require(try bench.names("").randomElement(using: &random))
      var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: folder.path(of: name))))
      switch Int.random(in: 0..<5, using: &random) {
      case 0: bytes.removeLast(Int.random(in: 0...bytes.count, using: &random))
      case 1: bytes += (0..<500).map { _ in UInt8.random(in: 0...255, using: &random) }
      case 2 where !bytes.isEmpty: bytes[Int.random(in: bytes.indices, using: &random)] ^= 0x40
      case 3: try folder.write([], to: "4294967295.pixels")
      default: unlink(folder.path(of: name))
      }
      if folder.has(name) { try folder.write(bytes, to: name) }
    }
    let pack = try bench.open(limit: 1 << 16, segment: 2_000)
    for number in 0..<30 { _ = try pack.has(number) }
    if !folder.has("4294967295.pixels") {
      try pack.add(30..<60)
      for number in 30..<60 { #expect(try pack.has(number)) }
    }
  }

  @Test("A pack cut off at any byte of its newest files opens, and goes on", arguments: [".pixels", ".list"])
  func cutAtAnyByte(suffix: String) throws {
    let bench = PackBench()
    try bench.open().add(0..<3, 3, 2)
    let folder = try bench.folder.get()
    let names = ["1.pixels", "1.list"]
    let originals = try names.map { Array(try Data(contentsOf: URL(fileURLWithPath: folder.path(of: $0)))) }
    let cut = names.firstIndex { $0.hasSuffix(suffix) } ?? 0
    for length in originals[cut].indices {
      for (name, bytes) in zip(names, originals) {
        try folder.write(name == names[cut] ? Array(bytes[..<length]) : bytes, to: name)
      }
      let pack = try bench.open()
      let present = try (0..<3).filter { try pack.has($0, 3, 2) }
      if suffix == ".pixels" { #expect(present == Array(0..<(length / 18)), "\(length) bytes") }
      try pack.add([7], 3, 2)
      #expect(try bench.open().has(7, 3, 2))
      for name in try bench.names("") { unlink(folder.path(of: name)) }
    }
  }

  @Test("What instances left behind that were killed is removed")
  func leftovers() throws {
    let bench = PackBench()
    let folder = try bench.folder.get()
    for name in ["9.list", "8.list.unreadable", "1.list"] { try folder.write([1, 2, 3], to: name) }
    try folder.write([1, 2, 3], to: "01.pixels")
    try bench.open().add([1])
    #expect(try bench.names("") == ["01.pixels", "1.list", "1.pixels"])
    #expect(try bench.open().has(1))
  }

  @Test("Any sequence of adding, looking and starting anew is as with a dictionary", arguments: 0..<12)
  func model(seed: UInt64) throws {
    let bench = PackBench()
    var random = SplitMix64(seed: seed)
    let (limit, segment) = (30_000, 2_000)
    var packs = [try bench.open(limit: limit, segment: segment), try bench.open(limit: limit, segment: segment)]
    for _ in 0..<150 {
      let place = Int.random(in: 0..<2, using: &random)
      let number = Int.random(in: 0..<200, using: &random)
      switch Int.random(in: 0..<12, using: &random) {
      case 0: packs[place] = try bench.open(limit: limit, segment: segment)
      case 1...2: try packs[place].readNewRecords()
      case 3...6:
        try packs[place].add(number..<(number + 3))
        #expect(try packs[place].has(number + 2))
      default: _ = try packs[place].has(number)
      }
      #expect(try bench.bytesOnDisk <= limit + segment, "two instances: a segment over the limit at most")
    }
  }
}
