import Foundation
import Glibc
import Testing
import VitrineDataStructures
import VitrineDecodingProtocol
import VitrineImageMetadata
@testable import VitrineImagePipeline
@testable import VitrineImageStore
import VitrineTestSupport

@Suite("Thumbnail store")
struct ThumbnailStoreTests {
  @Test("A store without a usable folder accepts thumbnails without storing them, and can be closed twice")
  func withoutFolder() throws {
    let folder = try TemporaryFolder()
    try folder.write([1], to: "file")
    let store = try ThumbnailStore(StorageConfiguration(directory: folder.pathBytes(of: "file")))
    #expect(store.pixels(for: NumberedThumbnail.name(1)) == nil)
    store.insertPixels(try NumberedThumbnail.picture(1), for: NumberedThumbnail.name(1))
    #expect(!store.insert(NumberedThumbnail.compressed(1), of: NumberedThumbnail.version(1)))
    store.close(within: .seconds(60))
    store.close(within: .seconds(60))
    #expect(store.status.fault == "the cache folder \(folder.path(of: "file")) is not a folder, or is within a file")
  }

  @Test("Waiting thumbnails are written when a store is closed, and the next store reads them")
  func writesBeforeClosing() throws {
    let folder = try TemporaryFolder()
    let configuration = StorageConfiguration(directory: folder.pathBytes)
    let store = try ThumbnailStore(configuration)
    for number in 0..<50 {
      store.insertPixels(try NumberedThumbnail.picture(number), for: NumberedThumbnail.name(number))
      #expect(store.insert(NumberedThumbnail.compressed(number), of: NumberedThumbnail.version(number)))
    }
    store.close(within: .seconds(60))
    store.insertPixels(try NumberedThumbnail.picture(99), for: NumberedThumbnail.name(99))
    #expect(store.status.written == 100 && store.status.count == 100 && store.status.fault == nil)
    let next = try ThumbnailStore(configuration)
    for number in 0..<50 {
      #expect(
        next.pixels(for: NumberedThumbnail.name(number))?.sourceSize
          == (try NumberedThumbnail.picture(number)).sourceSize)
      let compressed = next.compressedThumbnail(of: NumberedThumbnail.version(number))
      #expect(compressed == NumberedThumbnail.compressed(number))
    }
    #expect(next.pixels(for: NumberedThumbnail.name(99)) == nil)
    next.removeCompressedThumbnail(of: NumberedThumbnail.version(7))
    next.close(within: .seconds(60))
    #expect(next.compressedThumbnail(of: NumberedThumbnail.version(7)) == nil && next.status.count == 99)
  }

  @Test("Thumbnails of unknown origin are not stored, and what was stored by a former decoder is counted and replaced")
  func rejected() throws {
    let folder = try TemporaryFolder()
    do {
      let (shown, compressed) = (
        try PixelThumbnails(in: folder.pathBytes, byteLimit: 1 << 24),
        try CompressedThumbnails(in: folder.pathBytes, byteLimit: 1 << 24)
      )
      try shown.add([1])
      try compressed.add([1])
    }
    var configuration = StorageConfiguration(directory: folder.pathBytes)
    configuration.securityFixes = SecurityFixes([SecurityFix(version: 2, formats: [.jpeg])])
    let store = try ThumbnailStore(configuration)
    let version = NumberedThumbnail.version(1)
    #expect(store.presenceOfCompressedThumbnail(for: version.fingerprint) == .rejected)
    #expect(store.pixels(for: NumberedThumbnail.name(1)) == nil && store.compressedThumbnail(of: version) == nil)
    #expect(store.status.rejected == 2)
    for origin in [
      nil, DecoderOrigin([.jpeg], version: 1, layers: .all), DecoderOrigin([.heic], version: 2, layers: []),
    ] {
      store.insertPixels(try NumberedThumbnail.picture(2, origin: origin), for: NumberedThumbnail.name(1))
      #expect(store.insert(NumberedThumbnail.compressed(2, origin: origin), of: version))
    }
    let origin = DecoderOrigin([.jpeg], version: 2, layers: .all)
    store.insertPixels(try NumberedThumbnail.picture(3, origin: origin), for: NumberedThumbnail.name(1))
    #expect(store.insert(NumberedThumbnail.compressed(3, origin: origin), of: version))
    store.close(within: .seconds(60))
    #expect(store.status.written == 2 && store.status.count == 2)
    let next = try ThumbnailStore(configuration)
    #expect(next.pixels(for: NumberedThumbnail.name(1))?.origin == origin)
    #expect(next.compressedThumbnail(of: version) == NumberedThumbnail.compressed(3, origin: origin))
    #expect(next.status.rejected == 0)
    next.close(within: .seconds(60))
  }

  @Test("A compressed thumbnail of another version is removed when it is looked for")
  func outdated() throws {
    let folder = try TemporaryFolder()
    let configuration = StorageConfiguration(directory: folder.pathBytes)
    let thumbnails = try CompressedThumbnails(in: folder.pathBytes, byteLimit: 1 << 20)
    try thumbnails.add(0..<2)
    let store = try ThumbnailStore(configuration)
    #expect(store.compressedThumbnail(of: NumberedThumbnail.version(0, changed: 9)) == nil)
    #expect(store.compressedThumbnail(of: NumberedThumbnail.version(1)) != nil)
    store.close(within: .seconds(60))
    #expect(thumbnails.count == 1)
  }

  @Test("If one file cannot be opened, the other is used")
  func oneFile() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path(of: PixelThumbnails.schema.fileName), withIntermediateDirectories: false)
    let store = try ThumbnailStore(StorageConfiguration(directory: folder.pathBytes))
    store.insertPixels(try NumberedThumbnail.picture(1), for: NumberedThumbnail.name(1))
    #expect(store.pixels(for: NumberedThumbnail.name(1)) == nil && store.status.fault != nil)
    #expect(store.insert(NumberedThumbnail.compressed(1), of: NumberedThumbnail.version(1)))
    store.close(within: .seconds(60))
    #expect(try CompressedThumbnails(in: folder.pathBytes, byteLimit: 1 << 20).count == 1)
  }

  @Test("The files of earlier versions are removed, and nothing else")
  func formerFiles() throws {
    let folder = try TemporaryFolder()
    for name in ["previews-1.log", "thumbnails-1/1.pixels", "thumbnails-1/1.list.unreadable", "other"] {
      try FileManager.default.createDirectory(
        atPath: folder.path(of: "thumbnails-1"), withIntermediateDirectories: true)
      try folder.write([1], to: name)
    }
    try ThumbnailStore(StorageConfiguration(directory: folder.pathBytes)).close(within: .seconds(60))
    #expect(!folder.contains("previews-1.log") && !folder.contains("thumbnails-1") && folder.contains("other"))
  }
}

