import Glibc
import Testing
import VitrineGeometry
import VitrineImageMetadata
import VitrineTestSupport

@testable import VitrinePhotoLibrary

@Suite("A photo catalogue")
struct PhotoCatalogueTests {
  private static func found(
    _ ordinal: Int, _ path: String, inode: UInt64 = 1, failure: PhotoFailure? = nil
  ) -> FoundPhoto {
    let path = PhotoPath(path)
    return FoundPhoto(
      ordinal: UInt32(ordinal), folder: path.parent, name: Array(path.lastComponent),
      identity: FileIdentity(device: 9, inode: inode, byteCount: 100, modificationNanoseconds: 5), failure: failure)
  }

  @Test("Every photo is found by its path and by its identifier")
  func interning() throws {
    var catalogue = PhotoCatalogue()
    let paths = ["/p/a.jpg", "/p/b.jpg", "/q/a.jpg", "/p/\u{E9}.jpg", "/p/e\u{301}.jpg"]
    let change = catalogue.apply(.found(paths.enumerated().map { Self.found($0, $1) }))
    #expect(change.listed.count == 5)
    #expect(change.added == change.listed)
    #expect(change.changed.isEmpty)
    #expect(Set(change.listed).count == 5)
    for (id, path) in zip(change.listed, paths) {
      #expect(catalogue.id(at: PhotoPath(path)) == id)
      #expect(catalogue.path(of: id) == PhotoPath(path))
      #expect(catalogue.folder(of: id) == PhotoPath(path).parent)
      #expect(catalogue.displayName(of: id)?.utf8.elementsEqual(PhotoPath(path).label.utf8) == true)
    }
    #expect(catalogue.id(at: PhotoPath("/p/c.jpg")) == nil)
    #expect(catalogue.id(at: PhotoPath("/r/a.jpg")) == nil)
  }

  @Test("Unknown identifiers have no values")
  func unknownIdentifiers() {
    let catalogue = PhotoCatalogue()
    for id in [PhotoID(rawValue: 0), PhotoID(rawValue: 1), PhotoID(rawValue: .max)] {
      #expect(!catalogue.contains(id))
      #expect(catalogue[id] == nil)
      #expect(catalogue.path(of: id) == nil)
      #expect(catalogue.size(of: id) == nil)
      #expect(catalogue.version(of: id) == 0)
    }
    #expect(catalogue.bytesPerItem == 0)
  }

  @Test("A path keeps its identifier in a later scan, in any order")
  func rescan() {
    var catalogue = PhotoCatalogue()
    let first = catalogue.apply(.found([Self.found(0, "/p/a"), Self.found(1, "/p/b", inode: 2)]))
    _ = catalogue.apply(.finished(ScanSummary()))
    catalogue.beginScan()
    let second = catalogue.apply(
      .found([Self.found(0, "/p/b", inode: 3), Self.found(1, "/p/c", inode: 4), Self.found(2, "/p/a")]))
    #expect(second.listed == [first.listed[1], second.added[0], first.listed[0]])
    #expect(second.added.count == 1)
    #expect(!first.listed.contains(second.added[0]))
    #expect(second.changed == [first.listed[1]])
    #expect(catalogue.count == 3)
  }

  @Test("Every header is returned as it was recorded")
  func headers() {
    var random = SeededGenerator(seed: 3)
    var catalogue = PhotoCatalogue()
    let identity = FileIdentity(device: 9, inode: 1, byteCount: 100, modificationNanoseconds: 5)
    let photos = (0..<500).map { Self.found($0, "/p/\($0)") }
    let ids = catalogue.apply(.found(photos)).listed
    let headers = (0..<500).map { _ in Self.header(&random) }
    let results = headers.enumerated().map { HeaderResult(ordinal: UInt32($0), identity: identity, header: $1) }
    #expect(catalogue.apply(.headers(results)).changed == ids)
    for (id, header) in zip(ids, headers) {
      #expect(catalogue.header(of: id) == header)
      #expect(catalogue.size(of: id) == header.size)
      #expect(catalogue[id]?.header == header)
    }
    // Equal headers are no change.
    #expect(catalogue.apply(.headers(results)).isEmpty)
  }

  @Test("A preview range that cannot be EXIF's is ignored")
  func farPreview() throws {
    var catalogue = PhotoCatalogue()
    let id = try #require(catalogue.apply(.found([Self.found(0, "/p/a")])).listed.first)
    for range in [0..<65_536, 1 << 32..<(1 << 32) + 5] {
      catalogue.recordHeader(ImageHeader(format: .tiff, embeddedThumbnail: range), for: id)
      #expect(catalogue.header(of: id) == ImageHeader(format: .tiff))
    }
  }

