import CollectionUI
import Glibc
import Testing
import VitrineCollectionEngine
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineImageMetadata
import VitrineImagePipeline
import VitrinePhotoLibrary
import VitrineRendering
import VitrineTestSupport
import VitrineThreads
import VitrineViews

@testable import VitrineGalleryUI

@Suite("F5 rescans the folders and updates what has changed")
struct RescanTests {
  /// A library of one folder, whose files a test modifies and scans.
  private final class RescanFixture {
    var files: [(name: String, identity: FileIdentity)]
    let gallery: GalleryFixture
    let feed = FakeFeed()
    /// The number of photos per batch.
    private let batchSize: Int

    init(
      _ count: Int, batchSize: Int = 1_000,
      outcome: @escaping @Sendable (ImageRequest) -> ImageOutcome = { GatedDecoder.generatedImage(for: $0.key) }
    ) throws {
      files = (0..<count).map { ("IMG_\(10_000_000 + $0).JPG", FakeFeed.identity(UInt32($0))) }
      self.batchSize = batchSize
      gallery = try GalleryFixture(feed, makeOutcome: outcome)
      scan()
      gallery.harness.runUntilIdle()
    }

    func scan(problems: [ScanProblem] = [], cancelled: Bool = false) {
      var first = 0
      while first < files.count {
        let range = first..<min(files.count, first + batchSize)
        feed.appendBatch(
          .found(
            range.map {
              FoundPhoto(
                ordinal: UInt32($0), folder: PhotoPath("/pictures"), name: Array(files[$0].name.utf8),
                identity: files[$0].identity)
            }),
          .headers(
            range.map {
              HeaderResult(
                ordinal: UInt32($0), identity: files[$0].identity,
                header: ImageHeader(format: .jpeg, storedSize: PixelSize(width: 40, height: 30)))
            }))
        first = range.upperBound
      }
      for problem in problems { feed.appendBatch(.problem(problem)) }
      var summary = ScanSummary()
      summary.wasCancelled = cancelled
      feed.appendBatch(.finished(summary))
    }

    /// Presses F5, completes the scan, and returns the changes of the cell statistics and the number of decodes.
    func refresh(problems: [ScanProblem] = [], cancelled: Bool = false) -> (cells: CellStatistics, decodes: Int) {
      let (before, decoded) = (gallery.screen.grid.statistics, gallery.decoder.started.count)
      gallery.harness.sendEvent(.keyDown(.function(5), modifiers: [], isRepeat: false))
      gallery.harness.run(frames: 1)
      scan(problems: problems, cancelled: cancelled)
      gallery.harness.window.setNeedsFrame()
      gallery.harness.runUntilIdle()
      var cells = gallery.screen.grid.statistics
      cells.prepared -= before.prepared
      cells.dequeued -= before.dequeued
      cells.displayed -= before.displayed
      cells.reconfigured -= before.reconfigured
      return (cells, gallery.decoder.started.count - decoded)
    }

    func insert(_ name: String, at index: Int) {
      files.insert((name, FakeFeed.identity(UInt32(5_000_000 + files.count))), at: index)
    }

    var names: [String] { gallery.cells.compactMap { $0.item }.map(gallery.library.caption) }

    /// The origin of each visible photo, relative to the viewport.
    var origins: [String: Point] {
      var origins: [String: Point] = [:]
      let grid = gallery.screen.grid
      for cell in gallery.cells { origins[cell.item.map(gallery.library.caption) ?? "?"] = grid.origin(of: cell) }
      return origins
    }
  }

  @Test("A file that is added to 100,000 calls the cell provider once if it is visible, and otherwise not at all")
  func addedToMany() throws {
    let fixture = try RescanFixture(100_000)
    let grid = fixture.gallery.screen.grid
    #expect(grid.itemCount == 100_000)
    var before = grid.updateStatistics
    fixture.insert("IMG_10000002a.JPG", at: 3)
    let inView = fixture.refresh()
    #expect(inView.cells.dequeued == 1)
    #expect(inView.cells.prepared == 1)
    #expect(inView.cells.reconfigured == 1, "the cell is reconfigured with its picture")
    #expect(fixture.names[3] == "IMG_10000002a.JPG")
    #expect(inView.decodes >= 1)
    #expect(grid.itemCount == 100_001)
    #expect(grid.updateStatistics.structural == before.structural + 1)
    before = grid.updateStatistics
    fixture.insert("IMG_10050000a.JPG", at: 50_002)
    let outOfView = fixture.refresh()
    #expect(outOfView.cells.prepared == 0 && outOfView.decodes == 0)
    #expect(grid.itemCount == 100_002)
    #expect(grid.updateStatistics.structural == before.structural + 1)
    #expect(fixture.gallery.library.count == 100_002)
  }

