import Geometry
import ImagePipeline
import Testing

@testable import PhotoLibrary

@Suite("The records of an album compute what is asked")
struct AlbumRecordsTests {
  /// Pictures as wide as their number tells, an hour apart.
  private struct Rulers: PictureAlbum {
    let side: PixelSize

    func title(at number: Int) -> String { "Ruler \(number)" }

    func size(at number: Int) -> PixelSize {
      PixelSize(width: number % 1_000 + 1, height: 10) ?? side
    }

    func captureTime(at number: Int) -> Int64 { Int64(number) * 3_600 }
  }

  private func rulers() throws -> AlbumRecords {
    AlbumRecords(Rulers(side: try #require(PixelSize(width: 1, height: 1))))
  }

  @Test("Everything follows from the number of a picture that was listed, and nothing is held")
  func facts() throws {
    var records = try rulers()
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

  @Test("What was not listed is not there; listing again takes nothing away")
  func listing() throws {
    var records = try rulers()
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

  @Test("Events of a scan of files change nothing")
  func scans() throws {
    var records = try rulers()
    let photo = FoundPhoto(ordinal: 0, folder: PhotoPath("/"), name: [0x61], identity: .unknown)
    #expect(records.apply(.found([photo])).isEmpty && records.apply(.finished(ScanSummary())).isEmpty)
    #expect(records.count == 0)
  }
}