  @Test("A failure is recorded, and removed when the file is replaced")
  func failures() throws {
    var catalogue = PhotoCatalogue()
    for failure in PhotoFailure.allCases {
      catalogue.beginScan()
      let change = catalogue.apply(.found([Self.found(0, "/p/x", failure: failure)]))
      #expect(catalogue.failure(of: try #require(change.listed.first)) == failure)
    }
    catalogue.beginScan()
    let repaired = catalogue.apply(.found([Self.found(0, "/p/x", inode: 77)]))
    let id = try #require(repaired.listed.first)
    #expect(repaired.changed == [id])
    #expect(catalogue.failure(of: id) == nil)
    let result = HeaderResult(ordinal: 0, identity: nil, failure: .missing)
    #expect(catalogue.apply(.headers([result])).changed == [id])
    #expect(catalogue[id]?.failure == .missing)
    #expect(catalogue.identity(of: id)?.inode == 77)
  }

  @Test("An unchanged file with an invalid header is no change, until its header becomes valid")
  func lastingFailures() throws {
    var catalogue = PhotoCatalogue()
    let id = try #require(catalogue.apply(.found([Self.found(0, "/p/x")])).listed.first)
    let broken = HeaderResult(ordinal: 0, identity: nil, failure: .notAPicture)
    #expect(catalogue.apply(.headers([broken])).changed == [id])
    catalogue.beginScan()
    #expect(catalogue.apply(.found([Self.found(0, "/p/x")])).changed.isEmpty)
    #expect(catalogue.failure(of: id) == .notAPicture)
    #expect(catalogue.apply(.headers([broken])).isEmpty)
    let repaired = HeaderResult(
      ordinal: 0, identity: Self.found(0, "/p/x").identity, header: ImageHeader(format: .png))
    #expect(catalogue.apply(.headers([repaired])).changed == [id])
    #expect(catalogue.failure(of: id) == nil)
  }

  @Test("A changed file has another version, and its old header is removed")
  func versions() throws {
    var catalogue = PhotoCatalogue()
    let id = try #require(catalogue.apply(.found([Self.found(0, "/p/a")])).listed.first)
    let before = catalogue.version(of: id)
    catalogue.recordHeader(ImageHeader(format: .png), for: id)
    #expect(catalogue.version(of: id) == before)
    catalogue.beginScan()
    _ = catalogue.apply(.found([Self.found(0, "/p/a", inode: 2)]))
    #expect(catalogue.version(of: id) != before)
    #expect(catalogue.header(of: id) == nil)
    catalogue.beginScan()
    _ = catalogue.apply(.found([Self.found(0, "/p/a")]))
    #expect(catalogue.version(of: id) == before)
  }

  @Test("Files of unknown identity have distinct versions")
  func unknownVersions() {
    var catalogue = PhotoCatalogue()
    let photos = (0..<3).map {
      FoundPhoto(ordinal: UInt32($0), folder: PhotoPath("/p"), name: [UInt8($0) + 65], identity: .unknown)
    }
    let ids = catalogue.apply(.found(photos)).listed
    #expect(Set(ids.map { catalogue.version(of: $0) }).count == 3)
  }

  @Test("Headers of unknown photos are ignored")
  func unknownHeaders() {
    var catalogue = PhotoCatalogue()
    let result = HeaderResult(ordinal: 5, identity: nil, failure: .missing)
    #expect(catalogue.apply(.headers([result])).isEmpty)
    #expect(catalogue.apply(.progress(ScanProgress())).isEmpty)
  }

