import Testing
import VitrineGeometry
import VitrineImagePipeline
import VitrineRemoteImages

@testable import VitrinePhotoLibrary

@Suite("Album records compute their values")
struct AlbumRecordsTests {
  /// An album of pictures whose width depends on their number, one per hour.
  private struct RulerAlbum: PictureAlbum {
    let side: PixelSize

    func title(at number: Int) -> String { "Ruler \(number)" }

    func size(at number: Int) -> PixelSize {
      PixelSize(width: number % 1_000 + 1, height: 10) ?? side
    }

    func captureTime(at number: Int) -> Int64 { Int64(number) * 3_600 }
  }

  private func makeRecords() throws -> AlbumRecords {
    AlbumRecords(RulerAlbum(side: try #require(PixelSize(width: 1, height: 1))))
  }

  @Test("All values are computed from a listed picture's number, and occupy no memory")
  func values() throws {
    var records = try makeRecords()
    #expect(records.apply(.listed(upTo: 5_000_000)).isEmpty)
    #expect(records.count == 5_000_000 && records.bytesPerItem == 0 && records.isComputed)
    let item = AlbumRecords.id(ofNumber: 4_000_123)
    #expect(records.name(of: item).map { String(decoding: $0, as: UTF8.self) } == "Ruler 4000123")
    #expect(records.size(of: item) == PixelSize(width: 124, height: 10))
    #expect(records.time(of: item) == Int64(14_400_442_800))
    #expect(records.imageSource(of: item) == .generated(4_000_123))
    #expect(records.isRead(item) && records.failure(of: item) == nil && records.byteCount(of: item) == 0)
    #expect(records.folder(of: item) == nil && records.id(at: PhotoPath("/Ruler 1")) == nil)
  }

  @Test("Pictures that are not listed have no values, and listing fewer pictures removes none")
  func listing() throws {
    var records = try makeRecords()
    let (first, last) = (AlbumRecords.id(ofNumber: 0), AlbumRecords.id(ofNumber: 9))
    #expect(records.count == 0 && records.name(of: first) == nil && records.imageSource(of: first) == nil)
    _ = records.apply(.listed(upTo: 9))
    #expect(records.name(of: first) != nil && records.name(of: last) == nil && records.size(of: last) == nil)
    _ = records.apply(.listed(upTo: 10))
    _ = records.apply(.listed(upTo: 3))
    records.beginScan()
    #expect(records.count == 10 && records.time(of: last) == 9 * 3_600)
    #expect(records.time(of: PhotoID(rawValue: 0)) == nil)
  }

  @Test("Events of a folder scan are ignored")
  func scans() throws {
    var records = try makeRecords()
    let photo = FoundPhoto(ordinal: 0, folder: PhotoPath("/"), name: [0x61], identity: .unknown)
    #expect(records.apply(.found([photo])).isEmpty && records.apply(.finished(ScanSummary())).isEmpty)
    #expect(records.count == 0)
  }
}

@Suite("Manifest records")
struct ManifestRecordsTests {
  private func item(_ id: String, _ path: String, likes: Int? = nil) throws -> ManifestItem {
    ManifestItem(
      id: id, url: try #require(RemoteURL("http://a/" + path)), title: "T" + id, size: PixelSize(width: 3, height: 2),
      captureTime: 5, likes: likes)
  }

  @Test("All values of an item are known when it is listed, except those of a file")
  func values() throws {
    var records = ManifestRecords()
    let change = records.apply(.entries([try item("a", "1"), try item("b", "2")], list: 0, isFromPublicServer: true))
    #expect(change.added == change.listed && change.added.count == 2 && change.changed.isEmpty && records.count == 2)
    let id = change.added[1]
    #expect(records.name(of: id).map(Array.init) == Array("Tb".utf8) && records.size(of: id)?.width == 3)
    #expect(records.time(of: id) == 5 && records.isRead(id) && records.byteCount(of: id) == 0 && !records.isComputed)
    #expect(records.format(of: id) == nil && records.failure(of: id) == nil && records.folder(of: id) == nil)
    #expect(records.imageSource(of: id) == .remote(RemoteImage(address: "http://a/2", isFromPublicServer: true)))
    let unknown = PhotoID(rawValue: 3)
    #expect(records.imageSource(of: unknown) == nil && records.name(of: unknown) == nil && !records.isRead(unknown))
    #expect(records.imageSource(of: PhotoID(rawValue: 0)) == nil)
  }

  @Test("Reading a manifest again reports the items that differ, and keeps the identifiers of the others")
  func readingAgain() throws {
    var records = ManifestRecords()
    let first = records.apply(.entries([try item("a", "1"), try item("b", "2")], list: 0, isFromPublicServer: false))
      .added
    let version = records.version(of: first[1])
    records.beginScan()
    let change = records.apply(
      .entries(
        [try item("c", "3"), try item("b", "9"), try item("a", "1")], list: 0, isFromPublicServer: false))
    #expect(change.listed == [PhotoID(rawValue: 3), first[1], first[0]] && change.added == [PhotoID(rawValue: 3)])
    #expect(change.changed == [first[1]] && records.version(of: first[1]) != version)
    #expect(records.apply(.finished(ScanSummary())).isEmpty)
  }

  @Test("Texts that change are replaced, and take no memory later")
  func changingTexts() throws {
    var records = ManifestRecords()
    let padding = String(repeating: "x", count: 8_000)
    var sizes: [Int] = []
    for round in 0..<6 {
      // The first ten have no identifiers, for which their addresses stand.
      let items = try (0..<200).map { number in
        let url = try #require(RemoteURL("http://a/\(number)/\(number < 10 ? 0 : round)/" + padding))
        return ManifestItem(id: number < 10 ? url.text : "\(number)", url: url, title: "T\(round)")
      }
      let change = records.apply(.entries(items, list: 0, isFromPublicServer: false))
      #expect(change.added.count == (round == 0 ? 200 : 0) && change.changed.count == (round == 0 ? 0 : 200))
      #expect(change.listed.map { records.item(for: $0) } == items)
      sizes.append(records.bytesPerItem)
    }
    #expect(try #require(sizes.max()) < 4 * sizes[0])
  }

  @Test("Items of two manifests are distinct, even if their identifiers are equal")
  func equalIdentifiers() throws {
    var records = ManifestRecords()
    var listed: [PhotoID] = []
    for _ in 0..<2 {
      listed = []
      for list in 0..<2 {
        let event = LibraryEvent.entries([try item("1", "list\(list)")], list: list, isFromPublicServer: false)
        let change = records.apply(event)
        #expect(change.changed.isEmpty, "the manifest has not changed")
        listed += change.listed
      }
    }
    #expect(records.count == 2 && Set(listed).count == 2)
    #expect(listed.map { records.item(for: $0)?.url?.text } == ["http://a/list0", "http://a/list1"])
  }
}
