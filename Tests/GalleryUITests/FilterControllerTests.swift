import CollectionUI
import Testing
import VitrineCollectionEngine
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineImageMetadata
import VitrinePhotoLibrary
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@testable import VitrineGalleryUI

@Suite("The filter shows the photographs that a query finds")
struct FilterControllerTests {
  typealias Files = LibraryUpdateTests.Files

  /// Returns a gallery with photographs named IMG_0.JPG and so on.
  private func makeGallery(
    _ count: Int, isThreaded: Bool = false, grouping: GalleryGrouping = .none
  ) throws -> (GalleryFixture, FakeFeed) {
    let feed = FakeFeed()
    feed.appendBatch(feed.photos(count))
    feed.appendBatch(
      FakeFeed.headers(0, (0..<count).map { GroupingTests.header(takenOnDay: Int64($0 / 20)) }), FakeFeed.end)
    let waker = TestWaker()
    let thread = isThreaded ? ArrangementThread(waitsForResults: true) { waker.wake() } : nil
    let gallery = try GalleryFixture(feed, grouping: grouping, arrangementThread: thread)
    gallery.harness.runUntilIdle()
    return (gallery, feed)
  }

  private func shown(_ gallery: GalleryFixture) -> [Int] {
    gallery.screen.dataSource.displayedSnapshot().itemIdentifiers.map { Int($0.rawValue) - 1 }
  }

  private func visible(_ gallery: GalleryFixture) -> [Int] {
    let grid = gallery.screen.grid
    return grid.visibleRange.compactMap { gallery.screen.dataSource.itemIdentifier(atFlatIndex: $0) }.filter {
      guard let frame = gallery.screen.gridController.frame(of: $0) else { return false }
      return frame.minY < grid.frame.maxY && frame.maxY > grid.frame.minY
    }.map { Int($0.rawValue) - 1 }
  }

  @Test("Each keystroke narrows or widens what is shown, and an empty text ends the filter", arguments: [false, true])
  func typing(isThreaded: Bool) throws {
    let (gallery, _) = try makeGallery(3_000, isThreaded: isThreaded)
    let controller = gallery.screen.libraryController
    #expect(controller.matchCount == nil && controller.query.isEmpty)
    for (text, count) in [("i", 3_000), ("img_12", 111), ("img_12.", 1), ("img_29", 111), ("nothing", 0), ("  ", nil)]
      as [(String, Int?)]
    {
      controller.search(text)
      #expect(controller.isFiltering == (isThreaded && count != nil))
      gallery.harness.runUntilIdle()
      #expect(controller.matchCount == count && !controller.isFiltering)
      #expect(shown(gallery).count == count ?? 3_000)
    }
    #expect(shown(gallery) == Array(0..<3_000) && controller.query.isEmpty)
    controller.search("July 2019 img")
    #expect(controller.query.conditions.map(\.title) == ["July 2019", "img"])
  }

  @Test("The newest query wins, and one that is withdrawn has no effect")
  func newest() throws {
    let (gallery, _) = try makeGallery(3_000, isThreaded: true)
    let controller = gallery.screen.libraryController
    controller.search("img_1")
    controller.search("img_12")
    controller.search("img_123.")
    gallery.harness.run(frames: 1)
    #expect(shown(gallery) == [123] && !controller.isFiltering)
    controller.search("img_2")
    controller.search("")
    gallery.harness.runUntilIdle()
    #expect(shown(gallery).count == 3_000 && controller.matchCount == nil)
  }

  @Test("Sections without matches disappear, and the timeline and headers follow")
  func sections() throws {
    let (gallery, _) = try makeGallery(100, grouping: .month)
    #expect(gallery.screen.sectionCount == 1)
    let feed = FakeFeed()
    feed.appendBatch(feed.photos(3))
    feed.appendBatch(FakeFeed.headers(0, [0, 40, 80].map { GroupingTests.header(takenOnDay: $0) }), FakeFeed.end)
    let months = try GalleryFixture(feed, size: Size(width: 640, height: 900), layout: .list, grouping: .month)
    months.harness.runUntilIdle()
    #expect(months.headers == ["March 1970", "February 1970", "January 1970"])
    months.screen.libraryController.search("img_1")
    months.harness.runUntilIdle()
    #expect(months.headers == ["February 1970"])
    months.screen.libraryController.search("")
    months.harness.runUntilIdle()
    #expect(months.headers == ["March 1970", "February 1970", "January 1970"])
  }

