import CollectionUI
import Testing
import VitrineCollectionEngine
import VitrineDiffableData
import VitrineFramePacing
import VitrinePhotoLibrary
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@testable import VitrineGalleryUI

@Suite("Paths that are dropped on the window are opened in the background")
struct LibraryOpeningTests {
  private func gallery(_ opener: FakeOpener) throws -> GalleryFixture {
    let feed = FakeFeed()
    feed.appendBatch(feed.photos(40, byteCount: 2_000_000), FakeFeed.end)
    let gallery = try GalleryFixture(feed)
    gallery.screen.opener = opener
    gallery.harness.runUntilIdle()
    return gallery
  }

  private func showsDetail(_ text: String, _ gallery: GalleryFixture) -> Bool {
    !gallery.harness.drawnTexts([text], in: Theme.detailStyle).isEmpty
  }

  /// Supplies the opener's result, which wakes the loop.
  private func finishOpening(_ result: LibraryOpenResult, _ opener: FakeOpener, _ gallery: GalleryFixture) {
    opener.result = result
    gallery.harness.runUntilIdle()
  }

  @Test("While paths are being opened the library stays and the bar shows a notice, and a failure changes nothing")
  func failure() throws {
    let opener = FakeOpener()
    let gallery = try gallery(opener)
    for key: Key in [.right, .right, .enter] {
      gallery.harness.sendEvent(.keyDown(key, modifiers: [], isRepeat: false))
      gallery.harness.runUntilIdle()
    }
    gallery.harness.sendEvent(.filesDropped([Array("/asleep".utf8)]))
    gallery.harness.run(milliseconds: 30_000)
    #expect(opener.openedPaths == [[Array("/asleep".utf8)]] && gallery.library.count == 40)
    #expect(showsDetail("Opening…", gallery) && gallery.screen.viewer.state?.isOpen == true)
    let frames = gallery.harness.display.presentedFrames
    gallery.harness.run(milliseconds: 30_000)
    #expect(gallery.harness.display.presentedFrames == frames, "waiting draws no frames")
    gallery.harness.sendEvent(.filesDropped([Array("/nowhere".utf8)]))
    gallery.harness.run(frames: 1)
    opener.result = .failure("nowhere: no such file or folder")
    gallery.harness.run(milliseconds: 100)
    #expect(opener.openedPaths.count == 2 && gallery.library.count == 40)
    #expect(showsDetail("nowhere: no such file or folder", gallery) && !showsDetail("Opening…", gallery))
    #expect(gallery.screen.viewer.state?.isOpen == true)
    gallery.harness.sendEvent(.filesDropped([]))
    gallery.harness.run(milliseconds: 100)
    #expect(opener.openedPaths.count == 2)
  }

  private func press(_ key: Key, _ gallery: GalleryFixture, _ modifiers: KeyModifiers = []) {
    gallery.harness.sendEvent(.keyDown(key, modifiers: modifiers, isRepeat: false))
    gallery.harness.run(milliseconds: 100)
  }

  @Test("Meanwhile the bar shows typed text and the selection, Escape cancels, and a late result is ignored")
  func cancelled() throws {
    let opener = FakeOpener()
    let gallery = try gallery(opener)
    press(.character("a"), gallery, .control)
    gallery.harness.sendEvent(.filesDropped([Array("/dead".utf8)]))
    gallery.harness.run(milliseconds: 100)
    #expect(showsDetail("Opening…", gallery) && showsDetail("40 of 40 selected, 80.0 MB", gallery))
    gallery.type("z")
    #expect(showsDetail("No name begins with “z”", gallery) && !showsDetail("Opening…", gallery))
    press(.escape, gallery)
    #expect(showsDetail("Opening…", gallery) && opener.cancelCount == 0, "Escape clears the typed text")
    press(.escape, gallery)
    #expect(!showsDetail("Opening…", gallery) && opener.cancelCount == 1)
    #expect(gallery.screen.grid.selection.items.count == 40, "Escape cancels the opening alone")
    // A result after the cancellation.
    let lateFeed = FakeFeed()
    lateFeed.appendBatch(lateFeed.photos(7) { "LATE_\($0).JPG" }, FakeFeed.end)
    finishOpening(.success(lateFeed, pathToReveal: nil), opener, gallery)
    #expect(gallery.library.count == 40)
    press(.escape, gallery)
    #expect(gallery.screen.grid.selection.items.isEmpty && opener.cancelCount == 1)
    // Another drop waits for its own result.
    gallery.harness.sendEvent(.filesDropped([Array("/other".utf8)]))
    gallery.harness.run(milliseconds: 100)
    #expect(showsDetail("Opening…", gallery) && gallery.library.count == 40 && opener.openedPaths.count == 2)
    let nextFeed = FakeFeed()
    nextFeed.appendBatch(nextFeed.photos(5) { "NEXT_\($0).JPG" }, FakeFeed.end)
    finishOpening(.success(nextFeed, pathToReveal: nil), opener, gallery)
    #expect(gallery.library.count == 5 && !showsDetail("Opening…", gallery))
  }

