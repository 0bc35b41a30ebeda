import Testing
import VitrineTestSupport

@testable import VitrinePhotoLibrary

@Suite("The tables of a catalogue")
struct CatalogueTablesTests {
  @Test("A row occupies 56 bytes")
  func rowSize() {
    #expect(MemoryLayout<CatalogueRow>.stride == 56)
  }

  @Test("A paged column stores and updates its elements like an array")
  func pagedColumn() {
    var column = PagedColumn<Int>()
    for number in 0..<10_000 { column.append(number * 3) }
    column[4096] = -1
    column[9999] += 1
    #expect(column.count == 10_000)
    #expect((0..<10_000).allSatisfy { column[$0] == ($0 == 4096 ? -1 : $0 == 9999 ? 29_998 : $0 * 3) })
  }

  @Test("The name arena returns the names that were appended")
  func nameArena() {
    var random = SeededGenerator(seed: 11)
    var arena = NameArena()
    var storedNames: [(UInt32, [UInt8])] = []
    for _ in 0..<5000 {
      let count = Int.random(in: 0..<20, using: &random) == 0 ? Int.random(in: 200...4096, using: &random) : 12
      let name = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      storedNames.append((arena.append(name), name))
    }
    #expect(storedNames.allSatisfy { arena[$0.0].elementsEqual($0.1) })
  }

  @Test("The path index finds every row, also among equal hashes")
  func pathIndex() {
    var random = SeededGenerator(seed: 12)
    var index = PathIndex()
    var hashes: [UInt64] = []
    for row in 0..<20_000 {
      // Few distinct upper bits, and many equal hashes.
      let hash = UInt64.random(in: 0..<5000, using: &random) | UInt64.random(in: 0..<4, using: &random) << 62
      hashes.append(hash)
      index.insert(hash: hash, row: UInt32(row))
    }
    for (row, hash) in hashes.enumerated() {
      #expect(index.row(hash: hash) { $0 == UInt32(row) } == UInt32(row))
    }
    #expect(index.row(hash: 6000) { _ in true } == nil)
    #expect(index.row(hash: hashes[0]) { _ in false } == nil)
  }

  @Test("A read-only copy has no path index, and finds no photo by its path")
  func readOnly() throws {
    func found(_ numbers: Range<Int>) -> LibraryEvent {
      .found(
        numbers.map { number in
          FoundPhoto(
            ordinal: UInt32(number), folder: PhotoPath("/pictures/\(number / 100)"), name: Array("\(number).jpg".utf8),
            identity: .unknown)
        })
    }
    var catalogue = PhotoCatalogue()
    _ = catalogue.apply(found(0..<1_000))
    let reader = try #require(catalogue.readOnlyCopy as? PhotoCatalogue)
    #expect(catalogue.index.storageAddress != nil && reader.index.storageAddress != catalogue.index.storageAddress)
    let address = catalogue.index.storageAddress
    let whole = catalogue
    #expect(whole.index.storageAddress == address, "a copy that is not read-only shares the index")
    _ = catalogue.apply(found(1_000..<1_001))
    #expect(reader.count == 1_000 && catalogue.count == 1_001)
    let last = PhotoID(rawValue: 1_000)
    #expect(reader.folder(of: last) == PhotoPath("/pictures/9"))
    #expect(reader.name(of: last).map(Array.init) == Array("999.jpg".utf8))
    #expect(reader.id(at: PhotoPath("/pictures/9/999.jpg")) == nil)
    #expect(catalogue.id(at: PhotoPath("/pictures/9/999.jpg")) == last)
  }

  @Test("The device table numbers each device once, up to its capacity")
  func devices() {
    var table = DeviceTable(capacity: 3)
    let numbers = [70, 80, 70, 90, 100, 80].map { table.intern($0) }
    #expect(numbers == [0, 1, 0, 2, nil, 1])
    #expect(table[2] == 90)
  }
}

@Suite("A photo column")
struct PhotoColumnTests {
  @Test("Unset values have the default, also beyond the last set value, and copies are independent")
  func values() {
    var generator = SeededGenerator(seed: 4)
    var column = PhotoColumn<Int>(unset: -1)
    var expected: [UInt32: Int] = [:]
    for step in 0..<3_000 {
      let id = UInt32.random(in: 1...20_000, using: &generator)
      column[PhotoID(rawValue: id)] = step
      expected[id] = step
    }
    let copy = column
    for id in UInt32(1)...20_100 { #expect(column[PhotoID(rawValue: id)] == expected[id] ?? -1) }
    column[PhotoID(rawValue: 77)] = 9_999
    #expect(copy[PhotoID(rawValue: 77)] == expected[77] ?? -1)
    #expect(column[PhotoID(rawValue: 0)] == -1)
  }
}
