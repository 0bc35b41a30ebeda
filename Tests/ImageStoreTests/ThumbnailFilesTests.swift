import Foundation
import Glibc
import Testing
import VitrineDataStructures
import VitrineDecodingProtocol
import VitrineGeometry
import VitrineImageMetadata
@testable import VitrineImagePipeline
@testable import VitrineImageStore
import VitrineRendering
import VitrineTestSupport

@Suite("Pixels of thumbnails")
struct PixelThumbnailsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open(limit: Int = 16 << 20) throws -> PixelThumbnails {
    try PixelThumbnails(in: folder.pathBytes, byteLimit: limit)
  }

  @Test("Thumbnails are found immediately, also by other instances, pixel by pixel")
  func persists() throws {
    let (first, second) = (try open(), try open())
    try first.add(0..<40)
    try second.add([100], 100, 60)
    for number in 0..<40 { #expect(try first.hasThumbnail(number) && second.hasThumbnail(number)) }
    #expect(try first.hasThumbnail(100, 100, 60))
    #expect(try !first.hasThumbnail(41))
    #expect(first.count == 41 && second.count == 41)
  }

  @Test("A thumbnail that is stored again replaces the former one and is recent")
  func replaces() throws {
    let thumbnails = try open()
    try thumbnails.add(0..<20)
    #expect(!thumbnails.isRecent(NumberedThumbnail.name(0)) && thumbnails.isRecent(NumberedThumbnail.name(19)))
    #expect(!thumbnails.isRecent(NumberedThumbnail.name(99)))
    try thumbnails.add([0])
    #expect(thumbnails.isRecent(NumberedThumbnail.name(0)) && thumbnails.count == 20)
  }

  @Test("Above the limit the oldest are removed, and those that are stored again stay")
  func bounded() throws {
    let limit = 2 << 20
    let thumbnails = try open(limit: limit)
    for number in 0..<120 {
      try thumbnails.add([number], 120, 90)
      if !thumbnails.isRecent(NumberedThumbnail.name(0)) { try thumbnails.add([0], 120, 90) }
      #expect(thumbnails.byteCount <= limit)
    }
    let present = try (1..<120).filter { try thumbnails.hasThumbnail($0, 120, 90) }
    #expect(present.count > 20 && present == Array((120 - present.count)..<120))
    #expect(try thumbnails.hasThumbnail(0, 120, 90))
    // The file does not grow beyond the pages that are in use and those that were freed.
    #expect(try folder.byteCount(of: PixelThumbnails.schema.fileName) < limit * 3 / 2)
  }

  @Test("Images that are transparent or larger than an eighth of the limit are not stored")
  func unstorable() throws {
    let thumbnails = try open(limit: 32_000)
    #expect(thumbnails.canStore(try NumberedThumbnail.picture(1, 36, 36).bitmap))
    #expect(!thumbnails.canStore(try NumberedThumbnail.picture(1, 37, 37).bitmap))
    let transparent = try Bitmap(size: pixels(1, 1), isOpaque: false) {
      $0.initializeMemory(as: UInt8.self, repeating: 9)
    }
    #expect(!thumbnails.canStore(transparent))
  }
}