  @Test("After the removal of a file, a cell is requested for the item that becomes visible")
  func removed() throws {
    let fixture = try RescanFixture(3_000)
    let grid = fixture.gallery.screen.grid
    let shown = fixture.names
    let removedFile = fixture.files.remove(at: 1)
    let inView = fixture.refresh()
    // The last row ends with one more item. If that row is clipped, none or a whole one becomes visible.
    #expect(inView.cells.dequeued == grid.visibleCells.count - (shown.count - 1))
    #expect(!fixture.names.contains(removedFile.name))
    #expect(fixture.names.starts(with: [shown[0], shown[2]]))
    fixture.files.removeLast(500)
    #expect(fixture.refresh().cells.prepared == 0)
    #expect(grid.itemCount == 2_499 && fixture.gallery.library.count == 2_499)
  }

  @Test("A rescan without changes calls no cell provider and applies no update")
  func unchanged() throws {
    let fixture = try RescanFixture(3_000)
    let before = fixture.gallery.screen.grid.updateStatistics
    let digest = fixture.gallery.harness.lastFrameCommands
    let refreshed = fixture.refresh()
    #expect(refreshed.cells.prepared == 0 && refreshed.decodes == 0)
    #expect(fixture.gallery.screen.grid.updateStatistics == before)
    #expect(fixture.gallery.harness.lastFrameCommands == digest)
    #expect(fixture.feed.rescanCount == 1)
  }

  @Test("A changed file keeps its cell and is decoded again, or once it becomes visible")
  func changed() throws {
    let fixture = try RescanFixture(3_000)
    let cell = try #require(fixture.gallery.cells.dropFirst(2).first)
    fixture.files[2].identity = FakeFeed.identity(2, version: 9)
    fixture.files[2_500].identity = FakeFeed.identity(2_500, version: 9)
    let refreshed = fixture.refresh()
    #expect(refreshed.decodes == 1)
    #expect(refreshed.cells.dequeued == 0)
    #expect(refreshed.cells.reconfigured == 2, "once for the change, and once for the picture")
    #expect(fixture.gallery.cells.dropFirst(2).first === cell)
    #expect(!cell.isWaiting)
  }

  @Test("A renamed file is another photo at its new position")
  func renamed() throws {
    let fixture = try RescanFixture(100)
    var file = fixture.files.remove(at: 0)
    file.name = "ZZZ.JPG"
    fixture.files.append(file)
    _ = fixture.refresh()
    #expect(fixture.names.first == "IMG_10000001.JPG")
    fixture.gallery.harness.sendEvent(.keyDown(.end, modifiers: [], isRepeat: false))
    fixture.gallery.harness.runUntilIdle()
    #expect(fixture.names.last == "ZZZ.JPG")
    #expect(fixture.gallery.screen.isFullyShown)
  }

  @Test("Changes above the viewport do not move the visible photos")
  func anchored() throws {
    let fixture = try RescanFixture(5_000)
    let grid = fixture.gallery.screen.grid
    grid.scroll(to: 20_000, animated: false)
    fixture.gallery.harness.runUntilIdle()
    let first = try #require(fixture.names.first)
    let origin = try #require(fixture.origins[first])
    // Whole rows, so that the photos stay in their columns.
    let columns = fixture.gallery.cells.count { $0.frame.minY == fixture.gallery.cells.first?.frame.minY }
    for number in 0..<(3 * columns) { fixture.insert("A\(number).JPG", at: 0) }
    let refreshed = fixture.refresh()
    #expect(refreshed.cells.prepared == 0)
    #expect(fixture.origins[first] == origin)
    #expect(grid.contentOffset > 20_000)
  }

