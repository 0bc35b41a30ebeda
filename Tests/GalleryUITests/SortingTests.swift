import CollectionUI
import Testing
import VitrineCollectionEngine
import VitrineDiffableData
import VitrineGeometry
import VitrineImageMetadata
import VitrinePhotoLibrary
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@testable import VitrineGalleryUI

@Suite("Photos are sorted by another property, immediately or during a scan")
struct SortingTests {
  typealias CatalogueFixture = SortedArrangementTests.CatalogueFixture

  private func makeFixture(_ count: Int, seed: UInt64) -> CatalogueFixture {
    var random = SeededGenerator(seed: seed)
    var fixture = CatalogueFixture()
    for folder in ["/p/b", "/p/a"] {
      fixture.add(
        (0..<count).map { index in
          let days = Int64.random(in: 0...90, using: &random) * SortedArrangementTests.day
          return ("n\(index * 7 % count)", random.chance(oneIn: 9) ? nil : days)
        }, folder: folder)
    }
    return fixture
  }

  private func itemsBySection(_ snapshot: LibraryArrangement.Snapshot, _ fixture: CatalogueFixture) -> [[PhotoID]] {
    snapshot.sectionIdentifiers.map { snapshot.itemIdentifiers(inSection: $0) }
  }

  @Test(
    "Sorting from any order results in the order of a direct arrangement",
    arguments: GalleryGrouping.allCases, GallerySorting.allCases)
  func sortingAgain(grouping: GalleryGrouping, sorting: GallerySorting) {
    let fixture = makeFixture(40, seed: 5)
    var expected = LibraryArrangement.Snapshot()
    var direct = LibraryArrangement(grouping, by: sorting)
    direct.addPhotos(fixture.items, using: fixture.catalogue)
    direct.arrange(&expected, using: fixture.catalogue)
    for first in GallerySorting.allCases {
      var snapshot = LibraryArrangement.Snapshot()
      var arrangement = LibraryArrangement(grouping, by: first)
      arrangement.addPhotos(fixture.items, using: fixture.catalogue)
      arrangement.arrange(&snapshot, using: fixture.catalogue)
      let sorted = arrangement.sorted(
        by: LibraryOrder(grouping, by: sorting), snapshot, using: fixture.catalogue)
      #expect(sorted.arrangement.order == LibraryOrder(grouping, by: sorting))
      guard grouping == .none || grouping == .month || sorting != .name else {
        #expect(Set(sorted.snapshot.sectionIdentifiers) == Set(expected.sectionIdentifiers))
        continue
      }
      if sorting == .name, grouping == .none {
        // The scan lists names in their order, which this fixture does not.
        let order = sorted.snapshot.itemIdentifiers
        let half = order.count / 2
        #expect(Set(order[..<half]) == Set(fixture.items[..<half]))
        for part in [order[..<half], order[half...]] {
          let texts = part.map { fixture.catalogue.displayName(of: $0) ?? "" }
          #expect(texts == texts.sorted { NaturalOrder.precedes($0.utf8, $1.utf8) })
        }
      } else {
        #expect(itemsBySection(sorted.snapshot, fixture) == itemsBySection(expected, fixture))
      }
    }
  }

  @Test("Photos that are found after sorting are inserted at their positions", arguments: GallerySorting.allCases)
  func insertionAfterSorting(sorting: GallerySorting) {
    let fixture = makeFixture(60, seed: 8)
    guard sorting != .name else { return }
    var snapshot = LibraryArrangement.Snapshot()
    var arrangement = LibraryArrangement(.none)
    arrangement.addPhotos(Array(fixture.items[..<50]), using: fixture.catalogue)
    arrangement.arrange(&snapshot, using: fixture.catalogue)
    var pending = arrangement
    pending.addPhotos(Array(fixture.items[50..<70]), using: fixture.catalogue)
    var (next, sorted) = arrangement.sorted(
      by: LibraryOrder(.none, by: sorting), snapshot, using: fixture.catalogue)
    next.adoptPendingItems(from: pending, using: fixture.catalogue)
    next.addPhotos(Array(fixture.items[70...]), using: fixture.catalogue)
    next.arrange(&sorted, using: fixture.catalogue)
    var expected = LibraryArrangement.Snapshot()
    var direct = LibraryArrangement(.none, by: sorting)
    direct.addPhotos(fixture.items, using: fixture.catalogue)
    direct.arrange(&expected, using: fixture.catalogue)
    #expect(sorted.itemIdentifiers == expected.itemIdentifiers)
  }

  @Test("During a sort on the thread, new photos are placed when it is done, and the next sort waits for it")
  func backgroundSorting() throws {
    let feed = FakeFeed()
    for number in 0..<2_500 { feed.appendBatch(feed.photos(1, byteCount: Int64(number * 37 % 2_501))) }
    let waker = TestWaker()
    let gallery = try GalleryFixture(feed, arrangementThread: ArrangementThread(waitsForResults: true) { waker.wake() })
    gallery.harness.run(frames: 2_600)
    let source = gallery.screen.dataSource
    #expect(source.snapshot().numberOfItems == 2_500)
    gallery.screen.libraryController.sort(by: .size)
    #expect(gallery.library.isSorting && gallery.library.sorting == .size)
    feed.appendBatch(feed.photos(1, byteCount: 1_000_000), FakeFeed.end)
    gallery.screen.libraryController.sort(by: .date)
    gallery.screen.libraryController.sort(by: .size)
    gallery.harness.runUntilIdle()
    #expect(!gallery.library.isSorting)
    let sizes = source.snapshot().itemIdentifiers.map { gallery.library.byteCount(of: $0) }
    #expect(sizes.count == 2_501 && sizes == sizes.sorted(by: >) && sizes.first == 1_000_000)
    gallery.screen.libraryController.sort(by: .name)
    gallery.harness.runUntilIdle()
    #expect(source.snapshot().itemIdentifiers.map(\.rawValue) == Array(1...2_501))
  }