@Suite("Compressed thumbnails")
struct CompressedThumbnailsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open(limit: Int = 16 << 20) throws -> CompressedThumbnails {
    try CompressedThumbnails(in: folder.pathBytes, byteLimit: limit)
  }

  @Test("Thumbnails are found immediately, also by other instances, with all their data")
  func persists() throws {
    let (first, second) = (try open(), try open())
    try first.add(0..<50)
    for number in 0..<50 {
      let version = NumberedThumbnail.version(number)
      #expect(second.thumbnail(of: version) == NumberedThumbnail.compressed(number))
      #expect(second.presence(of: version.fingerprint) == .present)
    }
    #expect(second.thumbnail(of: NumberedThumbnail.version(50)) == nil)
    #expect(second.count == 50)
  }

  @Test("A file whose metadata has changed in place has no thumbnail until another is stored")
  func changedInPlace() throws {
    let thumbnails = try open()
    try thumbnails.add([1])
    let changed = NumberedThumbnail.version(1, changed: 1)
    #expect(thumbnails.thumbnail(of: changed) == nil && thumbnails.find(changed) == .outdated)
    #expect(thumbnails.find(NumberedThumbnail.version(2)) == .missing)
    try thumbnails.insert([(changed, NumberedThumbnail.compressed(2))])
    #expect(thumbnails.thumbnail(of: changed) == NumberedThumbnail.compressed(2))
    #expect(thumbnails.thumbnail(of: NumberedThumbnail.version(1)) == nil && thumbnails.count == 1)
  }

  @Test("Above the limit those that were stored first are removed")
  func bounded() throws {
    let limit = 1 << 20
    let thumbnails = try open(limit: limit)
    for start in stride(from: 0, to: 2_000, by: 50) {
      try thumbnails.add(start..<start + 50)
      #expect(thumbnails.byteCount <= limit)
    }
    let present = (0..<2_000).filter { thumbnails.thumbnail(of: NumberedThumbnail.version($0)) != nil }
    #expect(present.count > 300 && present == Array((2_000 - present.count)..<2_000))
  }

  @Test("A removed thumbnail is not found")
  func removes() throws {
    let thumbnails = try open()
    try thumbnails.add(0..<3)
    try thumbnails.remove([NumberedThumbnail.version(1), NumberedThumbnail.version(9)])
    #expect(thumbnails.thumbnail(of: NumberedThumbnail.version(1)) == nil && thumbnails.count == 2)
  }

  @Test("A thumbnail is sufficient if nothing is enlarged beyond the original")
  func sufficient() {
    func isSufficient(_ thumbnail: (Int, Int), of source: (Int, Int), for size: (Int, Int), _ fit: ImageFit) -> Bool {
      CompressedThumbnail(
        bytes: [1], size: pixels(thumbnail.0, thumbnail.1), sourceSize: pixels(source.0, source.1), background: nil,
        origin: nil
      ).isSufficient(for: fileRequest([1], source: 1, pixels(size.0, size.1), fit: fit))
    }
    #expect(isSufficient((320, 213), of: (6_000, 4_000), for: (213, 213), .fill))
    #expect(!isSufficient((320, 213), of: (6_000, 4_000), for: (200, 214), .fill))
    #expect(!isSufficient((320, 213), of: (6_000, 4_000), for: (214, 214), .fillWithoutEnlarging))
    #expect(isSufficient((320, 213), of: (6_000, 4_000), for: (320, 320), .fit))
    #expect(!isSufficient((320, 213), of: (6_000, 4_000), for: (321, 321), .fit))
    #expect(isSufficient((30, 20), of: (30, 20), for: (400, 400), .fit), "the original has no more pixels")
  }

  @Test("A thumbnail of a file with transparency matches requests with its background only")
  func background() {
    var request = fileRequest([1], source: 1, pixels(9, 9))
    request.background = 0x33_2211
    var thumbnail = NumberedThumbnail.compressed(1)
    #expect(thumbnail.background == nil && thumbnail.matches(request))
    thumbnail.background = 0x33_2211
    #expect(thumbnail.matches(request))
    thumbnail.background = 0x33_2212
    #expect(!thumbnail.matches(request))
  }
}

// MARK: - Origin