  @Test("A new library is shown from the start, with the requested photo selected and in view")
  func opened() throws {
    let opener = FakeOpener()
    let gallery = try gallery(opener)
    for key: Key in [.end, .enter] {
      gallery.harness.sendEvent(.keyDown(key, modifiers: [], isRepeat: false))
      gallery.harness.runUntilIdle()
    }
    let nextFeed = FakeFeed()
    nextFeed.title = "Other"
    nextFeed.appendBatch(nextFeed.photos(7) { "NEW_\($0).JPG" }, FakeFeed.end)
    gallery.harness.sendEvent(.filesDropped([Array("/pictures/NEW_5.JPG".utf8)]))
    gallery.harness.run(frames: 1)
    finishOpening(.success(nextFeed, pathToReveal: PhotoPath("/pictures/NEW_5.JPG")), opener, gallery)
    #expect(gallery.library.count == 7 && gallery.screen.viewer.state?.index == 5, "a file that is opened is shown")
    for key in [Key.right, .escape] {
      gallery.harness.sendEvent(.keyDown(key, modifiers: [], isRepeat: false))
      gallery.harness.runUntilIdle()
    }
    #expect(gallery.cells.map(\.name) == (0..<7).map { "NEW_\($0).JPG" })
    #expect(gallery.screen.grid.selection.items.ranges == [6..<7], "it was selected, and the selection follows")
    #expect(gallery.screen.isFullyShown)
    #expect(!gallery.harness.drawnTexts(["Other"], in: Theme.titleStyle).isEmpty)
  }
}

@Suite("The library opening controller, without a screen")
struct LibraryOpeningControllerTests {
  private final class Host: LibraryOpeningHost {
    var handlesEscape = false
    var notices: [String] = []
    var paths: [PhotoPath?] = []
    var changeCount = 0
    var openPaths: [PhotoPath] = []

    func open(_ feed: any LibraryFeed, pathToReveal: PhotoPath?) { paths.append(pathToReveal) }
    func showNotice(_ text: String) { notices.append(text) }
    func openingDidChange() { changeCount += 1 }
  }

  private let host = Host()
  private let opener = FakeOpener()
  private let controller = LibraryOpeningController()

  init() {
    controller.host = host
    controller.opener = opener
  }

  private func press(_ key: Key) -> Bool {
    controller.intercept(InputEvent(time: .zero, kind: .keyDown(key, modifiers: [], isRepeat: false)))
  }

  @Test("What is gone is left out of what Back opens")
  func goneFolder() {
    func open(_ path: String, _ result: LibraryOpenResult) {
      controller.openFiles([Array(path.utf8)])
      opener.result = result
      controller.openIfReady()
    }
    host.openPaths = [PhotoPath("/a")]
    open("/b", .success(FakeFeed(), pathToReveal: nil))
    host.openPaths = [PhotoPath("/b")]
    open("/c", .success(FakeFeed(), pathToReveal: nil))
    controller.goBack()
    #expect(opener.openedPaths.last == [Array("/b".utf8)])
    opener.result = .failure("gone")
    controller.openIfReady()
    controller.goBack()
    #expect(host.notices == ["gone"] && opener.openedPaths.last == [Array("/a".utf8)])
    opener.result = .success(FakeFeed(), pathToReveal: nil)
    controller.openIfReady()
    #expect(!controller.canGoBack)
  }

  @Test("A result is used once, and a failure is shown as a notice")
  func results() {
    controller.openFiles([[47]])
    controller.openIfReady()
    #expect(controller.isOpening && !controller.hasPendingResult && host.changeCount == 1)
    opener.result = .success(FakeFeed(), pathToReveal: PhotoPath("/a.jpg"))
    #expect(controller.hasPendingResult)
    controller.openIfReady()
    controller.openIfReady()
    #expect(host.paths == [PhotoPath("/a.jpg")] && !controller.isOpening)
    controller.openFiles([[47]])
    opener.result = .failure("no such file")
    controller.openIfReady()
    #expect(host.notices == ["no such file"] && host.paths.count == 1 && !controller.isOpening)
  }

  @Test("Escape cancels, after it has closed what is shown, and a result afterwards is not used")
  func cancels() {
    #expect(!press(.escape))
    controller.openFiles([[47]])
    host.handlesEscape = true
    #expect(!press(.escape) && controller.isOpening)
    host.handlesEscape = false
    #expect(!press(.enter) && press(.escape) && !controller.isOpening && opener.cancelCount == 1)
    opener.result = .success(FakeFeed(), pathToReveal: nil)
    controller.openIfReady()
    #expect(!controller.hasPendingResult && host.paths.isEmpty && !press(.escape) && opener.cancelCount == 1)
  }

  @Test("Without files nothing is opened, and without an opener a notice says so")
  func nothing() {
    controller.openFiles([])
    #expect(opener.openedPaths.isEmpty && !controller.isOpening)
    controller.opener = nil
    controller.openFiles([[47]])
    #expect(host.notices == ["Nothing can be opened here"] && !controller.isOpening)
  }
}