  @Test("New, changed and removed photographs appear in the results only if they match", arguments: [3, 4_000])
  func changes(count: Int) throws {
    let (gallery, feed) = try makeGallery(30, isThreaded: true)
    let controller = gallery.screen.libraryController
    controller.search("format:png -img_7")
    gallery.harness.runUntilIdle()
    #expect(shown(gallery).isEmpty && !gallery.library.isComplete == false)
    gallery.screen.rescanFolders()
    gallery.harness.run(frames: 1)
    feed.appendBatch(feed.photos(30 + count))
    feed.appendBatch(
      FakeFeed.headers(5, (5..<(30 + count)).map { _ in ImageHeader(format: .png) }), FakeFeed.end)
    gallery.harness.runUntilIdle()
    let expected = (5..<(30 + count)).filter { !"\($0)".hasPrefix("7") }
    #expect(shown(gallery) == expected && controller.matchCount == expected.count)
    gallery.screen.rescanFolders()
    gallery.harness.run(frames: 1)
    feed.appendBatch(feed.photos(8))
    feed.appendBatch(FakeFeed.end)
    gallery.harness.runUntilIdle()
    #expect(shown(gallery) == [5, 6])
  }

  @Test("Photographs that are filtered away are deselected")
  func selection() throws {
    let (gallery, _) = try makeGallery(200)
    let grid = gallery.screen.grid
    grid.select(.all)
    gallery.screen.libraryController.search("img_11")
    gallery.harness.runUntilIdle()
    #expect(grid.selection.items.count == 11)
    gallery.screen.libraryController.search("")
    gallery.harness.runUntilIdle()
    #expect(grid.selection.items.count == 11)
  }

  @Test(
    "The focused photograph stays in view, in the results and after the end of the filter", arguments: [false, true])
  func focus(isThreaded: Bool) throws {
    let (gallery, _) = try makeGallery(3_000, isThreaded: isThreaded)
    let controller = gallery.screen.libraryController
    gallery.screen.grid.focusItem(at: 1_527, animated: false)
    gallery.harness.runUntilIdle()
    #expect(visible(gallery).contains(1_527))
    controller.search("7.jpg")
    gallery.harness.runUntilIdle()
    #expect(visible(gallery).contains(1_527) && shown(gallery).count == 300)
    controller.search("")
    gallery.harness.runUntilIdle()
    #expect(visible(gallery).contains(1_527) && shown(gallery).count == 3_000)
  }

  @Test("Searched or grouped at its beginning, the library is shown from its beginning, below the bars")
  func beginning() throws {
    let (gallery, _) = try makeGallery(3_000)
    let grid = gallery.screen.grid
    for text in ["img_29", "img_299", ""] {
      gallery.screen.libraryController.search(text)
      gallery.harness.runUntilIdle()
      #expect(grid.contentOffset == -grid.contentInset.top, "\(text)")
    }
    for grouping in [GalleryGrouping.month, .none] {
      gallery.screen.setGrouping(grouping)
      gallery.harness.runUntilIdle()
      #expect(grid.contentOffset == -grid.contentInset.top, "\(grouping)")
    }
    grid.scroll(to: 9_000, animated: false)
    gallery.harness.runUntilIdle()
    let first = try #require(visible(gallery).dropFirst(4).first)
    gallery.screen.libraryController.search("img_\(first).")
    gallery.harness.runUntilIdle()
    gallery.screen.libraryController.search("")
    gallery.harness.runUntilIdle()
    #expect(visible(gallery).contains(first), "what was found stays in view")
  }

  @Test("Entries of the menu add conditions to the search and remove them, and upright and wide exclude each other")
  func menu() throws {
    let (gallery, _) = try makeGallery(10)
    func entries() -> [MenuAction] { gallery.screen.menu(of: .arrangements, selectedCount: 0).actions }
    func choose(_ title: String) throws {
      try #require(entries().first { $0.title == title }).handler()
      gallery.harness.runUntilIdle()
    }
    func chosen() -> [String] {
      entries().filter { $0.state == .on && ["Upright only", "Wide only", "With a place"].contains($0.title) }.map(
        \.title)
    }
    try choose("Wide only")
    #expect(shown(gallery).count == 10 && chosen() == ["Wide only"])
    try choose("Upright only")
    #expect(shown(gallery).isEmpty && chosen() == ["Upright only"])
    #expect(gallery.screen.header.bar.searchField.text == "portrait")
    try choose("With a place")
    try choose("Upright only")
    #expect(chosen() == ["With a place"])
    try choose("With a place")
    #expect(shown(gallery).count == 10 && gallery.screen.filterBar.isHidden)
  }

