import Testing
import VitrineDecodingProtocol
import VitrineGeometry
import VitrineImageMetadata
import VitrineImagePipeline
import VitrinePhotoLibrary
import VitrineRendering
import VitrineTestSupport

@testable import VitrineGalleryUI

@Suite("The texts, locations and pixel sources of photos are read from their records and previews")
struct PhotoDescriptionsTests {
  private var catalogue = PhotoCatalogue()
  private let previews = PhotoPreviewCache()
  private var items: [PhotoID] = []
  /// 3 July 2024, 17:05.
  private static let time: Int64 = 1_720_026_300

  init() { catalogue.datesByFile = false }

  private var descriptions: PhotoDescriptions { PhotoDescriptions(catalogue, previews: previews) }

  /// Adds a photo and returns its identifier.
  private mutating func add(
    _ name: String, folder: String = "/p", header: ImageHeader? = nil, failure: PhotoFailure? = nil
  ) throws -> PhotoID {
    let ordinal = UInt32(items.count)
    let identity = FakeFeed.identity(ordinal, byteCount: 70)
    let found = FoundPhoto(
      ordinal: ordinal, folder: PhotoPath(folder), name: Array(name.utf8), identity: identity, failure: failure)
    items += catalogue.apply(.found([found])).added
    if let header {
      _ = catalogue.apply(.headers([HeaderResult(ordinal: ordinal, identity: identity, header: header)]))
    }
    return try #require(items.last)
  }

  @Test("Dates, sizes and months are those of the header, and are empty or nil without one")
  mutating func headerTexts() throws {
    let read = try add(
      "a.jpg",
      header: ImageHeader(
        format: .jpeg, storedSize: PixelSize(width: 40, height: 30), captureTime: PhotoDescriptionsTests.time))
    #expect(descriptions.dateText(of: read) == "3 Jul 2024, 17:05")
    #expect(descriptions.dayText(of: read) == "3 July 2024")
    #expect(descriptions.extentText(of: read) == "40 × 30")
    #expect(
      descriptions.month(of: read) == .month(CalendarMonth(containing: PhotoDescriptionsTests.time)))
    let unread = try add("b.jpg")
    #expect(descriptions.dateText(of: unread).isEmpty && descriptions.extentText(of: unread).isEmpty)
    #expect(descriptions.dayText(of: unread) == nil && descriptions.month(of: unread) == .undated)
    #expect(descriptions.size(of: unread) == nil && descriptions.byteCount(of: unread) == 70)
  }

  @Test(
    "The initial is the uppercase first letter, or # for anything else",
    arguments: [
      ("élan.jpg", "É"), ("ßtrasse.jpg", "SS"), ("7.jpg", "#"), ("_a.jpg", "#"), ("日.jpg", "日"),
    ])
  mutating func initials(name: String, initial: String) throws {
    let item = try add(name)
    #expect(descriptions.initial(of: item) == initial && descriptions.caption(of: item) == name)
    #expect(descriptions.initial(of: PhotoID(rawValue: 99)) == nil, "unknown photos have no name")
    #expect(descriptions.caption(of: PhotoID(rawValue: 99)).isEmpty)
  }

  @Test("A photo that cannot be shown has a reason and no pixel source, but a location")
  mutating func failures() throws {
    let item = try add("a.jpg", failure: .brokenLink)
    #expect(descriptions.failure(of: item) == "broken link" && descriptions.reference(to: item) == nil)
    #expect(descriptions.location(of: item) == .file(Array("/p/a.jpg".utf8)))
    let valid = try add("b.jpg")
    #expect(descriptions.failure(of: valid) == nil && descriptions.reference(to: valid) != nil)
  }

  @Test("The reason of a format without a decoder names the format, if it is known")
  mutating func unsupportedFormats() throws {
    let unsupported = ImageFailure.refused(.unsupportedFormat)
    let known = try add("a.heic", header: ImageHeader(format: .heic, storedSize: nil))
    #expect(descriptions.failureText(for: unsupported, of: known) == "no preview for \(ImageFormat.heic.name)")
    #expect(descriptions.failureText(for: .decoderCrashed, of: known) == ImageFailure.decoderCrashed.description)
    let unread = try add("b.heic")
    #expect(descriptions.failureText(for: unsupported, of: unread) == unsupported.description)
  }

  @Test("The size comes from the header, or else from the preview, which belongs to a version of the file")
  mutating func previewSizes() throws {
    let item = try add("a.jpg")
    let size = try #require(PixelSize(width: 300, height: 100))
    let bitmap = try Bitmap(size: size, isOpaque: true) { pixels in
      pixels.bindMemory(to: UInt32.self).update(repeating: 0xFF33_6699)
    }
    let file = try #require(catalogue.fingerprint(of: item))
    #expect(descriptions.tinyPreview(of: item) == nil)
    previews.recordPreview(TinyPreview(of: bitmap, pictureSize: size), of: file, origin: nil)
    #expect(descriptions.tinyPreview(of: item) != nil && descriptions.size(of: item) == size)
    let other = try add("b.jpg")
    #expect(descriptions.tinyPreview(of: other) == nil)
    let stored = try #require(PixelSize(width: 60, height: 20))
    let read = try add("c.jpg", header: ImageHeader(format: .jpeg, storedSize: stored))
    previews.recordPreview(
      TinyPreview(of: bitmap, pictureSize: size), of: try #require(catalogue.fingerprint(of: read)),
      origin: nil)
    #expect(descriptions.size(of: read) == stored)
  }

  @Test("Pictures of an album have a pixel source and no location")
  func album() throws {
    let square = try #require(PixelSize(width: 9, height: 9))
    var records: any PhotoRecords = AlbumRecords(AlbumTests.CardAlbum(wide: square, square: square))
    _ = records.apply(.listed(upTo: 6))
    let descriptions = PhotoDescriptions(records, previews: previews)
    let item = AlbumRecords.id(ofNumber: 5)
    #expect(descriptions.reference(to: item)?.source == .generated(5))
    #expect(descriptions.location(of: item) == nil && descriptions.byteCount(of: item) == 0)
    #expect(descriptions.caption(of: item) == "Card 5" && descriptions.initial(of: item) == "C")
  }
}