  @Test("The catalogue is equivalent to a dictionary over random scans")
  func model() {
    var random = SeededGenerator(seed: 5)
    var catalogue = PhotoCatalogue()
    var model: [PhotoPath: (id: PhotoID, identity: FileIdentity)] = [:]
    for _ in 0..<30 {
      catalogue.beginScan()
      let count = Int.random(in: 0..<300, using: &random)
      let photos = (0..<count).map { ordinal in
        FoundPhoto(
          ordinal: UInt32(ordinal), folder: PhotoPath("/\(Int.random(in: 0..<5, using: &random))"),
          name: Array("\(Int.random(in: 0..<400, using: &random))".utf8),
          identity: FileIdentity(
            device: .random(in: 0..<4, using: &random), inode: .random(in: 0..<3, using: &random), byteCount: 1,
            modificationNanoseconds: 1))
      }
      let change = catalogue.apply(.found(photos))
      #expect(change.listed.count == count)
      for (photo, id) in zip(photos, change.listed) {
        if let known = model[photo.path] { #expect(known.id == id) }
        model[photo.path] = (id, photo.identity)
      }
    }
    #expect(catalogue.count == model.count)
    #expect(Set(model.values.map(\.id)).count == model.count)
    for (path, known) in model {
      #expect(catalogue.id(at: path) == known.id)
      #expect(catalogue[known.id]?.identity == known.identity)
      #expect(catalogue[known.id]?.path == path)
    }
  }

  @Test("A hundred thousand photos occupy at most 100 bytes each, including their names")
  func size() {
    var catalogue = PhotoCatalogue()
    for start in stride(from: 0, to: 100_000, by: 1000) {
      let folder = PhotoPath("/home/user/Pictures/\(2000 + start / 4000)")
      let photos = (start..<start + 1000).map {
        FoundPhoto(
          ordinal: UInt32($0), folder: folder, name: Array("DSC_\(100_000 + $0).JPG".utf8),
          identity: FileIdentity(device: 1, inode: UInt64($0), byteCount: 2, modificationNanoseconds: 3))
      }
      _ = catalogue.apply(.found(photos))
    }
    _ = catalogue.apply(.finished(ScanSummary()))
    #expect(catalogue.count == 100_000)
    #expect((60...100).contains(catalogue.bytesPerItem), "\(catalogue.bytesPerItem)")
  }

  @Test("A photo's time is the header's, or else the file's, or else nil")
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

  @Test(
    "A file of any date has a time, also one from before 1677 or after 2262", arguments: [Int64.min, .min + 1, .max])
  func extremeTimes(nanoseconds: Int64) throws {
    var catalogue = PhotoCatalogue()
    let identity = FileIdentity(device: 1, inode: 1, byteCount: 1, modificationNanoseconds: nanoseconds)
    let photo = FoundPhoto(ordinal: 0, folder: PhotoPath("/p"), name: Array("a.jpg".utf8), identity: identity)
    let item = try #require(catalogue.apply(.found([photo])).added.first)
    #expect(catalogue.time(of: item) == identity.modificationSeconds)
    #expect(catalogue.time(of: item).map { CalendarMonth(containing: $0).year } == (nanoseconds < 0 ? 1677 : 2262))
  }

  private static func header(_ random: inout SeededGenerator) -> ImageHeader {
    let formats = ImageFormat.allCases
    var header = ImageHeader(format: formats[Int.random(in: 0..<formats.count, using: &random)])
    if Bool.random(using: &random) {
      header.storedSize = PixelSize(
        width: .random(in: 1...PixelSize.maximumSide, using: &random),
        height: .random(in: 1...PixelSize.maximumSide, using: &random))
    }
    header.isOversized = Bool.random(using: &random)
    header.orientation = Orientation(rawValue: .random(in: 1...8, using: &random)) ?? .up
    if Bool.random(using: &random) {
      header.captureTime = .random(in: -(1 << 40)..<(1 << 40), using: &random)
    }
    if Bool.random(using: &random) {
      let start = Int.random(in: 0..<1 << 20, using: &random)
      header.embeddedThumbnail = start..<start + Int.random(in: 1...65_535, using: &random)
    }
    return header
  }
}

// MARK: - Rescans

@Suite("Rescanning a folder into a catalogue")
struct CatalogueRescanTests {
  /// Scans the tree and returns the merged changes.
  private static func scan(_ tree: TemporaryTree, into catalogue: inout PhotoCatalogue) throws -> CatalogueChange {
    let scan = FolderScan(roots: [try LibraryRoot(checking: tree.root)], options: ScanOptions(batches: .bySize))
    try scan.start()
    var change = CatalogueChange()
    var isFinished = false
    catalogue.beginScan()
    while !isFinished {
      for event in scan.takeBatch(count: 3) {
        let next = catalogue.apply(event)
        change.listed += next.listed
        change.added += next.added
        change.changed += next.changed
        if case .finished = event { isFinished = true }
      }
    }
    scan.join()
    return change
  }

  private static func names(_ ids: [PhotoID], _ catalogue: PhotoCatalogue) -> [String] {
    ids.map { catalogue.displayName(of: $0) ?? "?" }
  }

  @Test("A rescan of unchanged files reports no changes, including broken files and links")
  func unchanged() throws {
    let tree = try TemporaryTree()
    for name in ["a.png", "b/c.png", "b/d.png"] { try tree.makeFile(name) }
    try tree.makeFile("broken.png", [1, 2, 3])
    try tree.makeFile("empty.png", [])
    try tree.makeLink("nowhere.png", to: "gone.png")
    var catalogue = PhotoCatalogue()
    let first = try Self.scan(tree, into: &catalogue)
    #expect(first.added.count == 6)
    let second = try Self.scan(tree, into: &catalogue)
    #expect(second.listed == first.listed)
    #expect(second.added.isEmpty && second.changed.isEmpty)
  }