  @Test("Photos of an unreadable folder are offline and stay, and a cancelled scan changes nothing")
  func offline() throws {
    let fixture = try RescanFixture(100)
    let files = fixture.files
    fixture.files = []
    let problem = ScanProblem(folder: PhotoPath("/pictures"), reason: .tooDeep)
    #expect(fixture.refresh(problems: [problem]).cells.prepared == 0)
    #expect(fixture.gallery.library.count == 100)
    #expect(fixture.gallery.library.problems == [problem])
    #expect(fixture.gallery.library.status == "1 folder could not be read")
    _ = fixture.refresh(cancelled: true)
    #expect(fixture.gallery.library.count == 100)
    _ = fixture.refresh()
    #expect(fixture.gallery.library.count == 0 && fixture.gallery.library.problems.isEmpty)
    #expect(fixture.gallery.cells.isEmpty)
    // They have the same identifiers as before.
    let decoded = fixture.gallery.decoder.started.count
    fixture.files = files
    _ = fixture.refresh()
    #expect(fixture.gallery.library.count == 100)
    #expect(fixture.gallery.screen.isFullyShown)
    #expect(fixture.gallery.decoder.started.count == decoded, "their pictures are still cached")
  }

  @Test("The pictures of a list that cannot be read to its end stay, and those that a complete list has no more do not")
  func unreadLists() throws {
    let feed = FakeFeed()
    feed.isList = true
    func entries(_ names: [String], list: Int) -> LibraryEvent {
      let items = names.map { name in
        ManifestItem(
          id: name, address: "https://example.org/\(name)", addressDigest: UInt64(name.utf8.first ?? 0), title: name,
          size: PixelSize(width: 40, height: 30), captureTime: nil, likes: nil)
      }
      return .entries(items, list: list, isFromPublicServer: false)
    }
    feed.appendBatch(entries(["a", "b", "c"], list: 0), entries(["x", "y"], list: 1), .finished(ScanSummary()))
    let gallery = try GalleryFixture(feed)
    func names() -> [String] {
      gallery.screen.dataSource.displayedSnapshot().itemIdentifiers.map { gallery.library.caption(of: $0) }
    }
    gallery.harness.runUntilIdle()
    #expect(names() == ["a", "b", "c", "x", "y"])
    gallery.harness.sendEvent(.keyDown(.function(5), modifiers: [], isRepeat: false))
    gallery.harness.run(frames: 1)
    feed.appendBatch(entries(["d", "a"], list: 0), entries(["y"], list: 1), .unread(list: 0), .finished(ScanSummary()))
    gallery.harness.window.setNeedsFrame()
    gallery.harness.runUntilIdle()
    #expect(names() == ["d", "a", "b", "c", "y"])
    // Not the order in which they were found.
    func sortByDateAndBack() {
      gallery.press(.character("2"), .control)
      gallery.press(.character("1"), .control)
    }
    sortByDateAndBack()
    #expect(gallery.library.sorting == .name && names() == ["d", "a", "b", "c", "y"])
    // The first list cannot be reached at all, and the other one has another order.
    gallery.harness.sendEvent(.keyDown(.function(5), modifiers: [], isRepeat: false))
    gallery.harness.run(frames: 1)
    feed.appendBatch(entries(["z", "y"], list: 1), .unread(list: 0), .finished(ScanSummary()))
    gallery.harness.window.setNeedsFrame()
    gallery.harness.runUntilIdle()
    #expect(names() == ["d", "a", "b", "c", "z", "y"])
    sortByDateAndBack()
    #expect(names() == ["d", "a", "b", "c", "z", "y"])
  }

  @Test("While a folder is out of reach its pictures stay, and those that are not known say why and do not count")
  func outOfReach() throws {
    let isAway = Lock(false)
    let fixture = try RescanFixture(
      40,
      outcome: { request in
        isAway.withLock { $0 } || request.key.source.isMultiple(of: 2)
          ? .failure(.cannotOpen(ENOENT)) : GatedDecoder.generatedImage(for: request.key)
      })
    let gallery = fixture.gallery
    func broken() -> Set<String> {
      Set(gallery.cells.compactMap { if case .broken(let reason) = $0.content { reason } else { nil } })
    }
    let shown = gallery.cells.count { if case .picture = $0.content { true } else { false } }
    #expect(shown > 0 && broken() == ["file is gone"] && gallery.screen.failedCount > 0)
    isAway.withLock { $0 = true }
    let files = fixture.files
    fixture.files = []
    let problem = ScanProblem(
      folder: PhotoPath("/pictures"), reason: .system(FileError(.open, code: ENOENT)))
    _ = fixture.refresh(problems: [problem])
    #expect(broken() == ["out of reach"] && gallery.screen.failedCount == 0)
    #expect(gallery.cells.count { if case .picture = $0.content { true } else { false } } == shown)
    fixture.files = files
    _ = fixture.refresh()
    #expect(broken() == ["file is gone"] && gallery.screen.failedCount > 0)
  }

