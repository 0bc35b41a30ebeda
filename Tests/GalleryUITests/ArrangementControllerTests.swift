import Testing
import VitrineDiffableData
import VitrineGeometry
import VitrinePhotoLibrary
import VitrineTestSupport

@testable import VitrineGalleryUI

@Suite("The arrangement controller sorts and inserts in the frame or in the background")
struct ArrangementControllerTests {
  typealias Snapshot = LibraryArrangement.Snapshot

  /// A controller whose photos and shown snapshot the test holds, in place of a feed and a screen.
  private final class Library {
    let controller: ArrangementController
    var photos = SortedArrangementTests.CatalogueFixture()
    var snapshot = Snapshot()
    /// The number of results from the background that were shown.
    var resultCount = 0

    init(_ grouping: GalleryGrouping = .none, by sorting: GallerySorting? = nil, thread: ArrangementThread? = nil) {
      controller = ArrangementController(grouping, by: sorting, isComputed: false, thread: thread)
    }

    /// The photos from the latest to the earliest, which is the order by date.
    var itemsByDate: [PhotoID] {
      var arrangement = SortedArrangement(.none, by: .date)
      var sorted = Snapshot()
      arrangement.insertItems(photos.items, into: &sorted, using: photos.catalogue)
      return sorted.itemIdentifiers
    }

    func find(_ times: [Int64]) {
      let first = photos.items.count
      photos.add(times.enumerated().map { ("n\(first + $0)", $1) })
      controller.addPhotos(Array(photos.items[first...]), using: photos.catalogue)
    }

    func change(_ changes: [(number: Int, time: Int64)]) {
      photos.setTimes(changes.map { (UInt32($0.number), $0.time) })
      controller.updatePhotos(changes.map { photos.items[$0.number] }, using: photos.catalogue)
    }

    func arrange() -> Bool { controller.arrangeSnapshot(&snapshot, using: photos.catalogue) }

    /// Applies a pending sort.
    ///
    /// - Returns: Whether the photos were sorted in the frame.
    func sort() -> Bool {
      guard let sorted = controller.sortIfRequested(using: photos.catalogue, from: { snapshot }) else {
        return false
      }
      snapshot = sorted
      return true
    }

    func advance() {
      guard let arranged = controller.advance(using: photos.catalogue) else { return }
      snapshot = arranged.snapshot
      resultCount += 1
    }

    /// Does what a frame does with the controller.
    func runFrame() {
      if controller.hasPendingWork { advance() }
      if controller.hasChanges { _ = arrange() }
      _ = sort()
    }

    /// Runs frames until all photos are arranged.
    func runUntilIdle(sourceLocation: SourceLocation = #_sourceLocation) {
      var frames = 0
      while controller.hasPendingWork || controller.hasChanges || controller.isSorting, frames < 100 {
        runFrame()
        frames += 1
      }
      #expect(frames < 100, "the arrangement never ends", sourceLocation: sourceLocation)
    }
  }

  private static let waitingThread = { ArrangementThread(waitsForResults: true) {} }

  /// Returns a library with an order by name, in which more photos are shown than a frame sorts.
  private static func largeLibrary() -> Library {
    let library = Library(thread: waitingThread())
    library.find((0..<2_500).map { Int64($0) })
    #expect(library.arrange() && library.snapshot.numberOfItems == 2_500)
    return library
  }

  // MARK: In the frame

  @Test("Without a thread, photos are sorted and inserted in the frame")
  func withoutThread() {
    let library = Library()
    library.find((0..<3_000).map { Int64($0) })
    #expect(library.controller.hasChanges && library.arrange() && !library.controller.hasChanges)
    #expect(library.snapshot.itemIdentifiers == library.photos.items)
    library.controller.requestSorting(by: .date)
    #expect(library.controller.isSorting && library.controller.order.sorting == .date)
    #expect(library.controller.currentOrder.sorting == .name)
    #expect(library.sort() && !library.controller.isSorting && library.controller.currentOrder.sorting == .date)
    #expect(library.snapshot.itemIdentifiers == library.itemsByDate)
    #expect(!library.controller.hasPendingWork && library.controller.advance(using: library.photos.catalogue) == nil)
  }

