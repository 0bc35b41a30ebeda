import CollectionUI
import FramePacing
import Geometry
import ImageMetadata
import ImagePipeline
import PhotoLibrary
import Rendering
import TestSupport
import Testing
import Views

@testable import GalleryUI

@Suite("A photograph that was seen once is never blank again")
struct PreviewTests {
  static func gallery(
    _ count: Int = 3_000, archive: PreviewArchive? = nil, cacheBytes: Int = 64 << 20,
    layout: GalleryLayoutKind = .grid
  ) throws -> Gallery {
    let feed = FakeFeed()
    feed.write(feed.photos(count), FakeFeed.end)
    return try Gallery(
      feed, decodeDelay: .milliseconds(200), layout: layout, archive: archive, cacheBytes: cacheBytes)
  }

  /// Shows the whole library, screen by screen, and waits until all of it is there.
  static func seeAll(_ gallery: Gallery) {
    gallery.stage.runUntilIdle()
    var offset = 0.0
    while offset < gallery.screen.grid.contentLength {
      gallery.screen.grid.scroll(to: offset, animated: false)
      gallery.stage.runUntilIdle()
      offset += gallery.screen.grid.bounds.height
    }
  }

  static func blank(_ gallery: Gallery) -> Int { gallery.pictures.count { $0.isBlank } }

  @Test("A jump in a known library shows a preview in every cell, in the first frame, and the picture when it comes")
  func knownLibrary() throws {
    let folder = try TemporaryFolder()
    let first = try PreviewArchive(directory: folder.path)
    first.waitUntilLoaded()
    let seen = try Self.gallery(300, archive: first)
    Self.seeAll(seen)
    #expect(seen.screen.blankCellMilliseconds > 0, "nothing was known of any")
    seen.library.writePreviews()
    first.close()

    let second = try PreviewArchive(directory: folder.path)
    defer { second.close() }
    second.waitUntilLoaded()
    let known = try Self.gallery(300, archive: second)
    known.stage.run(frames: 1)
    #expect(known.pictures.count > 6)
    let height = known.screen.grid.contentLength
    for fraction in [0.7, 0.2, 0.9, 0.5] {
      known.screen.grid.scroll(to: height * fraction, animated: false)
      known.stage.run(frames: 1)
      let frame = try #require(known.stage.display.frames.last)
      #expect(Gallery.fills(Theme.dark.placeholder, in: frame) == 0)
      #expect(Gallery.previews(in: frame) == known.pictures.count)
      #expect(known.pictures.allSatisfy { $0.isWaiting && !$0.isBlank })
    }
    #expect(known.pipeline.statistics.decoded == 0)
    known.stage.runUntilIdle()
    #expect(known.screen.isFullyShown)
    #expect(known.screen.placeholderCellMilliseconds > 0)
    #expect(known.screen.blankCellMilliseconds == 0)
    #expect(Gallery.previews(in: try #require(known.stage.display.frames.last)) == 0)
    #expect(known.pipeline.statistics.decodedOnRenderThread == 0)
  }

  @Test("What left memory is shown as it is remembered until it is decoded anew")
  func evicted() throws {
    // No more than the pictures on screen.
    let gallery = try Self.gallery(cacheBytes: 1)
    gallery.stage.runUntilIdle()
    gallery.screen.grid.scroll(to: 20_000, animated: false)
    gallery.stage.runUntilIdle()
    let before = gallery.pipeline.statistics.decoded
    let blankBefore = gallery.screen.blankCellMilliseconds
    gallery.stage.resources.textures.idleByteLimit = 0
    gallery.screen.grid.scroll(to: 0, animated: false)
    gallery.stage.run(frames: 1)
    #expect(gallery.pictures.allSatisfy { $0.isWaiting && $0.tinyPreview != nil })
    #expect(Self.blank(gallery) == 0)
    gallery.stage.runUntilIdle()
    #expect(gallery.pipeline.statistics.decoded > before)
    #expect(gallery.screen.isFullyShown)
    #expect(gallery.screen.blankCellMilliseconds == blankBefore)
  }

