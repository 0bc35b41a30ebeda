import CollectionEngine
import CollectionUI
import DiffableData
import Geometry
import ImageMetadata
import PhotoLibrary
import Rendering
import TestSupport
import Testing
import Views

@testable import GalleryUI

@Suite("Photographs are put into another order, at once or as they come")
struct SortingTests {
  typealias Shelf = SortedArrangementTests.Shelf

  private func shelf(_ count: Int, seed: UInt64) -> Shelf {
    var random = SeededGenerator(seed: seed)
    var shelf = Shelf()
    for folder in ["/p/b", "/p/a"] {
      shelf.add(
        (0..<count).map { place in
          let days = Int64.random(in: 0...90, using: &random) * SortedArrangementTests.day
          return ("n\(place * 7 % count)", random.chance(oneIn: 9) ? nil : days)
        }, folder: folder)
    }
    return shelf
  }

  private func names(_ snapshot: LibraryArrangement.Snapshot, _ shelf: Shelf) -> [[PhotoID]] {
    snapshot.sectionIdentifiers.map { snapshot.itemIdentifiers(inSection: $0) }
  }

  @Test(
    "Sorted again from any order it is as if it had been found in this one",
    arguments: GalleryGrouping.allCases, GallerySorting.allCases)
  func again(grouping: GalleryGrouping, sorting: GallerySorting) {
    let shelf = shelf(40, seed: 5)
    var expected = LibraryArrangement.Snapshot()
    var direct = LibraryArrangement(grouping, by: sorting)
    direct.addPhotos(shelf.items, by: shelf.catalogue)
    direct.arrange(&expected, by: shelf.catalogue)
    for first in GallerySorting.allCases {
      var snapshot = LibraryArrangement.Snapshot()
      var arrangement = LibraryArrangement(grouping, by: first)
      arrangement.addPhotos(shelf.items, by: shelf.catalogue)
      arrangement.arrange(&snapshot, by: shelf.catalogue)
      let sorted = arrangement.sorted(by: sorting, snapshot, by: shelf.catalogue)
      #expect(sorted.arrangement.sorting == sorting)
      guard grouping == .none || grouping == .month || sorting != .name else {
        #expect(Set(sorted.snapshot.sectionIdentifiers) == Set(expected.sectionIdentifiers))
        continue
      }
      if sorting == .name, grouping == .none {
        // As the scan lists names in their order, which the shelf here does not.
        let order = sorted.snapshot.itemIdentifiers
        let half = order.count / 2
        #expect(Set(order[..<half]) == Set(shelf.items[..<half]))
        for part in [order[..<half], order[half...]] {
          let texts = part.map { shelf.catalogue.displayName(of: $0) ?? "" }
          #expect(texts == texts.sorted { NaturalOrder.precedes($0.utf8, $1.utf8) })
        }
      } else {
        #expect(names(sorted.snapshot, shelf) == names(expected, shelf))
      }
    }
  }

  @Test("What comes after that finds its place between what stands there", arguments: GallerySorting.allCases)
  func later(sorting: GallerySorting) {
    let shelf = shelf(60, seed: 8)
    guard sorting != .name else { return }
    var snapshot = LibraryArrangement.Snapshot()
    var arrangement = LibraryArrangement(.none)
    arrangement.addPhotos(Array(shelf.items[..<50]), by: shelf.catalogue)
    arrangement.arrange(&snapshot, by: shelf.catalogue)
    var waiting = arrangement
    waiting.addPhotos(Array(shelf.items[50..<70]), by: shelf.catalogue)
    var (next, sorted) = arrangement.sorted(by: sorting, snapshot, by: shelf.catalogue)
    next.takeWaiting(from: waiting, by: shelf.catalogue)
    next.addPhotos(Array(shelf.items[70...]), by: shelf.catalogue)
    next.arrange(&sorted, by: shelf.catalogue)
    var expected = LibraryArrangement.Snapshot()
    var direct = LibraryArrangement(.none, by: sorting)
    direct.addPhotos(shelf.items, by: shelf.catalogue)
    direct.arrange(&expected, by: shelf.catalogue)
    #expect(sorted.itemIdentifiers == expected.itemIdentifiers)
  }

  @Test("Aside, what is found meanwhile is placed when it is done, and another wish waits for its turn")
  func aside() throws {
    let feed = FakeFeed()
    for number in 0..<2_500 { feed.write(feed.photos(1, byteCount: Int64(number * 37 % 2_501))) }
    let waker = TestWaker()
    let gallery = try Gallery(feed, aside: ArrangementThread(waitsForResults: true) { waker.wake() })
    gallery.stage.run(frames: 2_600)
    let source = gallery.screen.dataSource
    #expect(source.snapshot().numberOfItems == 2_500)
    gallery.screen.sort(by: .size)
    #expect(gallery.library.isSorting && gallery.library.sorting == .size)
    feed.write(feed.photos(1, byteCount: 1_000_000), FakeFeed.end)
    gallery.screen.sort(by: .date)
    gallery.screen.sort(by: .size)
    gallery.stage.runUntilIdle()
    #expect(!gallery.library.isSorting)
    let sizes = source.snapshot().itemIdentifiers.map { gallery.library.byteCount(of: $0) }
    #expect(sizes.count == 2_501 && sizes == sizes.sorted(by: >) && sizes.first == 1_000_000)
    gallery.screen.sort(by: .name)
    gallery.stage.runUntilIdle()
    #expect(source.snapshot().itemIdentifiers.map(\.rawValue) == Array(1...2_501))
  }