  @Test("A few photos are sorted in the frame, also with a thread")
  func fewPhotos() {
    let library = Library(thread: Self.waitingThread())
    library.find([3, 1, 2])
    #expect(library.arrange())
    library.controller.requestSorting(by: .date)
    #expect(library.sort() && !library.controller.hasPendingWork)
    #expect(library.snapshot.itemIdentifiers == library.itemsByDate)
  }

  @Test("A request for the current order changes nothing, and a later request replaces an earlier one")
  func requests() {
    let library = Library()
    library.find([1, 2])
    _ = library.arrange()
    library.controller.requestSorting(by: .date)
    library.controller.requestSorting(by: .name)
    #expect(!library.sort() && !library.controller.isSorting && library.controller.order.sorting == .name)
    #expect(!library.sort())
  }

  @Test("A snapshot without changes is not touched")
  func noChanges() {
    let library = Library()
    #expect(!library.arrange())
    library.find([1])
    #expect(library.arrange() && !library.arrange())
  }

  // MARK: In the background

  @Test("During a sort in the background no photo is inserted or moved, and afterwards all are")
  func backgroundSort() {
    let library = Self.largeLibrary()
    library.controller.requestSorting(by: .date)
    #expect(!library.sort() && library.controller.isSorting && library.controller.isReplacing)
    library.find([5_000, 10])
    library.change([(0, 9_000), (1, -4)])
    let before = library.snapshot.itemIdentifiers
    #expect(!library.controller.hasChanges && !library.arrange())
    #expect(library.snapshot.itemIdentifiers == before)
    #expect(library.controller.hasPendingWork)
    library.advance()
    #expect(library.resultCount == 1 && !library.controller.isSorting)
    #expect(library.snapshot.numberOfItems == 2_500, "the found photos are not in the result")
    #expect(library.controller.hasChanges && library.arrange())
    #expect(library.snapshot.itemIdentifiers == library.itemsByDate)
    #expect(!library.controller.hasPendingWork)
  }

  @Test("An order that is requested during a sort in the background is applied after it")
  func requestDuringSort() {
    let library = Self.largeLibrary()
    library.controller.requestSorting(by: .size)
    #expect(!library.sort())
    library.controller.requestSorting(by: .date)
    #expect(!library.sort() && library.controller.order.sorting == .date)
    library.advance()
    #expect(library.controller.currentOrder.sorting == .size && library.controller.isSorting)
    library.runUntilIdle()
    #expect(library.resultCount == 2 && library.controller.currentOrder.sorting == .date)
    #expect(library.snapshot.itemIdentifiers == library.itemsByDate)
  }

  @Test("Photos that changed during a sort have their positions updated, at most a number per frame")
  func pendingUpdates() {
    let count = ArrangementController.maximumUpdatedPerFrame * 2 + 1
    let library = Library(by: .date, thread: Self.waitingThread())
    library.find((0..<count).map { Int64($0) })
    #expect(!library.arrange() && library.controller.isReplacing, "too many photos for a frame")
    library.change((0..<count).map { ($0, Int64(count - $0)) })
    library.advance()
    #expect(!library.controller.isReplacing && library.controller.hasPendingWork)
    // Changes after the result follow those that are pending.
    library.change([(0, -1)])
    library.advance()
    #expect(library.controller.hasPendingWork)
    library.advance()
    #expect(!library.controller.hasPendingWork && library.resultCount == 1)
    library.runUntilIdle()
    #expect(library.snapshot.itemIdentifiers == library.itemsByDate)
    #expect(library.snapshot.itemIdentifiers.last == library.photos.items[0])
  }

  @Test("If the thread is not waited for, work is pending once it wakes the loop")
  func asynchronousThread() throws {
    let waker = TestWaker()
    let library = Library(by: .date, thread: ArrangementThread(waitsForResults: false) { waker.wake() })
    library.find((0..<3_000).map { Int64($0) })
    #expect(!library.arrange() && library.controller.isReplacing)
    try waker.wait(for: "the arrangement")
    #expect(library.controller.hasPendingWork)
    library.advance()
    #expect(library.resultCount == 1 && library.snapshot.itemIdentifiers == library.itemsByDate)
  }