  @Test("A rescan reports files that were added, removed, renamed, replaced and written to, and keeps identifiers")
  func changes() throws {
    let tree = try TemporaryTree()
    for name in ["a.png", "b.png", "c.png", "d.png", "e.png"] { try tree.makeFile(name) }
    var catalogue = PhotoCatalogue()
    let first = try Self.scan(tree, into: &catalogue)
    try tree.makeFile("bb.png")
    #expect(unlink(tree.path("c.png").cString) == 0)
    #expect(rename(tree.path("d.png").cString, tree.path("z.png").cString) == 0)
    try tree.makeFile("e.png", SmallPicture.png + [0])
    let second = try Self.scan(tree, into: &catalogue)
    #expect(Self.names(second.listed, catalogue) == ["a.png", "b.png", "bb.png", "e.png", "z.png"])
    #expect(Self.names(second.added, catalogue) == ["bb.png", "z.png"])
    #expect(Set(second.changed).subtracting(second.added) == [first.listed[4]])
    #expect(second.listed[0] == first.listed[0] && second.listed[3] == first.listed[4])
    // A file that is renamed back has its old identifier.
    #expect(rename(tree.path("z.png").cString, tree.path("d.png").cString) == 0)
    let third = try Self.scan(tree, into: &catalogue)
    #expect(third.added.isEmpty)
    #expect(third.listed[3] == first.listed[3])
  }
}

// MARK: - File identity

@Suite("File identities")
struct FileIdentityTests {
  @Test("Any time of a file system is converted, and values out of range are clamped")
  func times() {
    let cases: [(Int64, Int64, Int64)] = [
      (0, 5, 5), (1, 2, 1_000_000_002), (-1_000_000_000, 0, -1_000_000_000_000_000_000),
      (4_102_444_800, 0, 4_102_444_800_000_000_000),
      (.max, 999_999_999, .max), (.min, 0, .min), (9_223_372_036, 999_999_999, .max),
    ]
    for (seconds, nanoseconds, expected) in cases {
      let identity = FileIdentity(
        device: 1, inode: 1, byteCount: 1, modificationSeconds: seconds, nanoseconds: nanoseconds)
      #expect(identity.modificationNanoseconds == expected)
    }
  }

  @Test("Whether a file was just modified is known for any time of the clock")
  func freshness() {
    func isFresh(_ file: (Int64, Int64), at now: (Int64, Int64)) -> Bool {
      let identity = FileIdentity(
        device: 1, inode: 1, byteCount: 1, modificationSeconds: file.0, nanoseconds: file.1)
      return KnownHeaders.isFresh(identity, nowSeconds: now.0, nanoseconds: now.1)
    }
    #expect(isFresh((-5, 0), at: (-4, 999_999_999)) && isFresh((-4, 0), at: (-5, 0)) && !isFresh((-6, 0), at: (-4, 0)))
    #expect(isFresh((0, 0), at: (-1, 0)) && !isFresh((1_000_000_000, 0), at: (-20_000_000, 0)))
    for now: Int64 in [.min, -9_300_000_000, 9_300_000_000, .max] {
      #expect(!isFresh((1_000_000_000, 0), at: (now, 0)))
    }
  }

  @Test("Instants of a clock that is negative are in order, and delays can be added to and subtracted from them")
  func negativeClock() {
    let instants = [(-20_000_000, 5), (-1, 0), (-1, 999_999_999), (0, 0), (0, 1), (3_000_000_000, 0)].map {
      SystemCalls.unsignedNanoseconds(seconds: $0, nanoseconds: $1)
    }
    #expect(instants == instants.sorted() && Set(instants).count == instants.count)
    #expect(instants[3] - instants[2] == 1 && instants[2] + 1 == instants[3] && instants[3] - 1_000 < instants[3])
  }

  @Test("The time in seconds is rounded down, also before 1970")
  func seconds() {
    for (nanoseconds, seconds) in [(0, 0), (999_999_999, 0), (1_000_000_000, 1), (-1, -1), (-1_000_000_000, -1)] {
      let identity = FileIdentity(device: 0, inode: 0, byteCount: 0, modificationNanoseconds: Int64(nanoseconds))
      #expect(identity.modificationSeconds == Int64(seconds))
    }
  }

  @Test("The version changes with every field")
  func version() {
    let identity = FileIdentity(device: 1, inode: 2, byteCount: 3, modificationNanoseconds: 4)
    var others = Set([identity.version])
    for number in 5..<200 {
      var device = identity, inode = identity, bytes = identity, time = identity
      device.device = UInt64(number)
      inode.inode = UInt64(number)
      bytes.byteCount = Int64(number)
      time.modificationNanoseconds = Int64(number)
      others.formUnion([device.version, inode.version, bytes.version, time.version])
    }
    #expect(others.count == 1 + 4 * 195)
    #expect(identity.version == FileIdentity(device: 1, inode: 2, byteCount: 3, modificationNanoseconds: 4).version)
  }
}
