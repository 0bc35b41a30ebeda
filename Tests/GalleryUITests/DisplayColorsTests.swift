import CollectionUI
import Testing
import VitrineGeometry
import VitrineImagePipeline
import VitrinePhotoLibrary
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@testable import VitrineGalleryUI

@Suite("Pictures are shown in the colors of the window's display")
struct DisplayColorsTests {
  private let gallery: GalleryFixture
  private static let exchanged = ColorProfile(bytes: ICCProfileWriter(primaries: ICCProfileWriter.exchanged).bytes)

  /// A gallery of red photographs.
  init() throws {
    let feed = FakeFeed()
    feed.appendBatch(feed.photos(40), FakeFeed.end)
    gallery = try GalleryFixture(
      feed,
      makeOutcome: { request in
        guard
          let bitmap = try? Bitmap(
            size: request.key.size, isOpaque: true,
            { pixels in
              for offset in stride(from: 0, to: pixels.count, by: 4) {
                pixels.storeBytes(of: 0xFF00_00FF, toByteOffset: offset, as: UInt32.self)
              }
            })
        else { return .failure(.outOfMemory) }
        return .success(DecodedImage(bitmap: bitmap, sourceSize: request.key.size))
      })
    gallery.harness.runUntilIdle()
  }

  private func press(_ key: Key) {
    gallery.harness.sendEvent(.keyDown(key, modifiers: [], isRepeat: false))
    gallery.harness.runUntilIdle()
  }

  private func setProfile(_ profile: ColorProfile?) {
    gallery.screen.windowActions.colorProfile = { profile }
    gallery.harness.runUntilIdle()
  }

  /// The colors of the pictures in the last frame: red, green or both.
  private var shown: Set<String> { Set(shownColors) }

  /// The color of each picture in the last frame.
  private var shownColors: [String] {
    let display = gallery.harness.display
    let bitmaps = (display.frames.last?.commands ?? []).filter { $0.kind == .texture }.compactMap {
      display.bitmap(of: $0.texture)
    }
    return bitmaps.compactMap { bitmap in
      bitmap.withPixels { pixels in
        guard pixels[2] <= 1, pixels[3] == 255 else { return nil }
        return pixels[0] >= 254 && pixels[1] <= 1 ? "red" : pixels[0] <= 1 && pixels[1] >= 254 ? "green" : nil
      }
    }
  }

  @Test("The pictures of the grid are requested again when the profile is set, and when it is removed")
  func grid() {
    #expect(shown == ["red"] && gallery.pictureCells.count >= 4)
    let decoded = gallery.decoder.started.count
    setProfile(DisplayColorsTests.exchanged)
    #expect(shown == ["green"])
    #expect(gallery.decoder.started.count >= decoded + gallery.pictureCells.count)
    #expect(gallery.screen.pendingPictureCount == 0)
    // The rest of the library, which was prefetched or is not in memory.
    press(.end)
    #expect(shown == ["green"])
    press(.home)
    setProfile(nil)
    #expect(shown == ["red"])
  }

  @Test("The last pictures remain visible until the new ones are decoded")
  func transition() {
    gallery.screen.windowActions.colorProfile = { DisplayColorsTests.exchanged }
    let last = gallery.harness.display.presentedFrames
    while shown != ["green"], gallery.harness.display.presentedFrames < last + 200 {
      gallery.harness.run(frames: 1)
      #expect(shownColors.count >= gallery.pictureCells.count)
    }
    #expect(shown == ["green"])
  }

  @Test("An event of the window reads the profile again")
  func event() {
    var profile: ColorProfile?
    gallery.screen.windowActions.colorProfile = { profile }
    gallery.harness.runUntilIdle()
    profile = DisplayColorsTests.exchanged
    gallery.harness.runUntilIdle()
    #expect(shown == ["red"])
    gallery.harness.sendEvent(.colorProfileChanged)
    gallery.harness.runUntilIdle()
    #expect(shown == ["green"])
    let decoded = gallery.decoder.started.count
    gallery.harness.sendEvent(.colorProfileChanged)
    gallery.harness.runUntilIdle()
    #expect(gallery.decoder.started.count == decoded, "the profile is the same")
  }

  @Test("The viewer and its film strip show the new colors, whole and enlarged")
  func viewer() {
    press(.right)
    press(.enter)
    gallery.type("t")
    gallery.harness.runUntilIdle()
    #expect(shown == ["red"] && !gallery.screen.viewer.filmStrip.visibleCells.isEmpty)
    setProfile(DisplayColorsTests.exchanged)
    #expect(shown == ["green"])
    gallery.type("1")
    gallery.harness.runUntilIdle()
    #expect(shown == ["green"])
    setProfile(nil)
    #expect(shown == ["red"])
    press(.escape)
    #expect(shown == ["red"])
  }
}