  @Test(
    "Photos that are found and change between sorts have the same order with a thread as without, and as sorted at once",
    arguments: 0..<6)
  func randomEvents(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let libraries = [Library(thread: Self.waitingThread()), Library()]
    var count = 0
    for _ in 0..<12 {
      let found = (0..<[0, 3, 900, 2_100][Int.random(in: 0..<4, using: &random)]).map { _ in
        Int64.random(in: 0..<1_000, using: &random)
      }
      count += found.count
      let changes = (0..<(count == 0 ? 0 : Int.random(in: 0..<300, using: &random))).map { _ in
        (number: Int.random(in: 0..<count, using: &random), time: Int64.random(in: 0..<1_000, using: &random))
      }
      let sorting = random.chance(oneIn: 3) ? GallerySorting.allCases.randomElement(using: &random) : nil
      let frames = Int.random(in: 0..<3, using: &random)
      for library in libraries {
        library.find(found)
        library.change(changes)
        if let sorting { library.controller.requestSorting(by: sorting) }
        for _ in 0..<frames { library.runFrame() }
      }
    }
    for library in libraries {
      library.controller.requestSorting(by: .date)
      library.runUntilIdle()
    }
    #expect(libraries[0].resultCount > 0, "the thread was not used")
    #expect(libraries[0].snapshot.itemIdentifiers == libraries[0].itemsByDate)
    #expect(libraries[1].snapshot.itemIdentifiers == libraries[0].itemsByDate)
  }

  // MARK: Other libraries

  @Test("The result of a library that is no longer shown is discarded, and the next library is sorted after it")
  func openDuringSort() {
    let library = Self.largeLibrary()
    library.controller.requestSorting(by: .date)
    #expect(!library.sort() && library.controller.isReplacing)
    library.controller.libraryDidOpen(isComputed: false)
    #expect(!library.controller.isReplacing && !library.controller.isSorting)
    #expect(library.controller.order.sorting == .date && !library.controller.hasChanges)
    library.photos = SortedArrangementTests.CatalogueFixture()
    library.snapshot = Snapshot()
    library.find([1, 3, 2])
    library.advance()
    #expect(library.resultCount == 0 && !library.controller.hasPendingWork)
    #expect(library.arrange() && library.snapshot.itemIdentifiers == library.itemsByDate)
  }

  @Test("The rest of an album that is no longer shown is not shown")
  func openDuringAlbum() throws {
    let square = try #require(PixelSize(width: 9, height: 9))
    let controller = ArrangementController(.none, isComputed: true, thread: Self.waitingThread())
    let records = AlbumRecords(AlbumTests.CardAlbum(wide: square, square: square))
    var snapshot = Snapshot()
    controller.addListed(upTo: 9_000)
    #expect(controller.arrangeSnapshot(&snapshot, using: records) && snapshot.numberOfItems == 4_000)
    #expect(controller.hasPendingWork && !controller.isReplacing)
    controller.libraryDidOpen(isComputed: false)
    #expect(controller.advance(using: PhotoCatalogue()) == nil && !controller.hasPendingWork)
    // The thread is free for the next library.
    controller.libraryDidOpen(isComputed: true)
    controller.addListed(upTo: 9_000)
    snapshot = Snapshot()
    #expect(controller.arrangeSnapshot(&snapshot, using: records) && controller.hasPendingWork)
    #expect(controller.advance(using: records)?.snapshot.numberOfItems == 9_000)
  }

  @Test("Computed photos are sorted when all of them are listed")
  func computedPhotos() throws {
    let square = try #require(PixelSize(width: 9, height: 9))
    let controller = ArrangementController(.none, by: .date, isComputed: true, thread: nil)
    var records: any PhotoRecords = AlbumRecords(AlbumTests.CardAlbum(wide: square, square: square))
    #expect(controller.order.sorting == .date && controller.currentOrder.sorting == .name)
    var snapshot = Snapshot()
    #expect(controller.sortIfRequested(using: records, from: { snapshot }) == nil)
    _ = records.apply(.listed(upTo: 1_500))
    controller.addListed(upTo: 1_500)
    #expect(controller.sortIfRequested(using: records, from: { snapshot }) == nil, "they are not in the snapshot")
    #expect(controller.arrangeSnapshot(&snapshot, using: records))
    snapshot = try #require(controller.sortIfRequested(using: records, from: { snapshot }))
    #expect(controller.currentOrder.sorting == .date)
    // The album's first month is its latest, and its numbers ascend within a month.
    let numbers = (0..<1_000).reversed() + (1_000..<1_500).reversed()
    #expect(snapshot.itemIdentifiers == numbers.map { AlbumRecords.id(ofNumber: $0) })
  }
}