  @Test("Visible pictures whose files cannot be read are shown soon after they can be read, without input")
  func interruptedDisk() throws {
    let isAway = Lock(true)
    let fixture = try RescanFixture(
      40,
      outcome: { request in
        isAway.withLock { $0 } ? .failure(.cannotOpen(EIO)) : GatedDecoder.generatedImage(for: request.key)
      })
    let gallery = fixture.gallery
    #expect(gallery.screen.failedCount > 0 && gallery.screen.nextFrame != nil)
    isAway.withLock { $0 = false }
    // Two seconds, in which nothing requests frames but the screen.
    gallery.harness.run(frames: 120)
    gallery.harness.runUntilIdle()
    #expect(gallery.cells.allSatisfy { if case .picture = $0.content { true } else { false } })
    #expect(gallery.screen.nextFrame == nil)
  }

  @Test("F5 requests a picture again that failed in the viewer")
  func failureInViewer() throws {
    let isAway = Lock(true)
    let fixture = try RescanFixture(
      3,
      outcome: { request in
        isAway.withLock { $0 } ? .failure(.cannotOpen(EIO)) : GatedDecoder.generatedImage(for: request.key)
      })
    let gallery = fixture.gallery
    gallery.screen.viewer.open(PhotoID(rawValue: 2))
    gallery.harness.runUntilIdle()
    func picture() -> PictureView.Content? { gallery.screen.viewer.state?.view.picture.content }
    #expect(picture()?.failure != nil)
    isAway.withLock { $0 = false }
    _ = fixture.refresh()
    #expect(picture()?.failure == nil && picture()?.overview != nil)
  }

  @Test("Photos that cannot be shown are counted as long as they are in the library")
  func failures() throws {
    let fixture = try RescanFixture(10)
    fixture.feed.appendBatch(FakeFeed.end)
    fixture.files.append(("broken.jpg", .unknown))
    let gallery = fixture.gallery
    gallery.harness.sendEvent(.keyDown(.function(5), modifiers: [], isRepeat: false))
    gallery.harness.run(frames: 1)
    fixture.feed.appendBatch(
      .found([
        FoundPhoto(
          ordinal: 0, folder: PhotoPath("/pictures"), name: Array("broken.jpg".utf8), identity: .unknown,
          failure: .brokenLink)
      ]), FakeFeed.end)
    gallery.harness.window.setNeedsFrame()
    gallery.harness.runUntilIdle()
    _ = fixture.refresh()
    #expect(gallery.library.count == 11)
    fixture.files.removeLast()
    _ = fixture.refresh()
    #expect(gallery.screen.failedCount == 0)
    #expect(gallery.library.count == 10)
  }

  @Test("Requests during a scan result in one rescan after it")
  func rescanDuringScan() throws {
    let fixture = try RescanFixture(100)
    let harness = fixture.gallery.harness
    for _ in 0..<3 { harness.sendEvent(.keyDown(.function(5), modifiers: [], isRepeat: false)) }
    harness.run(frames: 1)
    #expect(fixture.feed.rescanCount == 1)
    fixture.scan()
    harness.window.setNeedsFrame()
    harness.runUntilIdle()
    #expect(fixture.feed.rescanCount == 2)
    fixture.insert("late.JPG", at: 100)
    fixture.scan()
    harness.window.setNeedsFrame()
    harness.runUntilIdle()
    #expect(fixture.feed.rescanCount == 2 && fixture.gallery.library.count == 101)
  }

  @Test("A library that cannot be rescanned is unchanged")
  func unsupported() throws {
    let fixture = try RescanFixture(100)
    fixture.feed.canRescan = false
    fixture.gallery.harness.sendEvent(.keyDown(.function(5), modifiers: [], isRepeat: false))
    fixture.gallery.harness.runUntilIdle()
    #expect(fixture.feed.rescanCount == 1 && fixture.gallery.library.count == 100)
  }

  @Test("A rescan does not increase the memory of the catalogue")
  func memory() throws {
    let fixture = try RescanFixture(20_000)
    let before = fixture.gallery.library.catalogue.bytesPerItem
    for _ in 0..<3 { _ = fixture.refresh() }
    #expect(fixture.gallery.library.catalogue.bytesPerItem == before)
    #expect(fixture.gallery.library.catalogue.count == 20_000)
  }
}

// MARK: - Differences