  @Test("During a sort on the thread, no frame inserts more new photos than the maximum per frame", arguments: [1, 3])
  func additionsDuringSorting(rounds: Int) throws {
    let feed = FakeFeed()
    let waker = TestWaker()
    let library = LibraryModel(feed: feed, arrangementThread: ArrangementThread(waitsForResults: true) { waker.wake() })
    var snapshot = LibraryArrangement.Snapshot()
    feed.appendBatch(feed.photos(2_500, byteCount: 7))
    #expect(library.takeChanges().isArranged)
    #expect(library.arrangeSnapshot(&snapshot) && snapshot.numberOfItems == 2_500)
    library.requestSorting(by: .size)
    #expect(library.sortIfRequested(from: { snapshot }) == nil && library.isSorting)
    let header = ImageHeader(format: .jpeg, storedSize: PixelSize(width: 40, height: 30))
    for round in 0..<rounds {
      feed.appendBatch(
        feed.photos(5_000, byteCount: 3), feed.photos(5_000, byteCount: 9),
        FakeFeed.headers(UInt32(2_500 + round * 10_000), Array(repeating: header, count: 10_000)))
    }
    feed.appendBatch(FakeFeed.end)
    var frames = 0
    while library.hasPendingEvents || library.isSorting, frames < 100 {
      frames += 1
      let changes = library.takeChanges()
      #expect(changes.isSorted == (frames == 1), "the order changes once")
      if let arranged = changes.arrangedSnapshot { snapshot = arranged }
      guard changes.isArranged else { continue }
      let before = snapshot.numberOfItems
      if library.arrangeSnapshot(&snapshot) {
        #expect(snapshot.numberOfItems - before <= LibraryArrangement.maximumSortedPerFrame)
      }
    }
    #expect(frames < 100)
    let sizes = snapshot.itemIdentifiers.map { library.byteCount(of: $0) }
    #expect(sizes.count == 2_500 + rounds * 10_000 && sizes == sizes.sorted(by: >))
  }

  @Test("Photos whose header is never read are placed if the scan finishes during a sort", arguments: [1, 3_000])
  func unreadHeaders(found: Int) throws {
    let feed = FakeFeed()
    let waker = TestWaker()
    let gallery = try GalleryFixture(feed, arrangementThread: ArrangementThread(waitsForResults: true) { waker.wake() })
    feed.appendBatch(feed.photos(2_500))
    gallery.harness.runUntilIdle()
    gallery.screen.libraryController.sort(by: .date)
    feed.appendBatch(feed.photos(found), FakeFeed.end)
    gallery.harness.runUntilIdle()
    #expect(!gallery.library.isSorting && gallery.library.sorting == .date)
    #expect(gallery.screen.dataSource.snapshot().numberOfItems == 2_500 + found)
  }

  @Test("After a sort, the photo that has the focus by then is scrolled into view")
  func focusedItem() throws {
    let feed = FakeFeed()
    for number in 0..<600 { feed.appendBatch(feed.photos(1, byteCount: Int64(number + 1))) }
    feed.appendBatch(FakeFeed.end)
    let gallery = try GalleryFixture(feed)
    gallery.harness.runUntilIdle()
    let grid = gallery.screen.grid
    grid.focusItem(at: 5, animated: false)
    gallery.screen.libraryController.sort(by: .size)
    gallery.harness.run(frames: 2)
    #expect(grid.selection.lead == 594)
    grid.focusItem(at: 0, animated: false)
    gallery.harness.runUntilIdle()
    #expect(grid.selection.lead == 0 && grid.cell(at: 0) != nil)
  }

  @Test(
    "Without a focused photo, a sort scrolls to the start, unless the user has scrolled meanwhile",
    arguments: [false, true])
  func scrollPosition(isScrolled: Bool) throws {
    let feed = FakeFeed()
    feed.appendBatch(feed.photos(3_000), FakeFeed.end)
    let waker = TestWaker()
    let gallery = try GalleryFixture(feed, arrangementThread: ArrangementThread(waitsForResults: true) { waker.wake() })
    gallery.harness.runUntilIdle()
    let grid = gallery.screen.grid
    func turnWheel() {
      gallery.harness.sendEvent(.wheel(WheelInput(location: Point(x: 300, y: 300), deltaX: 0, deltaY: -3)))
    }
    turnWheel()
    gallery.harness.runUntilIdle()
    gallery.screen.libraryController.sort(by: .size)
    if isScrolled { turnWheel() }
    gallery.harness.runUntilIdle()
    #expect(gallery.library.sorting == .size && !gallery.library.isSorting)
    #expect((grid.contentOffset > 0) == isScrolled)
  }
}