  @Test("Photographs grouped by month leave a margin for the labels of the timeline, and others do not")
  func timelineMargin() throws {
    let (gallery, _) = try makeGallery(3_000)
    func space() -> Double {
      gallery.screen.bounds.width - (gallery.cells.map(\.frame.maxX).max() ?? 0)
    }
    #expect(space() == Metrics.margin)
    gallery.screen.setGrouping(.month)
    gallery.harness.runUntilIdle()
    #expect(space() >= 60)
    gallery.harness.sendEvent(.pointerMoved(Point(x: gallery.screen.bounds.width - 6, y: 300)))
    gallery.harness.runUntilIdle()
    let style = TextStyle(size: 12, weight: .semibold, hasMonospacedDigits: true)
    let labels = gallery.harness.drawnTexts(["1970"], in: style)
    #expect(!labels.isEmpty && labels.allSatisfy { Double($0.frame.x) >= (gallery.cells.map(\.frame.maxX).max() ?? 0) })
  }

  @Test("Without focus, results start at the top if no visible photograph is among them, and their first one stays")
  func firstVisible() throws {
    let (gallery, _) = try makeGallery(3_000)
    let controller = gallery.screen.libraryController
    gallery.screen.grid.scroll(to: 9_000, animated: false)
    gallery.harness.runUntilIdle()
    #expect(!visible(gallery).contains(2_990))
    controller.search("img_29")
    gallery.harness.runUntilIdle()
    #expect(gallery.screen.grid.contentOffset == -gallery.screen.grid.contentInset.top && visible(gallery).first == 29)
    controller.search("img_299")
    gallery.harness.runUntilIdle()
    #expect(visible(gallery).first == 299)
    controller.search("img_2999")
    gallery.harness.runUntilIdle()
    controller.search("")
    gallery.harness.runUntilIdle()
    #expect(visible(gallery).contains(2_999))
  }

  @Test("A sort and a grouping during a filter arrange all photographs, and show the matches")
  func arrangement() throws {
    let (gallery, _) = try makeGallery(90, isThreaded: true)
    let controller = gallery.screen.libraryController
    controller.search("img_1")
    gallery.harness.runUntilIdle()
    controller.group(by: .month)
    gallery.harness.runUntilIdle()
    #expect(gallery.headers == ["January 1970"] && shown(gallery).count == 11)
    controller.sort(by: .size)
    gallery.harness.runUntilIdle()
    #expect(shown(gallery).count == 11)
    controller.search("")
    gallery.harness.runUntilIdle()
    #expect(shown(gallery).count == 90 && gallery.library.grouping == .month && gallery.library.sorting == .size)
  }

  @Test("Another library is shown without a filter")
  func opening() throws {
    let (gallery, _) = try makeGallery(50)
    gallery.screen.libraryController.search("img_1")
    gallery.harness.runUntilIdle()
    let next = FakeFeed()
    next.appendBatch(next.photos(4), FakeFeed.end)
    gallery.screen.open(next, pathToReveal: nil)
    gallery.harness.runUntilIdle()
    #expect(shown(gallery) == [0, 1, 2, 3] && gallery.screen.libraryController.query.isEmpty)
  }