@Suite("Shown thumbnails")
struct ShownThumbnailsTests {
  @Test("The oldest are taken first, at least one, and not more than the given bytes")
  func takesOldest() throws {
    var shown = ShownThumbnails(byteLimit: 1_000)
    for number in 0..<5 {
      shown.insert(try NumberedThumbnail.picture(number, 5, 5), for: NumberedThumbnail.name(number))
    }
    #expect(shown.takeItems(atMost: 10).map(\.key) == [NumberedThumbnail.name(0)])
    #expect(shown.takeItems(atMost: 250).map(\.key) == [1, 2].map(NumberedThumbnail.name))
    #expect(!shown.isEmpty && shown.insertionCount == 5)
    #expect(shown.takeItems(atMost: .max).map(\.key) == [3, 4].map(NumberedThumbnail.name))
    #expect(shown.isEmpty && shown.takeItems(atMost: 10).isEmpty)
  }

  @Test("Above the limit the oldest are removed")
  func overflow() throws {
    var shown = ShownThumbnails(byteLimit: 250)
    for number in 0..<5 {
      shown.insert(try NumberedThumbnail.picture(number, 5, 5), for: NumberedThumbnail.name(number))
    }
    #expect(shown.count == 2 && shown.insertionCount == 5)
    #expect(shown.takeItems(atMost: .max).map(\.key) == [3, 4].map(NumberedThumbnail.name))
    shown.insert(try NumberedThumbnail.picture(9, 5, 5), for: NumberedThumbnail.name(9))
    shown.removeAll()
    #expect(shown.isEmpty)
  }
}