@Suite("Origin of stored thumbnails")
struct ThumbnailOriginTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open(_ fixes: SecurityFixes = .current) throws -> (PixelThumbnails, CompressedThumbnails) {
    (
      try PixelThumbnails(in: folder.pathBytes, byteLimit: 16 << 20, fixes: fixes),
      try CompressedThumbnails(in: folder.pathBytes, byteLimit: 16 << 20, fixes: fixes)
    )
  }

  private func insert(_ number: Int, _ origin: DecoderOrigin?) throws {
    let (pixels, compressed) = try open()
    try pixels.insert([(NumberedThumbnail.name(number), try NumberedThumbnail.picture(number, origin: origin))])
    try compressed.insert([
      (NumberedThumbnail.version(number), NumberedThumbnail.compressed(number, origin: origin))
    ])
  }

  /// Returns whether both files have a thumbnail of the given origin, or reject it.
  private func hasThumbnail(
    _ number: Int, _ origin: DecoderOrigin?, _ fixes: SecurityFixes = .current
  ) throws -> Bool {
    let (pixels, compressed) = try open(fixes)
    let version = NumberedThumbnail.version(number)
    switch (pixels.find(NumberedThumbnail.name(number)), compressed.find(version)) {
    case (.found(let shown), .found(let thumbnail)):
      #expect(shown.origin == origin && thumbnail.origin == origin)
      #expect(thumbnail == NumberedThumbnail.compressed(number, origin: origin))
      #expect(compressed.presence(of: version.fingerprint) == .present)
      #expect(compressed.thumbnail(for: version.fingerprint) != nil)
      return true
    case (.rejected, .rejected):
      #expect(compressed.presence(of: version.fingerprint) == .rejected)
      #expect(compressed.thumbnail(for: version.fingerprint) == nil && compressed.thumbnail(of: version) == nil)
      #expect(pixels.thumbnail(for: NumberedThumbnail.name(number)) == nil)
      return false
    default:
      Issue.record("the files differ")
      return false
    }
  }

  @Test("A thumbnail has the origin that it was stored with")
  func persists() throws {
    let origins = [
      DecoderOrigin([.heic], layers: .all), DecoderOrigin([.png], version: 7, layers: []),
      try #require(DecoderOrigin([.jpeg], layers: .all).derived(from: DecoderOrigin([.avif], layers: [.systemCalls]))),
    ]
    for (number, origin) in origins.enumerated() {
      try insert(number, origin)
      #expect(try hasThumbnail(number, origin))
    }
  }

  @Test("After a fix of its decoder a thumbnail is rejected until it is made again, and others are found")
  func fixed() throws {
    try insert(1, DecoderOrigin([.gif], version: 1, layers: .all))
    try insert(2, DecoderOrigin([.png], version: 1, layers: .all))
    let fixes = SecurityFixes([SecurityFix(version: 2, formats: [.gif])])
    #expect(try hasThumbnail(1, DecoderOrigin([.gif], version: 1, layers: .all)))
    #expect(try !hasThumbnail(1, nil, fixes))
    #expect(try hasThumbnail(2, DecoderOrigin([.png], version: 1, layers: .all), fixes))
    try insert(1, DecoderOrigin([.gif], version: 2, layers: .all))
    #expect(try hasThumbnail(1, DecoderOrigin([.gif], version: 2, layers: .all), fixes))
  }

  @Test("A thumbnail of unknown origin, or of a decoder that was not confined, is rejected")
  func unknown() throws {
    let origins = [nil, DecoderOrigin([], layers: .all), DecoderOrigin([.heic], layers: [.memory])]
    for (number, origin) in origins.enumerated() {
      try insert(number, origin)
      #expect(try !hasThumbnail(number, nil))
    }
  }

  @Test(
    "A damaged origin is none",
    arguments: ["0", "-1", "9223372036854775807", "'text'", "x'0102'", "1.5", "1 << 24", "1 << 20 | 1 << 24"])
  func damaged(value: String) throws {
    try insert(1, NumberedThumbnail.origin)
    for (schema, table) in [(PixelThumbnails.schema, "pixels"), (CompressedThumbnails.schema, "thumbnails")] {
      try StoreDatabase(schema, in: folder.pathBytes).write { session throws(SQLiteError) in
        try session.execute("UPDATE \(table) SET origin = \(value)")
      }
    }
    #expect(try !hasThumbnail(1, nil))
  }

  @Test("A file of the program before thumbnails had an origin is replaced")
  func formerFiles() throws {
    var former = PixelThumbnails.schema
    former.version = 1 << 16 | FileFingerprint.decodingVersion
    former.statements = [
      """
      CREATE TABLE pixels (
        key BLOB NOT NULL UNIQUE, width INTEGER NOT NULL, height INTEGER NOT NULL, sourceWidth INTEGER,
        sourceHeight INTEGER, data BLOB NOT NULL)
      """
    ]
    let picture = try NumberedThumbnail.picture(1)
    do {
      try StoreDatabase(former, in: folder.pathBytes).write { session throws(SQLiteError) in
        try session.execute(
          "INSERT INTO pixels VALUES (?1, 9, 7, 9, 7, ?2)",
          [.bytes(NumberedThumbnail.name(1).bytes), .bytes(OpaquePixels.packed(picture.bitmap))])
      }
    }
    let (pixels, _) = try open()
    #expect(pixels.isWritable && pixels.count == 0 && pixels.thumbnail(for: NumberedThumbnail.name(1)) == nil)
    try pixels.add([1])
    #expect(try pixels.hasThumbnail(1))
  }
}

// MARK: - Opaque pixels

@Suite("Opaque pixels")
struct OpaquePixelsTests {
  @Test(
    "Packed pixels are unpacked unchanged, for any count", arguments: [1, 2, 3, 4, 5, 7, 8, 63, 64, 1_025])
  func roundTrip(count: Int) throws {
    let bitmap = try NumberedThumbnail.picture(count, count, 1).bitmap
    let packed = OpaquePixels.packed(bitmap)
    let expected = bitmap.withPixels { pixels in pixels.indices.filter { $0 % 4 != 3 }.map { pixels[$0] } }
    #expect(packed == expected)
    let spread = try Bitmap(size: pixels(count, 1), isOpaque: true) { memory in
      for (offset, byte) in packed.enumerated() { memory[count + offset] = byte }
      OpaquePixels.unpack(in: memory)
    }
    #expect(spread.contentDigest == bitmap.contentDigest)
    // With the other channel order the stored bytes and the unpacked image are the same.
    #expect(OpaquePixels.packed(try bitmap.converted(to: .blueFirst)) == packed)
    let blueFirst = try Bitmap(size: pixels(count, 1), isOpaque: true, order: .blueFirst) { memory in
      for (offset, byte) in packed.enumerated() { memory[count + offset] = byte }
      OpaquePixels.unpack(in: memory, to: .blueFirst)
    }
    #expect(blueFirst.contentDigest == bitmap.contentDigest)
  }
}
