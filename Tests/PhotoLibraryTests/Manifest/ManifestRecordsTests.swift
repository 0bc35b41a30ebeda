import Geometry
import ImagePipeline
import Testing

@testable import PhotoLibrary

@Suite("What is known of the pictures of a list")
struct ManifestRecordsTests {
  private func item(_ id: String, _ path: String, likes: Int? = nil) throws -> ManifestItem {
    ManifestItem(
      id: id, url: try #require(RemoteURL("http://a/" + path)), title: "T" + id, size: PixelSize(width: 3, height: 2),
      captureTime: 5, likes: likes)
  }

  @Test("everything is known at once, and no file is")
  func facts() throws {
    var records = ManifestRecords()
    let change = records.apply(.entries([try item("a", "1"), try item("b", "2")], list: 0, isFromPublicServer: true))
    #expect(change.added == change.listed && change.added.count == 2 && change.changed.isEmpty && records.count == 2)
    let id = change.added[1]
    #expect(records.name(of: id).map(Array.init) == Array("Tb".utf8) && records.size(of: id)?.width == 3)
    #expect(records.time(of: id) == 5 && records.isRead(id) && records.byteCount(of: id) == 0 && !records.isComputed)
    #expect(records.format(of: id) == nil && records.failure(of: id) == nil && records.folder(of: id) == nil)
    let url = try #require(RemoteURL("http://a/2"))
    #expect(records.imageSource(of: id) == .remote(RemoteRequest(url, isGivenByPublicServer: true)))
    let nobody = PhotoID(rawValue: 3)
    #expect(records.imageSource(of: nobody) == nil && records.name(of: nobody) == nil && !records.isRead(nobody))
    #expect(records.imageSource(of: PhotoID(rawValue: 0)) == nil)
  }

  @Test("a list that is read again changes what differs, and keeps the names of the rest")
  func again() throws {
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

  @Test("pictures of two lists are two, also where both call theirs the same")
  func equalNames() throws {
    var records = ManifestRecords()
    var listed: [PhotoID] = []
    for _ in 0..<2 {
      listed = []
      for list in 0..<2 {
        let event = LibraryEvent.entries([try item("1", "list\(list)")], list: list, isFromPublicServer: false)
        let change = records.apply(event)
        #expect(change.changed.isEmpty, "nothing differs from what the same list told")
        listed += change.listed
      }
    }
    #expect(records.count == 2 && Set(listed).count == 2)
    #expect(listed.map { records.item(for: $0)?.url?.text } == ["http://a/list0", "http://a/list1"])
  }
}
