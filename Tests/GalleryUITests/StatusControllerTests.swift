import Glibc
import Testing
import VitrineFramePacing
@testable import VitrineGalleryUI
import VitrinePhotoLibrary
import VitrineViews

@Suite("The status controller, without a window")
struct StatusControllerTests {
  private let host = StatusDouble()
  private let feed = FakeFeed()
  private let library: LibraryModel
  private let controller: StatusController

  init() {
    library = LibraryModel(feed: feed)
    controller = StatusController(library: library, theme: .dark)
    controller.host = host
  }

  /// The title, the count and the status in the title bar.
  private var texts: [String] { controller.titleBar.subviews.compactMap { ($0 as? Label)?.text } }

  private func find(_ count: Int) {
    feed.appendBatch(feed.photos(count), FakeFeed.end)
    _ = library.takeChanges()
    controller.updateTexts()
  }

  @Test("The count gives way to the selection, whose size is shown once it is known")
  func counts() {
    find(2_048)
    #expect(texts == ["Holiday", "2,048 photographs", ""])
    host.failedCount = 3
    controller.updateTexts()
    #expect(texts[1] == "2,048 photographs, 3 cannot be shown")
    host.selectedCount = 7
    controller.updateTexts()
    #expect(texts[1] == "7 of 2,048 selected")
    host.selectedByteCount = 0
    controller.updateTexts()
    #expect(texts[1] == "7 of 2,048 selected", "files of unknown size")
    host.selectedByteCount = 12_400_000
    controller.updateTexts()
    #expect(texts[1] == "7 of 2,048 selected, 12.4 MB")
  }

  @Test("Of several activities the most urgent one is shown")
  func activities() {
    find(10)
    func status() -> String {
      controller.updateTexts()
      return texts[2]
    }
    host.thumbnailText = "Thumbnails: 1 of 10"
    #expect(status() == "Thumbnails: 1 of 10")
    library.requestSorting(by: .size)
    #expect(status() == "Sorting…")
    feed.activity = "Reading…"
    #expect(status() == "Reading…")
    host.isDecodingStopped = true
    #expect(status().hasPrefix("Decoding stopped"))
    host.isOpening = true
    #expect(status() == "Opening…")
    host.searchText = "Name: a"
    #expect(status() == "Name: a")
    controller.showNotice("Copied 1 path")
    #expect(status() == "Copied 1 path" && controller.noticeText == "Copied 1 path")
  }

