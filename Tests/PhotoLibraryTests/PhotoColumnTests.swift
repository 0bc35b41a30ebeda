import ImageMetadata
import PhotoLibrary
import TestSupport
import Testing

@Suite("A column holds a value for each photograph")
struct PhotoColumnTests {
  @Test("What was not set is unset, also behind all that was; copies do not change with the original")
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

  @Test("A photograph's time is its header's, else its file's, else nothing")
  func time() {
    var catalogue = PhotoCatalogue()
    func found(_ ordinal: UInt32, changed seconds: Int64) -> FoundPhoto {
      FoundPhoto(
        ordinal: ordinal, folder: PhotoPath("/p"), name: Array("\(ordinal).jpg".utf8),
        identity: FileIdentity(
          device: 1, inode: UInt64(ordinal), byteCount: 1, modificationNanoseconds: seconds * 1_000_000_000))
    }
    let items = catalogue.apply(.found([found(0, changed: 5_000), found(1, changed: 0), found(2, changed: 7_000)]))
      .added
    #expect(items.map { catalogue.time(of: $0) } == [5_000, nil, 7_000])
    _ = catalogue.apply(
      .headers([
        HeaderResult(
          ordinal: 0, identity: found(0, changed: 5_000).identity,
          header: ImageHeader(format: .jpeg, captureTime: -86_400)),
        HeaderResult(ordinal: 2, identity: found(2, changed: 7_000).identity, header: ImageHeader(format: .png)),
      ]))
    #expect(items.map { catalogue.time(of: $0) } == [-86_400, nil, 7_000])
    #expect(catalogue.time(of: PhotoID(rawValue: 99)) == nil)
    catalogue.datesByFile = false
    #expect(items.map { catalogue.time(of: $0) } == [-86_400, nil, nil])
  }
}
