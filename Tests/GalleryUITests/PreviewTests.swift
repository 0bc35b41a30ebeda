import CollectionUI
import Testing
import VitrineFramePacing
import VitrineGeometry
import VitrineImageMetadata
import VitrineImagePipeline
import VitrineImageStore
import VitrinePhotoLibrary
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@testable import VitrineGalleryUI

@Suite("A photo that was shown once is never blank again")
struct PreviewTests {
  static func gallery(
    _ count: Int = 3_000, archive: PreviewArchive? = nil, cacheBytes: Int = 64 << 20,
    layout: GalleryLayoutKind = .grid
  ) throws -> GalleryFixture {
    let feed = FakeFeed()
    feed.appendBatch(feed.photos(count), FakeFeed.end)
    return try GalleryFixture(
      feed, decodeDelay: .milliseconds(200), layout: layout, archive: archive, cacheBytes: cacheBytes)
  }

  /// Scrolls through the whole library screen by screen, and waits for all pictures.
  static func scrollThroughAll(_ gallery: GalleryFixture) {
    gallery.harness.runUntilIdle()
    var offset = 0.0
    while offset < gallery.screen.grid.contentLength {
      gallery.screen.grid.scroll(to: offset, animated: false)
      gallery.harness.runUntilIdle()
      offset += gallery.screen.grid.bounds.height
    }
  }

  static func blankCellCount(_ gallery: GalleryFixture) -> Int { gallery.pictureCells.count { $0.isBlank } }

  @Test("A jump in a known library shows a preview in every cell in the first frame, and later the pictures")
  func knownLibrary() throws {
    let folder = try TemporaryFolder()
    let first = try PreviewArchive(directory: folder.pathBytes)
    first.waitUntilLoaded()
    let seen = try Self.gallery(300, archive: first)
    Self.scrollThroughAll(seen)
    #expect(seen.screen.blankCellMilliseconds > 0, "there are no previews yet")
    seen.library.writePreviews()
    first.close()

    let second = try PreviewArchive(directory: folder.pathBytes)
    defer { second.close() }
    second.waitUntilLoaded()
    let known = try Self.gallery(300, archive: second)
    known.harness.run(frames: 1)
    #expect(known.pictureCells.count > 6)
    let height = known.screen.grid.contentLength
    for fraction in [0.7, 0.2, 0.9, 0.5] {
      known.screen.grid.scroll(to: height * fraction, animated: false)
      known.harness.run(frames: 1)
      let frame = try #require(known.harness.display.frames.last)
      #expect(GalleryFixture.fillCount(Theme.dark.placeholder, in: frame) == 0)
      #expect(GalleryFixture.previewCount(in: frame) == known.pictureCells.count)
      #expect(known.pictureCells.allSatisfy { $0.isWaiting && !$0.isBlank })
    }
    #expect(known.pipeline.statistics.decoded == 0)
    known.harness.runUntilIdle()
    #expect(known.screen.isFullyShown)
    #expect(known.screen.placeholderCellMilliseconds > 0)
    #expect(known.screen.blankCellMilliseconds == 0)
    #expect(GalleryFixture.previewCount(in: try #require(known.harness.display.frames.last)) == 0)
    #expect(known.pipeline.statistics.decodedOnRenderThread == 0)
  }

  @Test("A picture that was evicted from memory shows its preview until it is decoded again")
  func evicted() throws {
    // The cache holds the pictures on screen alone.
    let gallery = try Self.gallery(cacheBytes: 1)
    gallery.harness.runUntilIdle()
    gallery.screen.grid.scroll(to: 20_000, animated: false)
    gallery.harness.runUntilIdle()
    let before = gallery.pipeline.statistics.decoded
    let blankBefore = gallery.screen.blankCellMilliseconds
    gallery.harness.resources.textures.idleByteLimit = 0
    gallery.screen.grid.scroll(to: 0, animated: false)
    gallery.harness.run(frames: 1)
    #expect(gallery.pictureCells.allSatisfy { $0.isWaiting && $0.tinyPreview != nil })
    #expect(Self.blankCellCount(gallery) == 0)
    gallery.harness.runUntilIdle()
    #expect(gallery.pipeline.statistics.decoded > before)
    #expect(gallery.screen.isFullyShown)
    #expect(gallery.screen.blankCellMilliseconds == blankBefore)
  }