  @Test("An album is searched by its titles")
  func album() throws {
    let square = try #require(PixelSize(width: 9, height: 9))
    let feed = FakeFeed()
    feed.album = AlbumTests.CardAlbum(wide: square, square: square)
    feed.appendBatch(.listed(upTo: 1_000), FakeFeed.end)
    let gallery = try GalleryFixture(feed)
    gallery.harness.runUntilIdle()
    let title = gallery.library.caption(of: PhotoID(rawValue: 124))
    gallery.screen.libraryController.search("\"\(title)\"")
    gallery.harness.runUntilIdle()
    #expect(shown(gallery).contains(123))
    #expect(
      shown(gallery).allSatisfy { gallery.library.caption(of: PhotoID(rawValue: UInt32($0) + 1)).contains(title) })
  }

  @Test("The photograph that stays in view, and whether the change is animated")
  func heldPlaces() {
    func photo(_ number: Int) -> PhotoID { PhotoID(rawValue: UInt32(number)) }
    func place(_ visible: ClosedRange<Int>, _ focused: Int?, _ next: [Int]) -> HeldPlace {
      var snapshot = LibraryArrangement.Snapshot()
      snapshot.appendSections([.all])
      snapshot.appendItems(next.map(photo))
      return HeldPlace(in: visible.map(photo), focused: focused.map(photo), after: snapshot)
    }
    #expect(place(11...20, 15, Array(1...30)).item == photo(15))
    #expect(place(11...20, 15, Array(16...30)).item == photo(16), "the focused one is filtered away")
    #expect(place(11...20, 25, Array(1...30)).item == photo(11), "the focused one is not visible")
    #expect(place(11...20, nil, [1, 2]).item == nil)
    #expect(place(11...20, nil, Array(1...30)).changesLittle)
    #expect(place(11...20, nil, Array(13...30)).changesLittle)
    #expect(!place(11...20, nil, Array(18...30)).changesLittle, "most disappear")
    #expect(!place(11...20, nil, Array(11...15) + Array(31...60) + Array(16...20)).changesLittle, "many come between")
  }

  @Test(
    "After any updates and queries, the matches among all photographs are shown, and all are arranged as after a scan",
    arguments: GalleryGrouping.allCases, [false, true])
  func law(grouping: GalleryGrouping, isThreaded: Bool) throws {
    var random = SeededGenerator(seed: 11)
    var files = Files()
    for number in 0..<30 { files.set("\(number % 11).jpg", in: ["", "a", "a/b", "c10", "c9"][number % 5]) }
    func open(_ files: Files, _ order: LibraryOrder) throws -> (GalleryFixture, FakeFeed) {
      let feed = FakeFeed()
      feed.roots = [files.root]
      let waker = TestWaker()
      let thread = isThreaded ? ArrangementThread(waitsForResults: true) { waker.wake() } : nil
      let gallery = try GalleryFixture(feed, grouping: order.grouping, arrangementThread: thread)
      for event in files.scan { feed.appendBatch(event) }
      gallery.harness.runUntilIdle()
      gallery.screen.libraryController.sort(by: order.sorting)
      gallery.harness.runUntilIdle()
      return (gallery, feed)
    }
    func paths(_ snapshot: LibraryArrangement.Snapshot, _ gallery: GalleryFixture) -> [[PhotoPath]] {
      snapshot.sectionIdentifiers.map { section in
        snapshot.itemIdentifiers(inSection: section).compactMap { item in
          gallery.library.catalogue.folder(of: item)?.appending(gallery.library.caption(of: item))
        }
      }
    }
    let (gallery, feed) = try open(files, LibraryOrder(grouping))
    let controller = gallery.screen.libraryController
    var order = LibraryOrder(grouping)
    for _ in 0..<25 {
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1, 2:
        let texts = ["", "1", "a/b", "-c", "a 2", "<12b", "date:>=1970-03", "jpeg -0"]
        controller.search(texts.randomElement(using: &random) ?? "")
      case 3:
        order = LibraryOrder(GalleryGrouping.allCases.randomElement(using: &random) ?? .none, by: order.sorting)
        controller.group(by: order.grouping)
        order = LibraryOrder(order.grouping, by: gallery.library.sorting)
      case 4:
        order = LibraryOrder(order.grouping, by: GallerySorting.allCases.randomElement(using: &random))
        controller.sort(by: order.sorting)
      default: break
      }
      let name = ["", "a", "a/b", "c10", "c9", "z"].randomElement(using: &random) ?? ""
      let folder = name.isEmpty ? files.root : files.root.appending(name)
      for number in 0..<3 {
        if Bool.random(using: &random) {
          files.set("\(number * 5).jpg", in: name, version: Int64.random(in: 1..<5, using: &random))
        } else {
          files.folders[folder]?["\(number).jpg"] = nil
        }
      }
      for event in files.update([folder]) { feed.appendBatch(event) }
      if Bool.random(using: &random) { gallery.harness.run(frames: 1) }
      gallery.harness.runUntilIdle()
      let all = controller.arrangedSnapshot
      let (other, _) = try open(files, order)
      #expect(paths(all, gallery) == paths(other.screen.dataSource.snapshot(), other))
      var matches = PhotoMatches()
      let filter = PhotoFilter(controller.query, roots: [files.root])
      let isComplete = matches.update(with: filter, in: gallery.library.catalogue)
      #expect(isComplete)
      let expected = try #require(all.filteringItems(matches.contains))
      #expect(gallery.screen.dataSource.displayedSnapshot() == expected)
      #expect(controller.matchCount == (controller.query.isEmpty ? nil : expected.numberOfItems))
    }
  }
}