  @Test("A notice disappears when it expires, and a later one extends the time")
  func notice() {
    find(1)
    controller.showNotice("one")
    host.now = host.now + .seconds(3)
    controller.showNotice("two")
    let expiry = host.now + Notice.duration
    #expect(texts[2] == "two" && controller.nextFrame == expiry && host.noticeChangeCount == 2)
    controller.update(at: expiry - .milliseconds(1))
    #expect(texts[2] == "two" && host.noticeChangeCount == 2)
    controller.update(at: expiry)
    #expect(
      texts[2] == "" && controller.noticeText == nil && controller.nextFrame == nil && host.noticeChangeCount == 3)
    controller.update(at: expiry + .seconds(1))
    #expect(host.noticeChangeCount == 3)
  }

  @Test("The view for an empty library is visible only after a scan that found nothing")
  func empty() {
    controller.updateTexts()
    #expect(controller.emptyView.isHidden, "the scan is running")
    find(0)
    #expect(!controller.emptyView.isHidden && texts[1] == "")
    library.open(FakeFeed(), pathToReveal: nil)
    controller.updateTexts()
    #expect(controller.emptyView.isHidden)
  }

  @Test("That a library is being read is shown only if it takes long, and until the first photograph")
  func loading() throws {
    controller.updateTexts()
    let instant = try #require(controller.nextFrame)
    #expect(instant > host.now)
    host.now = instant - .milliseconds(1)
    controller.update(at: host.now)
    controller.updateTexts()
    #expect(controller.emptyView.isHidden && controller.nextFrame == instant, "other changes do not postpone it")
    host.now = instant
    controller.update(at: instant)
    #expect(!controller.emptyView.isHidden && controller.emptyAction == nil && controller.nextFrame == nil)
    find(1)
    #expect(controller.emptyView.isHidden && controller.nextFrame == nil)
  }

  @Test("Folders that cannot be read are named, and the message stays closed until it is another one")
  func message() {
    let (first, second) = (
      ScanProblem(folder: PhotoPath("/a"), reason: .unmounted), ScanProblem(folder: PhotoPath("/b"), reason: .tooDeep)
    )
    feed.appendBatch(.problem(first))
    _ = library.takeChanges()
    controller.updateTexts()
    #expect(controller.messageBar.isHidden, "there are no photographs")
    find(1)
    let bar = controller.messageBar
    #expect(bar.text?.contains(first.description) == true && !bar.actionButton.isHidden && host.messageChangeCount == 1)
    bar.closeButton.press()
    controller.updateTexts()
    #expect(bar.isHidden && host.messageChangeCount == 2)
    feed.appendBatch(.problem(second))
    _ = library.takeChanges()
    controller.updateTexts()
    #expect(bar.text?.contains("1 other folder") == true)
  }

  @Test("A list that cannot be read to its end is a message, not a text in the title bar, which is too narrow for it")
  func brokenList() {
    feed.problem = "/lists/a.json: the list is not JSON any more after 2 pictures"
    controller.updateTexts()
    #expect(controller.messageBar.isHidden, "there are no photographs, and the empty view says it")
    find(1)
    #expect(controller.messageBar.text == "/lists/a.json: the list is not JSON any more after 2 pictures.")
    #expect(!controller.messageBar.actionButton.isHidden && !texts.contains { $0.contains("JSON") })
  }

  @Test("The message names the folder first, and says that photographs stay only if some of the folder are known")
  func problemTexts() {
    find(1)
    func text(_ folder: String, _ reason: ScanProblem.Reason) -> String? {
      feed.appendBatch(.problem(ScanProblem(folder: PhotoPath(folder), reason: reason)))
      _ = library.takeChanges()
      controller.updateTexts()
      return controller.messageBar.text
    }
    #expect(text("/other", .system(FileError(.open, code: ENOENT))) == "/other is not there (is its disk connected?).")
    feed.appendBatch(.relisted(FolderListing(folder: PhotoPath("/other"), ordinals: 0..<0)))
    _ = library.takeChanges()
    let kept = " The photographs stay as they are known from before."
    #expect(
      text("/pictures", .system(FileError(.open, code: ENOENT)))
        == "/pictures is not there (is its disk connected?)." + kept)
    #expect(text("/pictures", .system(FileError(.open, code: EACCES))) == "/pictures may not be read." + kept)
    #expect(text("/pictures", .system(FileError(.open, code: ENOTDIR))) == "/pictures is not a folder any more." + kept)
    // A problem with the folder that contains it replaces it.
    #expect(text("/", .unmounted) == "/ is not there: its disk was removed." + kept)
  }

  @Test("That the limit of watched folders is reached is said once the library is complete")
  func watchLimit() {
    feed.hasReachedWatchLimit = true
    feed.appendBatch(feed.photos(1))
    _ = library.takeChanges()
    controller.updateTexts()
    #expect(controller.messageBar.isHidden)
    find(1)
    #expect(controller.messageBar.text?.contains("max_user_watches") == true)
    #expect(controller.messageBar.actionButton.isHidden)
  }

  @Test("Folders that are left out are a message of their own, and no problem with photographs")
  func leftOutFolders() {
    let first = ScanProblem(folder: PhotoPath("/a/root"), reason: .linkToContainingFolder)
    feed.appendBatch(.problem(first), FakeFeed.end)
    _ = library.takeChanges()
    controller.updateTexts()
    #expect(library.emptyTexts.headline == "No pictures here" && library.emptyTexts.hint == "\(first).")
    #expect(texts[2] == "1 folder left out")
  }

  @Test("Several folders that are left out come after one that cannot be read")
  func leftOutAndUnreadable() {
    let first = ScanProblem(folder: PhotoPath("/a/root"), reason: .linkToContainingFolder)
    feed.appendBatch(.problem(first), .problem(ScanProblem(folder: PhotoPath("/proc"), reason: .kernelFileSystem)))
    _ = library.takeChanges()
    find(1)
    #expect(controller.messageBar.text == "\(first), and 1 other folder is left out.")
    #expect(controller.messageBar.actionButton.isHidden && texts[2] == "2 folders left out")
    let unread = ScanProblem(folder: PhotoPath("/b"), reason: .tooDeep)
    feed.appendBatch(.problem(unread))
    _ = library.takeChanges()
    controller.updateTexts()
    #expect(controller.messageBar.text == "\(unread)." && texts[2] == "1 folder could not be read")
    #expect(!controller.messageBar.actionButton.isHidden)
  }

  @Test("While everything on the computer is read, a message says so and can stop it")
  func wholeFileSystem() {
    feed.readsWholeFileSystem = true
    var action: LibraryMessage.Action?
    controller.messageBar.onAction = { action = $0 }
    feed.appendBatch(feed.photos(1))
    _ = library.takeChanges()
    controller.updateTexts()
    #expect(controller.messageBar.text?.hasPrefix("Everything on this computer is being read") == true)
    controller.messageBar.actionButton.action()
    #expect(action == .stopReading && controller.messageBar.actionButton.title == "Stop")
    library.stopReading()
    #expect(feed.stopCount == 1)
    find(1)
    #expect(controller.messageBar.isHidden)
  }

  @Test("Why no thumbnails are kept is a message, after what concerns the photographs, until it is closed")
  func storageFault() {
    host.storageFault = "the cache folder /a is on a read-only file system"
    feed.hasReachedWatchLimit = true
    find(1)
    #expect(
      controller.messageBar.text
        == "Thumbnails are not kept: the cache folder /a is on a read-only file system. Another folder is chosen with --cache-dir."
    )
    #expect(controller.messageBar.actionButton.isHidden)
    let problem = ScanProblem(folder: PhotoPath("/b"), reason: .tooDeep)
    feed.appendBatch(.problem(problem))
    _ = library.takeChanges()
    controller.updateTexts()
    #expect(controller.messageBar.text?.hasPrefix("\(problem).") == true)
  }
}

private final class StatusDouble: StatusHost {
  var now = FrameInstant.zero + .seconds(10)
  var failedCount = 0
  var selectedCount = 0
  var selectedByteCount: Int64?
  var searchText: String?
  var matchCount: Int?
  var isOpening = false
  var isDecodingStopped = false
  var thumbnailText: String?
  private(set) var noticeChangeCount = 0

  private(set) var messageChangeCount = 0
  var canChooseFolder = false
  var storageFault: String?

  func noticeDidChange() { noticeChangeCount += 1 }

  func messageBarDidChange() { messageChangeCount += 1 }
}
