import Glibc
import Testing
import VitrineGeometry
import VitrineImageMetadata
import VitrineImageStore
import VitrineTestSupport
import VitrineThreads

@testable import VitrinePhotoLibrary

@Suite("Stored catalogue")
struct CatalogueStoreTests {
  /// A folder of photographs and a cache folder.
  struct Fixture {
    let photos = try? TemporaryTree()
    let cache = try? TemporaryTree()

    func root() throws -> LibraryRoot { try LibraryRoot(checking: try #require(photos).root) }

    func store() throws -> CatalogueStore { CatalogueStore(directory: try #require(cache).root.bytes) }

    /// Scans all photographs, and returns them with the names of the files that were opened.
    func scan(_ store: CatalogueStore?) throws -> (catalogue: PhotoCatalogue, events: [LibraryEvent]) {
      let scan = FolderScan(roots: [try root()], options: ScanOptions(batches: .bySize, catalogue: store))
      try scan.start()
      var catalogue = PhotoCatalogue()
      catalogue.beginScan()
      var events: [LibraryEvent] = []
      while true {
        let batch = scan.takeBatch(count: 100)
        for event in batch { _ = catalogue.apply(event) }
        events += batch
        if case .finished? = batch.last { break }
      }
      scan.join()
      return (catalogue, events)
    }

    func restore(_ store: CatalogueStore) throws -> PhotoCatalogue? {
      let restoration = try CatalogueRestoration(store, roots: [try root()])
      restoration.waitUntilEnded()
      guard case .whole(let catalogue)? = restoration.takeResult() else { return nil }
      return catalogue
    }

    /// Gives a file an old modification date, so that it does not count as one that may change within the same tick.
    func age(_ path: PhotoPath, seconds: Int = 1_000_000) {
      var times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
      utimensat(AT_FDCWD, path.cString, &times, 0)
    }
  }

  /// The records of a catalogue in its order, without identifiers.
  private func records(_ catalogue: PhotoCatalogue?) -> [String] {
    guard let catalogue, catalogue.count > 0 else { return [] }
    return (1...UInt32(catalogue.count)).map { number in
      let photo = catalogue[PhotoID(rawValue: number)]
      return "\(photo?.path.escaped ?? "") \(String(describing: photo?.header)) \(String(describing: photo?.failure)) "
        + "\(String(describing: photo?.identity))"
    }
  }

  @Test("A scanned library is restored as it was, in the order of the scan")
  func restored() throws {
    let fixture = Fixture()
    let photos = try #require(fixture.photos)
    for name in ["b10.png", "b9.png", "A/x.png", "a 1/x.png", "a10/x.png", "a9/deep/er/y.png", "a9/z.png"] {
      fixture.age(try photos.makeFile(name))
    }
    fixture.age(try photos.makeFile("broken.jpg", [1, 2, 3]))
    fixture.age(try photos.makeFile("empty.jpg", []))
    let store = try fixture.store()
    #expect(try fixture.restore(store) == nil)
    let scanned = try fixture.scan(store).catalogue
    #expect(scanned.count == 9)
    #expect(records(try fixture.restore(store)) == records(scanned))
    store.close()
    #expect(records(try fixture.restore(try fixture.store())) == records(scanned))
  }

  @Test("The first photographs are restored before the others, with the identifiers that they keep")
  func parts() throws {
    let fixture = Fixture()
    let store = try fixture.store()
    let root = try fixture.root()
    let sizes = [1_500, 600, 3_000]
    try store.store(
      sizes.enumerated().map { folder, count in
        FolderRecord(
          folder: root.path.appending("\(folder)"),
          entries: (0..<count).map { number in
            FolderRecord.Entry(
              name: Array("\(number).jpg".utf8),
              identity: FileIdentity(
                device: 1, inode: UInt64(number + folder * 10_000), byteCount: 1, modificationNanoseconds: 1),
              failure: .notAPicture)
          })
      })
    let restoration = Lock<CatalogueRestoration?>(nil)
    let results = Lock<[CatalogueRestoration.Result]>([])
    let made = try CatalogueRestoration(store, roots: [root]) {
      // On the thread, which goes on after this.
      let result = restoration.wait(until: { $0 }).takeResult()
      results.withLock { if let result { $0.append(result) } }
      results.wakeAll()
    }
    restoration.withLock { $0 = made }
    restoration.wakeAll()
    let taken = results.wait(until: { $0.count == 2 ? $0 : nil })
    restoration.withLock { $0 = nil }
    guard case .part(let part)? = taken.first, case .whole(let whole?)? = taken.last else {
      Issue.record("there were \(taken.count) results")
      return
    }
    #expect(part.count == 2_100 && whole.count == 5_100)
    #expect(records(whole).starts(with: records(part)))
    #expect(whole.id(at: root.path.appending("2").appending("2999.jpg")) == PhotoID(rawValue: 5_100))
    #expect(part.id(at: root.path.appending("1").appending("599.jpg")) == PhotoID(rawValue: 2_100))
  }

  @Test("Unchanged files are not read again, and changed, new and deleted ones are found")
  func secondScan() throws {
    let fixture = Fixture()
    let photos = try #require(fixture.photos)
    let store = try fixture.store()
    for name in ["1.png", "2.png", "3.png", "gone/4.png", "x/5.png"] { fixture.age(try photos.makeFile(name)) }
    _ = try fixture.scan(store)
    // A file whose contents are replaced without changing its size and date is not noticed: it is not opened.
    let hidden = try photos.makeFile("1.png", [UInt8](repeating: 0, count: SmallPicture.png.count))
    fixture.age(hidden)
    // One with another date is.
    fixture.age(try photos.makeFile("2.png", [0, 0]), seconds: 2_000_000)
    fixture.age(try photos.makeFile("x/6.png"))
    try #require(unlink(photos.path("gone/4.png").cString) == 0)
    let second = try fixture.scan(store).catalogue
    func failure(_ name: String) -> PhotoFailure? { second.id(at: photos.path(name)).flatMap(second.failure) }
    #expect(failure("1.png") == nil && failure("2.png") == .notAPicture)
    #expect(records(try fixture.restore(store)) == records(second))
    #expect(records(second) == records(try fixture.scan(store).catalogue))
    #expect(records(second) != records(try fixture.scan(nil).catalogue))
  }

  @Test("A file that was modified a moment ago is read again")
  func freshFile() throws {
    let fixture = Fixture()
    let store = try fixture.store()
    let file = try #require(fixture.photos).makeFile("new.png")
    _ = try fixture.scan(store)
    #expect(store.record(of: file.parent)?.entries.map(\.identity) == [.unknown])
  }

  @Test("What a folder that cannot be read contained is kept")
  func offline() throws {
    let fixture = Fixture()
    let photos = try #require(fixture.photos)
    let store = try fixture.store()
    fixture.age(try photos.makeFile("a/1.png"))
    fixture.age(try photos.makeFile("b/2.png"))
    _ = try fixture.scan(store)
    try #require(rename(photos.path("a").cString, photos.path("c").cString) == 0)
    var known = KnownHeaders(store, roots: [try fixture.root()])
    known.finish(isComplete: true, offline: [photos.path("a")])
    #expect(try fixture.restore(store)?.count == 1)
    #expect(store.record(of: photos.path("a"))?.entries.count == 1 && store.record(of: photos.path("b")) == nil)
  }

  @Test(
    "A catalogue that is damaged, of another version, or in a folder that cannot be written is no obstacle to a scan",
    arguments: ["damage", "newer", "older", "folder"])
  func unusable(kind: String) throws {
    let fixture = Fixture()
    let (photos, cache) = (try #require(fixture.photos), try #require(fixture.cache))
    for name in ["1.png", "a/2.png"] { fixture.age(try photos.makeFile(name)) }
    let store = try fixture.store()
    let expected = records(try fixture.scan(store).catalogue)
    store.close()
    var other = try fixture.store()
    switch kind {
    case "damage": try cache.makeFile("catalogue.sqlite", [UInt8](repeating: 7, count: 70_000))
    case "newer", "older":
      for name in ["catalogue.sqlite", "catalogue.sqlite-wal", "catalogue.sqlite-shm"] {
        unlink(cache.path(name).cString)
      }
      let schema = StoreDatabase.Schema(
        fileName: "catalogue.sqlite", version: kind == "newer" ? 99 : 1, pageSize: 4_096,
        statements: ["CREATE TABLE folders (x INTEGER)"])
      try StoreDatabase(schema, in: cache.root.bytes).close()
    // A file is in the place of the folder.
    default: other = CatalogueStore(directory: try cache.makeFile("file").bytes)
    }
    #expect(try fixture.restore(other) == nil)
    #expect(records(try fixture.scan(other).catalogue) == expected)
    // A file that is replaced is of use again, and without one every scan reads the files.
    #expect(records(try fixture.restore(other)) == (kind == "folder" ? [] : expected))
  }

  @Test("While another instance writes, photographs are restored and scanned, and what was found is stored later")
  func locked() throws {
    let fixture = Fixture()
    let (photos, cache) = (try #require(fixture.photos), try #require(fixture.cache))
    fixture.age(try photos.makeFile("1.png"))
    let store = try fixture.store()
    _ = try fixture.scan(store)
    fixture.age(try photos.makeFile("2.png"))
    let other = try StoreDatabase(CatalogueStore.schema, in: cache.root.bytes)
    let counts = Lock<[Int]>([])
    try other.write { session throws(SQLiteError) in
      try session.execute("DELETE FROM folders WHERE key = ?1", [.bytes([])])
      let restored = (try? fixture.restore(store))?.count ?? -1
      let scanned = (try? fixture.scan(store))?.catalogue.count ?? -1
      counts.withLock { $0 = [restored, scanned] }
    }
    #expect(counts.withLock { $0 } == [1, 2])
    #expect(try fixture.restore(store)?.count == 1)
    _ = try fixture.scan(store)
    #expect(try fixture.restore(store)?.count == 2)
  }

  @Test("Two instances that scan at the same time store what both found")
  func instances() throws {
    let fixture = Fixture()
    let photos = try #require(fixture.photos)
    for number in 0..<40 { fixture.age(try photos.makeFile("\(number % 8)/\(number).png")) }
    let stores = [try fixture.store(), try fixture.store()]
    let scans = try stores.map {
      FolderScan(roots: [try fixture.root()], options: ScanOptions(batches: .bySize, catalogue: $0))
    }
    for scan in scans { try scan.start() }
    for scan in scans {
      while true { if case .finished? = scan.takeBatch(count: 100).last { break } }
      scan.join()
    }
    let expected = records(try fixture.scan(nil).catalogue)
    for store in stores { #expect(records(try fixture.restore(store)) == expected) }
  }

  @Test("Dates of 1938 and 2100 are stored")
  func distantDates() throws {
    let identity = FileIdentity(device: 1, inode: 2, byteCount: 3, modificationNanoseconds: -1)
    let entries = [-1_000_000_000, 4_102_444_800, -5_364_662_400, 253_402_300_799].map { seconds in
      FolderRecord.Entry(name: [97], identity: identity, header: ImageHeader(format: .jpeg, captureTime: seconds))
    }
    let record = FolderRecord(folder: PhotoPath("/p"), entries: entries)
    #expect(record.encodedEntries.withUnsafeBytes { FolderRecord(folder: record.folder, encodedEntries: $0) } == record)
  }

  @Test("Records are read as they were written", arguments: TestScale.seeds(1...10))
  func encoding(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    func number(_ range: ClosedRange<Int64> = .min ... .max) -> Int64 { Int64.random(in: range, using: &random) }
    let entries = (0..<Int.random(in: 1..<60, using: &random)).map { index -> FolderRecord.Entry in
      let identity = FileIdentity(
        device: UInt64(bitPattern: number()), inode: UInt64(bitPattern: number()), byteCount: number(0 ... .max),
        modificationNanoseconds: number())
      let name = (0...Int.random(in: 0..<255, using: &random)).map { _ in UInt8.random(in: 48...255, using: &random) }
      guard Bool.random(using: &random) else {
        return FolderRecord.Entry(name: name, identity: identity, failure: .allCases.randomElement(using: &random))
      }
      var header = ImageHeader(
        format: ImageFormat.allCases[index % ImageFormat.allCases.count],
        storedSize: Bool.random(using: &random)
          ? PixelSize(width: Int(number(1...maximumSide)), height: Int(number(1...maximumSide))) : nil,
        isOversized: Bool.random(using: &random), orientation: Orientation(rawValue: UInt8(index % 8 + 1)) ?? .up,
        captureTime: Bool.random(using: &random) ? number(-1 << 40...1 << 40) : nil,
        embeddedThumbnail: Bool.random(using: &random) ? Int(number(0...1 << 50))..<1 << 51 : nil)
      if let range = header.embeddedThumbnail {
        header.embeddedThumbnail = range.lowerBound..<range.lowerBound + Int(number(1...1 << 30))
      }
      header.camera = [nil, "NIKON D750", "Apple iPhone 12"][index % 3]
      header.rating = Bool.random(using: &random) ? UInt8(index % 5 + 1) : nil
      header.location =
        Bool.random(using: &random)
        ? GeographicLocation(
          latitude: Double.random(in: -90...90, using: &random),
          longitude: Double.random(in: -180...180, using: &random))
        : nil
      header.isIncomplete = Bool.random(using: &random)
      return FolderRecord.Entry(name: name, identity: identity, header: header)
    }
    let record = FolderRecord(folder: PhotoPath("/p"), entries: entries)
    let bytes = record.encodedEntries
    #expect(bytes.withUnsafeBytes { FolderRecord(folder: record.folder, encodedEntries: $0) } == record)
    // A damaged record is refused or read as another one, never a crash.
    for _ in 0..<200 {
      var damaged = bytes
      damaged[Int.random(in: 0..<bytes.count, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
      damaged.removeLast(Int.random(in: 0..<3, using: &random))
      let read = damaged.withUnsafeBytes { FolderRecord(folder: record.folder, encodedEntries: $0) }
      #expect((read?.entries.count ?? 0) <= bytes.count / 36)
    }
  }

  private let maximumSide: Int64 = 16_384

  @Test("Keys of folders are in the order of a scan", arguments: TestScale.seeds(1...5))
  func keys(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let names = ["a", "A", "a 1", "a1", "a01", "a10", "a2", "b", "\u{1}", "é", "00", "0"]
    func precedes(_ one: [String], _ other: [String]) -> Bool {
      for (first, second) in zip(one, other) where first != second {
        return NaturalOrder.precedes(Array(first.utf8), Array(second.utf8))
      }
      return one.count < other.count
    }
    func randomPath() -> [String] {
      (0..<Int.random(in: 1..<4, using: &random)).map { _ in names.randomElement(using: &random) ?? "" }
    }
    for _ in 0..<500 {
      let (one, other) = (randomPath(), randomPath())
      let keys = [one, other].map { PhotoPath("/" + $0.joined(separator: "/")).listingKey }
      #expect(keys[0].lexicographicallyPrecedes(keys[1]) == precedes(one, other), "\(one) \(other)")
      #expect(keys[1].starts(with: keys[0]) == other.starts(with: one), "\(one) \(other)")
    }
  }
}