  @Test("However many are found and read meanwhile, no frame places more than it has time for", arguments: [1, 3])
  func manyMeanwhile(rounds: Int) throws {
    let feed = FakeFeed()
    let waker = TestWaker()
    let library = LibraryModel(feed: feed, arrangementThread: ArrangementThread(waitsForResults: true) { waker.wake() })
    var snapshot = LibraryArrangement.Snapshot()
    feed.write(feed.photos(2_500, byteCount: 7))
    #expect(library.takeChanges().isArranged)
    #expect(library.arrangeSnapshot(&snapshot) && snapshot.numberOfItems == 2_500)
    library.requestSorting(by: .size)
    #expect(library.sortIfRequested(from: { snapshot }) == nil && library.isSorting)
    let header = ImageHeader(format: .jpeg, storedSize: PixelSize(width: 40, height: 30))
    for round in 0..<rounds {
      feed.write(
        feed.photos(5_000, byteCount: 3), feed.photos(5_000, byteCount: 9),
        FakeFeed.headers(UInt32(2_500 + round * 10_000), Array(repeating: header, count: 10_000)))
    }
    feed.write(FakeFeed.end)
    var frames = 0
    while library.hasPendingEvents || library.isSorting, frames < 100 {
      frames += 1
      let news = library.takeChanges()
      #expect(news.isSorted == (frames == 1), "in another order once")
      if let arranged = news.arrangedSnapshot { snapshot = arranged }
      guard news.isArranged else { continue }
      let before = snapshot.numberOfItems
      if library.arrangeSnapshot(&snapshot) {
        #expect(snapshot.numberOfItems - before <= LibraryModel.maximumSortedPerFrame)
      }
    }
    #expect(frames < 100 && library.pendingUpdates.isEmpty)
    let sizes = snapshot.itemIdentifiers.map { library.byteCount(of: $0) }
    #expect(sizes.count == 2_500 + rounds * 10_000 && sizes == sizes.sorted(by: >))
  }

  @Test("What is found and never read is placed too where the scan ends while all are sorted", arguments: [1, 3_000])
  func unread(found: Int) throws {
    let feed = FakeFeed()
    let waker = TestWaker()
    let gallery = try Gallery(feed, aside: ArrangementThread(waitsForResults: true) { waker.wake() })
    feed.write(feed.photos(2_500))
    gallery.stage.runUntilIdle()
    gallery.screen.sort(by: .date)
    feed.write(feed.photos(found), FakeFeed.end)
    gallery.stage.runUntilIdle()
    #expect(!gallery.library.isSorting && gallery.library.sorting == .date)
    #expect(gallery.screen.dataSource.snapshot().numberOfItems == 2_500 + found)
  }

  @Test("Sorted, what has the keyboard by then comes into view, and not what had it when that was asked for")
  func revealed() throws {
    let feed = FakeFeed()
    for number in 0..<600 { feed.write(feed.photos(1, byteCount: Int64(number + 1))) }
    feed.write(FakeFeed.end)
    let gallery = try Gallery(feed)
    gallery.stage.runUntilIdle()
    let grid = gallery.screen.grid
    grid.focusItem(at: 5, animated: false)
    gallery.screen.sort(by: .size)
    gallery.stage.run(frames: 2)
    #expect(grid.selection.lead == 594)
    grid.focusItem(at: 0, animated: false)
    gallery.stage.runUntilIdle()
    #expect(grid.selection.lead == 0 && grid.cell(at: 0) != nil)
  }

  @Test(
    "Where nothing has the keyboard the beginning is shown, unless a hand went elsewhere meanwhile",
    arguments: [false, true])
  func beginning(isScrolled: Bool) throws {
    let feed = FakeFeed()
    feed.write(feed.photos(3_000), FakeFeed.end)
    let waker = TestWaker()
    let gallery = try Gallery(feed, aside: ArrangementThread(waitsForResults: true) { waker.wake() })
    gallery.stage.runUntilIdle()
    let grid = gallery.screen.grid
    func turn() {
      gallery.stage.sendEvent(.wheel(WheelInput(location: Point(x: 300, y: 300), deltaX: 0, deltaY: -3)))
    }
    turn()
    gallery.stage.runUntilIdle()
    gallery.screen.sort(by: .size)
    if isScrolled { turn() }
    gallery.stage.runUntilIdle()
    #expect(gallery.library.sorting == .size && !gallery.library.isSorting)
    #expect((grid.contentOffset > 0) == isScrolled)
  }
}
