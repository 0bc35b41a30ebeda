import CollectionEngine
import CollectionUI
import DiffableData
import PhotoLibrary
import Rendering
import TestSupport
import Testing
import Views

@testable import GalleryUI

@Suite("What is dropped on the window is opened once it was looked at")
struct DroppingTests {
  private func gallery(_ opener: FakeOpener) throws -> Gallery {
    let feed = FakeFeed()
    feed.write(feed.photos(40, byteCount: 2_000_000), FakeFeed.end)
    let gallery = try Gallery(feed)
    gallery.screen.opener = opener
    gallery.stage.runUntilIdle()
    return gallery
  }

  private func says(_ text: String, _ gallery: Gallery) -> Bool {
    !gallery.stage.drawnTexts([text], in: Theme.detailStyle).isEmpty
  }

  /// The opener has found out; it wakes the loop.
  private func tell(_ outcome: LibraryOpenResult, _ opener: FakeOpener, _ gallery: Gallery) {
    opener.outcome = outcome
    gallery.stage.runUntilIdle()
  }

  @Test("Until that is known what is shown stays, and the bar says so; a place that cannot be opened changes nothing")
  func refused() throws {
    let opener = FakeOpener()
    let gallery = try gallery(opener)
    for key: Key in [.right, .right, .enter] {
      gallery.stage.sendEvent(.keyDown(key, modifiers: [], isRepeat: false))
      gallery.stage.runUntilIdle()
    }
    gallery.stage.sendEvent(.filesDropped([Array("/asleep".utf8)]))
    gallery.stage.run(milliseconds: 30_000)
    #expect(opener.asked == [[Array("/asleep".utf8)]] && gallery.library.count == 40)
    #expect(says("Opening…", gallery) && gallery.screen.viewer?.isOpen == true)
    let frames = gallery.stage.display.presentedFrames
    gallery.stage.run(milliseconds: 30_000)
    #expect(gallery.stage.display.presentedFrames == frames, "waiting for it costs no frame")
    gallery.stage.sendEvent(.filesDropped([Array("/nowhere".utf8)]))
    gallery.stage.run(frames: 1)
    opener.outcome = .failure("nowhere: no such file or folder")
    gallery.stage.run(milliseconds: 100)
    #expect(opener.asked.count == 2 && gallery.library.count == 40)
    #expect(says("nowhere: no such file or folder", gallery) && !says("Opening…", gallery))
    #expect(gallery.screen.viewer?.isOpen == true)
    gallery.stage.sendEvent(.filesDropped([]))
    gallery.stage.run(milliseconds: 100)
    #expect(opener.asked.count == 2)
  }

  private func press(_ key: Key, _ gallery: Gallery, _ modifiers: KeyModifiers = []) {
    gallery.stage.sendEvent(.keyDown(key, modifiers: modifiers, isRepeat: false))
    gallery.stage.run(milliseconds: 100)
  }

  @Test("While nobody answers the bar tells what is typed and selected; Escape ends that, and what comes then is late")
  func givenUp() throws {
    let opener = FakeOpener()
    let gallery = try gallery(opener)
    press(.character("a"), gallery, .control)
    gallery.stage.sendEvent(.filesDropped([Array("/dead".utf8)]))
    gallery.stage.run(milliseconds: 100)
    #expect(says("Opening…", gallery) && says("40 of 40 selected, 80.0 MB", gallery))
    gallery.type("z")
    #expect(says("No name begins with “z”", gallery) && !says("Opening…", gallery))
    press(.escape, gallery)
    #expect(says("Opening…", gallery) && opener.givenUp == 0, "Escape ended the typing")
    press(.escape, gallery)
    #expect(!says("Opening…", gallery) && opener.givenUp == 1)
    #expect(gallery.screen.grid.selection.items.count == 40, "and that the waiting")
    // An answer after all, by an opener that is late.
    let late = FakeFeed()
    late.write(late.photos(7) { "LATE_\($0).JPG" }, FakeFeed.end)
    tell(.success(late, wanted: nil), opener, gallery)
    #expect(gallery.library.count == 40)
    press(.escape, gallery)
    #expect(gallery.screen.grid.selection.items.isEmpty && opener.givenUp == 1)
    // Another drop is waited for on its own.
    gallery.stage.sendEvent(.filesDropped([Array("/other".utf8)]))
    gallery.stage.run(milliseconds: 100)
    #expect(says("Opening…", gallery) && gallery.library.count == 40 && opener.asked.count == 2)
    let next = FakeFeed()
    next.write(next.photos(5) { "NEXT_\($0).JPG" }, FakeFeed.end)
    tell(.success(next, wanted: nil), opener, gallery)
    #expect(gallery.library.count == 5 && !says("Opening…", gallery))
  }

  @Test("Others are shown from the beginning, with the one that was meant selected and in view")
  func opened() throws {
    let opener = FakeOpener()
    let gallery = try gallery(opener)
    for key: Key in [.end, .enter] {
      gallery.stage.sendEvent(.keyDown(key, modifiers: [], isRepeat: false))
      gallery.stage.runUntilIdle()
    }
    let next = FakeFeed()
    next.title = "Other"
    next.write(next.photos(7) { "NEW_\($0).JPG" }, FakeFeed.end)
    gallery.stage.sendEvent(.filesDropped([Array("/pictures/NEW_5.JPG".utf8)]))
    gallery.stage.run(frames: 1)
    tell(.success(next, wanted: PhotoPath("/pictures/NEW_5.JPG")), opener, gallery)
    #expect(gallery.screen.viewer == nil && gallery.library.count == 7)
    #expect(gallery.cells.map(\.name) == (0..<7).map { "NEW_\($0).JPG" })
    #expect(gallery.screen.grid.selection.items.ranges == [5..<6])
    #expect(gallery.screen.isFullyShown)
    #expect(!gallery.stage.drawnTexts(["Other"], in: Theme.titleStyle).isEmpty)
  }
}