  @Test("What is on screen stays in memory whatever it may hold, and leaves when it leaves the screen")
  func pins() throws {
    let gallery = try Self.gallery(cacheBytes: 1)
    gallery.stage.runUntilIdle()
    let picture = try #require(gallery.pictures.first?.requestedSize?.bytesAtFourPerPixel)
    #expect(gallery.pipeline.statistics.cacheBytes == gallery.pictures.count * picture)
    gallery.screen.handleMemoryPressure()
    #expect(gallery.pipeline.statistics.cacheBytes == gallery.pictures.count * picture)
    for offset in [20_000.0, 3_000, 40_000] {
      gallery.screen.grid.scroll(to: offset, animated: false)
      gallery.stage.runUntilIdle()
      #expect(gallery.pipeline.statistics.cacheBytes == gallery.pictures.count * picture)
    }
    gallery.stage.resize(to: Size(width: 500, height: 300))
    gallery.stage.runUntilIdle()
    let other = try #require(gallery.pictures.first?.requestedSize?.bytesAtFourPerPixel)
    #expect(gallery.pipeline.statistics.cacheBytes == gallery.pictures.count * other)
  }

  @Test("Previews that are read after the first frames are shown as soon as they are there")
  func lateArchive() throws {
    let folder = try TemporaryFolder()
    let first = try PreviewArchive(directory: folder.path)
    first.waitUntilLoaded()
    let seen = try Self.gallery(40, archive: first)
    Self.seeAll(seen)
    seen.library.writePreviews()
    first.close()

    let archive = try PreviewArchive(directory: folder.path)
    defer { archive.close() }
    let gallery = try Self.gallery(40, archive: archive)
    gallery.stage.run(frames: 2)
    archive.waitUntilLoaded()
    gallery.stage.run(frames: 2)
    #expect(gallery.pipeline.statistics.decoded == 0)
    #expect(gallery.pictures.allSatisfy { $0.tinyPreview != nil })
    #expect(Self.blank(gallery) == 0)
  }

  @Test("A file that was changed is another picture: nothing is shown of the one before")
  func changedFile() throws {
    let feed = FakeFeed()
    feed.write(feed.photos(4))
    let gallery = try Gallery(feed, decodeDelay: .milliseconds(200))
    gallery.stage.runUntilIdle()
    let item = try #require(gallery.pictures.first?.item)
    #expect(gallery.library.tinyPreview(of: item) != nil)
    gallery.feed.write(
      .headers([
        HeaderResult(
          ordinal: 0, identity: FakeFeed.identity(0, version: 2), header: ImageHeader(format: .jpeg, storedSize: nil))
      ]))
    gallery.stage.run(frames: 2)
    #expect(gallery.library.tinyPreview(of: item) == nil)
  }

  @Test("What is remembered of its extent spares a justified row another layout when the file is read")
  func shapes() throws {
    let gallery = try Self.gallery(12, layout: .justified)
    let item = PhotoID(rawValue: 1)
    let file = FileFingerprint(device: 1, inode: 1, byteCount: 0, modificationNanoseconds: 1)
    let size = try #require(PixelSize(width: 300, height: 100))
    let bitmap = try Bitmap(size: size, isOpaque: true) { pixels in
      pixels.bindMemory(to: UInt32.self).update(repeating: 0xFF33_6699)
    }
    gallery.library.previews.recordPreview(TinyPreview(of: bitmap, pictureSize: size), of: file)
    gallery.stage.run(frames: 2)
    #expect(gallery.library.aspectRatios[item] == 3)
    #expect(gallery.library.aspectRatios[PhotoID(rawValue: 2)] == PhotoAspectRatios.defaultAspectRatio)
    #expect(gallery.library.catalogue.size(of: item) == nil)
  }
}
