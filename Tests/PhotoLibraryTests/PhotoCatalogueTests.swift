import Geometry
import ImageMetadata
import PhotoLibrary
import TestSupport
import Testing

@Suite("A catalogue")
struct PhotoCatalogueTests {
  private static func found(
    _ ordinal: Int, _ path: String, inode: UInt64 = 1, failure: PhotoFailure? = nil
  ) -> FoundPhoto {
    let path = PhotoPath(path)
    return FoundPhoto(
      ordinal: UInt32(ordinal), folder: path.parent, name: Array(path.lastComponent),
      identity: FileIdentity(device: 9, inode: inode, byteCount: 100, modificationNanoseconds: 5), failure: failure)
  }

  @Test("finds each photograph by its path and by its name for the run")
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

  @Test("knows nothing of names that it never gave")
  func strangers() {
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

  @Test("gives a path the same name in a later scan, in whatever order")
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

  @Test("keeps every header as it came")
  func headers() {
    var random = SeededGenerator(seed: 3)
    var catalogue = PhotoCatalogue()
    let identity = FileIdentity(device: 9, inode: 1, byteCount: 100, modificationNanoseconds: 5)
    let photos = (0..<500).map { Self.found($0, "/p/\($0)") }
    let ids = catalogue.apply(.found(photos)).listed
    let headers = (0..<500).map { _ in Self.header(&random) }
    let facts = headers.enumerated().map { HeaderResult(ordinal: UInt32($0), identity: identity, header: $1) }
    #expect(catalogue.apply(.headers(facts)).changed == ids)
    for (id, header) in zip(ids, headers) {
      #expect(catalogue.header(of: id) == header)
      #expect(catalogue.size(of: id) == header.size)
      #expect(catalogue[id]?.header == header)
    }
    // The same again is no news.
    #expect(catalogue.apply(.headers(facts)).isEmpty)
  }

  @Test("leaves out a preview that cannot be EXIF's")
  func farPreview() throws {
    var catalogue = PhotoCatalogue()
    let id = try #require(catalogue.apply(.found([Self.found(0, "/p/a")])).listed.first)
    for range in [0..<65_536, 1 << 32..<(1 << 32) + 5] {
      catalogue.recordHeader(ImageHeader(format: .tiff, embeddedThumbnail: range), for: id)
      #expect(catalogue.header(of: id) == ImageHeader(format: .tiff))
    }
  }

  @Test("keeps failures, and forgets them when the file is another")
  func failures() throws {
    var catalogue = PhotoCatalogue()
    for failure in PhotoFailure.allCases {
      catalogue.beginScan()
      let change = catalogue.apply(.found([Self.found(0, "/p/x", failure: failure)]))
      #expect(catalogue.failure(of: try #require(change.listed.first)) == failure)
    }
    catalogue.beginScan()
    let mended = catalogue.apply(.found([Self.found(0, "/p/x", inode: 77)]))
    let id = try #require(mended.listed.first)
    #expect(mended.changed == [id])
    #expect(catalogue.failure(of: id) == nil)
    let fact = HeaderResult(ordinal: 0, identity: nil, failure: .missing)
    #expect(catalogue.apply(.headers([fact])).changed == [id])
    #expect(catalogue[id]?.failure == .missing)
    #expect(catalogue.identity(of: id)?.inode == 77)
  }

  @Test("tells nothing of an unchanged file that its header broke, until the header is another")
  func lastingFailures() throws {
    var catalogue = PhotoCatalogue()
    let id = try #require(catalogue.apply(.found([Self.found(0, "/p/x")])).listed.first)
    let broken = HeaderResult(ordinal: 0, identity: nil, failure: .notAPicture)
    #expect(catalogue.apply(.headers([broken])).changed == [id])
    catalogue.beginScan()
    #expect(catalogue.apply(.found([Self.found(0, "/p/x")])).changed.isEmpty)
    #expect(catalogue.failure(of: id) == .notAPicture)
    #expect(catalogue.apply(.headers([broken])).isEmpty)
    let mended = HeaderResult(
      ordinal: 0, identity: Self.found(0, "/p/x").identity, header: ImageHeader(format: .png))
    #expect(catalogue.apply(.headers([mended])).changed == [id])
    #expect(catalogue.failure(of: id) == nil)
  }

  @Test("has another version once the file was changed, and forgets the old one's header")
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

  @Test("tells apart the versions of what the system says nothing about")
  func unknownVersions() {
    var catalogue = PhotoCatalogue()
    let photos = (0..<3).map {
      FoundPhoto(ordinal: UInt32($0), folder: PhotoPath("/p"), name: [UInt8($0) + 65], identity: .unknown)
    }
    let ids = catalogue.apply(.found(photos)).listed
    #expect(Set(ids.map { catalogue.version(of: $0) }).count == 3)
  }

  @Test("takes facts about photographs that it was not told of without harm")
  func strayFacts() {
    var catalogue = PhotoCatalogue()
    let fact = HeaderResult(ordinal: 5, identity: nil, failure: .missing)
    #expect(catalogue.apply(.headers([fact])).isEmpty)
    #expect(catalogue.apply(.progress(ScanProgress())).isEmpty)
  }

  @Test("agrees with a dictionary over random scans")
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

  @Test("holds a hundred thousand in at most 100 bytes each, names and all")
  func size() {
    var catalogue = PhotoCatalogue()
    for start in stride(from: 0, to: 100_000, by: 1000) {
      let folder = PhotoPath("/home/somebody/Pictures/\(2000 + start / 4000)")
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
