import Testing
import VitrineFramePacing
import VitrineGeometry
import VitrinePhotoLibrary
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@testable import VitrineGalleryUI

@Suite("The viewer says that a picture is being decoded, if it takes a while")
struct DecodingNoticeTests {
  @Test("The notice appears half a second after something is pending, and vanishes with it")
  func notice() {
    func instant(_ milliseconds: Double) -> FrameInstant { .zero + .milliseconds(milliseconds) }
    var notice = DecodingNotice()
    #expect(notice.nextFrame == nil)
    notice.setPending(true, at: instant(10))
    notice.setPending(true, at: instant(200))
    #expect(notice.nextFrame == instant(510))
    let isEarly = notice.update(at: instant(500))
    #expect(!isEarly && !notice.isShown)
    let appears = notice.update(at: instant(510))
    #expect(appears && notice.isShown && notice.nextFrame == nil)
    notice.setPending(false, at: instant(900))
    #expect(!notice.isShown && notice.nextFrame == nil)
  }

  @Test("It is in the bar of the viewer", arguments: [100.0, 4_000])
  func bar(decodeMilliseconds: Double) throws {
    let feed = FakeFeed()
    feed.appendBatch(feed.photos(3), FakeFeed.end)
    let gallery = try GalleryFixture(feed, decodeDelay: .milliseconds(decodeMilliseconds))
    gallery.harness.run(milliseconds: 20_000)
    // Decoding begins at the time of the last frame.
    gallery.harness.run(frames: 1)
    for key in [Key.right, .enter] { gallery.harness.sendEvent(.keyDown(key, modifiers: [], isRepeat: false)) }
    let texts = ["Decoding…   1 of 3", "1 of 3"]
    var shown: Set<String> = []
    for _ in 0..<50 {
      gallery.harness.run(milliseconds: 40)
      for text in gallery.harness.drawnTexts(texts, in: Theme.detailStyle) { shown.insert(text.text) }
    }
    #expect(shown == Set(decodeMilliseconds > 1_000 ? texts : ["1 of 3"]))
    gallery.harness.runUntilIdle()
    #expect(gallery.harness.drawnTexts(texts, in: Theme.detailStyle).map(\.text) == ["1 of 3"])
  }
}