@Suite("The items of a rescan are compared with the shown ones as they arrive")
struct RescanDiffTests {
  private static func ids(_ numbers: some Sequence<Int>) -> [PhotoID] {
    numbers.map { PhotoID(rawValue: UInt32($0)) }
  }

  private static func snapshot(_ items: [PhotoID]) -> RescanDiff.Snapshot {
    var snapshot = RescanDiff.Snapshot()
    guard !items.isEmpty else { return snapshot }
    snapshot.appendSections([.all])
    snapshot.appendItems(items)
    return snapshot
  }

  private static func outcome(
    _ base: [PhotoID], listing listed: [PhotoID], isOffline: (PhotoID) -> Bool = { _ in false }
  ) -> RescanDiff.Outcome {
    var diff = RescanDiff(of: snapshot(base))
    for item in listed { diff.addListed(item) }
    return diff.outcome(isOffline: isOffline)
  }

  @Test("A rescan without changes results in the same snapshot")
  func unchanged() {
    let base = Self.ids(1...1_000)
    let outcome = Self.outcome(base, listing: base)
    #expect(outcome.arrived.isEmpty && outcome.removed.isEmpty)
    #expect(outcome.snapshot == Self.snapshot(base))
    #expect(Self.outcome([], listing: []).snapshot == Self.snapshot([]))
  }

  @Test("New photos are inserted before and behind those of a folder out of reach, in the order of folders")
  func addedAroundOffline() {
    // The folder is the number without its last digit.
    var diff = RescanDiff(of: Self.snapshot(Self.ids([1, 21, 22])))
    for item in Self.ids([1, 11, 12, 31, 41]) { diff.addListed(item) }
    let outcome = diff.outcome(isOffline: { $0.rawValue / 10 == 2 }, precedes: { $0.rawValue / 10 < $1.rawValue / 10 })
    #expect(outcome.snapshot.itemIdentifiers == Self.ids([1, 11, 12, 21, 22, 31, 41]))
    #expect(outcome.removed.isEmpty)
  }

  @Test("Photos are inserted at the start, in between and at the end, and removed")
  func addedAndRemoved() {
    let outcome = Self.outcome(Self.ids([1, 2, 3, 4]), listing: Self.ids([11, 12, 1, 3, 13, 4, 14]))
    #expect(outcome.snapshot.itemIdentifiers == Self.ids([11, 12, 1, 3, 13, 4, 14]))
    #expect(outcome.arrived == Self.ids([11, 12, 13, 14]))
    #expect(outcome.removed == Self.ids([2]))
    #expect(Self.outcome([], listing: Self.ids([5, 6])).snapshot.itemIdentifiers == Self.ids([5, 6]))
    #expect(Self.outcome(Self.ids([5, 6]), listing: []).removed == Self.ids([5, 6]))
  }

  @Test("Offline photos are not removed, and keep their positions")
  func offline() {
    let outcome = Self.outcome(Self.ids(1...8), listing: Self.ids([1, 2, 7, 9])) { (3...5).contains($0.rawValue) }
    #expect(outcome.snapshot.itemIdentifiers == Self.ids([1, 2, 3, 4, 5, 7, 9]))
    #expect(outcome.removed == Self.ids([6, 8]))
  }

  @Test("The order becomes that of the listing, and items that are listed twice count once")
  func random() {
    var random = SeededGenerator(seed: 21)
    for _ in 0..<1_000 {
      let base = Self.ids((0..<Int.random(in: 0..<20, using: &random)).shuffled(using: &random))
      var listed = base.filter { _ in Int.random(in: 0..<4, using: &random) > 0 }
      for number in 100..<(100 + Int.random(in: 0..<6, using: &random)) {
        listed.insert(Self.ids([number])[0], at: Int.random(in: 0...listed.count, using: &random))
      }
      if Bool.random(using: &random) { listed.shuffle(using: &random) }
      let unique = listed
      if let again = listed.randomElement(using: &random) {
        let first = listed.firstIndex(of: again) ?? 0
        listed.insert(again, at: Int.random(in: (first + 1)...listed.count, using: &random))
      }
      let outcome = Self.outcome(base, listing: listed)
      #expect(outcome.snapshot.itemIdentifiers == unique, "\(base) -> \(listed)")
      #expect(Set(outcome.removed) == Set(base).subtracting(unique))
      #expect(Set(outcome.arrived).isSuperset(of: Set(unique).subtracting(base)))
    }
  }
}