  @Test("Pictures on screen stay in memory regardless of the limit, and are evicted when they leave the screen")
  func displayedPicturesStayCached() throws {
    let gallery = try Self.gallery(cacheBytes: 1)
    gallery.harness.runUntilIdle()
    let picture = try #require(gallery.pictureCells.first?.requestedSize?.bytesAtFourPerPixel)
    #expect(gallery.pipeline.statistics.cacheBytes == gallery.pictureCells.count * picture)
    gallery.screen.handleMemoryPressure()
    #expect(gallery.pipeline.statistics.cacheBytes == gallery.pictureCells.count * picture)
    for offset in [20_000.0, 3_000, 40_000] {
      gallery.screen.grid.scroll(to: offset, animated: false)
      gallery.harness.runUntilIdle()
      #expect(gallery.pipeline.statistics.cacheBytes == gallery.pictureCells.count * picture)
    }
    gallery.harness.resize(to: Size(width: 500, height: 300))
    gallery.harness.runUntilIdle()
    let other = try #require(gallery.pictureCells.first?.requestedSize?.bytesAtFourPerPixel)
    #expect(gallery.pipeline.statistics.cacheBytes == gallery.pictureCells.count * other)
  }

  @Test("Previews that are loaded after the first frames are shown immediately")
  func lateArchive() throws {
    let folder = try TemporaryFolder()
    let first = try PreviewArchive(directory: folder.pathBytes)
    first.waitUntilLoaded()
    let seen = try Self.gallery(40, archive: first)
    Self.scrollThroughAll(seen)
    seen.library.writePreviews()
    first.close()

    let archive = try PreviewArchive(directory: folder.pathBytes)
    defer { archive.close() }
    let gallery = try Self.gallery(40, archive: archive)
    gallery.harness.run(frames: 2)
    archive.waitUntilLoaded()
    gallery.harness.run(frames: 2)
    #expect(gallery.pipeline.statistics.decoded == 0)
    #expect(gallery.pictureCells.allSatisfy { $0.tinyPreview != nil })
    #expect(Self.blankCellCount(gallery) == 0)
  }

  @Test("A changed file does not show the preview of its previous version")
  func changedFile() throws {
    let feed = FakeFeed()
    feed.appendBatch(feed.photos(4))
    let gallery = try GalleryFixture(feed, decodeDelay: .milliseconds(200))
    gallery.harness.runUntilIdle()
    let item = try #require(gallery.pictureCells.first?.item)
    #expect(gallery.library.tinyPreview(of: item) != nil)
    gallery.feed.appendBatch(
      .headers([
        HeaderResult(
          ordinal: 0, identity: FakeFeed.identity(0, version: 2), header: ImageHeader(format: .jpeg, storedSize: nil))
      ]))
    gallery.harness.run(frames: 2)
    #expect(gallery.library.tinyPreview(of: item) == nil)
  }

  @Test("A size from the preview cache avoids another layout of a justified row when the file is read")
  func rememberedSizes() throws {
    let gallery = try Self.gallery(12, layout: .justified)
    let item = PhotoID(rawValue: 1)
    let file = FileFingerprint(device: 1, inode: 1, byteCount: 0, modificationNanoseconds: 1)
    let size = try #require(PixelSize(width: 300, height: 100))
    let bitmap = try Bitmap(size: size, isOpaque: true) { pixels in
      pixels.bindMemory(to: UInt32.self).update(repeating: 0xFF33_6699)
    }
    gallery.library.previews.recordPreview(TinyPreview(of: bitmap, pictureSize: size), of: file, origin: nil)
    gallery.harness.run(frames: 2)
    #expect(gallery.library.aspectRatios[item] == 3)
    #expect(gallery.library.aspectRatios[PhotoID(rawValue: 2)] == PhotoAspectRatios.defaultAspectRatio)
    #expect(gallery.library.catalogue.size(of: item) == nil)
  }
}
