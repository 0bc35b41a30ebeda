import Testing
import VitrineDiffableData
import VitrineImageMetadata
import VitrinePhotoLibrary
import VitrineTestSupport

@testable import VitrineGalleryUI

@Suite("The library is arranged by the grouping of its photos")
struct LibraryArrangementTests {
  static func catalogue(_ folders: [(String, Int)]) -> (PhotoCatalogue, [PhotoID]) {
    var catalogue = PhotoCatalogue()
    var ordinal: UInt32 = 0
    let photos = folders.flatMap { folder, count in
      (0..<count).map { _ in
        defer { ordinal += 1 }
        return FoundPhoto(
          ordinal: ordinal, folder: PhotoPath(folder), name: Array("\(ordinal).jpg".utf8),
          identity: FakeFeed.identity(ordinal, version: 1_000_000_000 * 86_400 * 50))
      }
    }
    let items = catalogue.apply(.found(photos)).added
    return (catalogue, items)
  }

  @Test("Each folder has a section in the order of the scan, and later photos are appended to it")
  func folders() {
    let (catalogue, items) = Self.catalogue([("/p", 3), ("/p/b", 2), ("/p/b/c", 1)])
    var arrangement = LibraryArrangement(.folder)
    var snapshot = RescanDiff.Snapshot()
    for batch in [items[..<1], items[1..<4], items[4...]] {
      arrangement.addPhotos(Array(batch), using: catalogue)
      arrangement.arrange(&snapshot, using: catalogue)
    }
    #expect(snapshot.sectionIdentifiers.map { $0.title(FolderTitles()) } == ["p", "b", "c"])
    #expect(snapshot.itemCounts == [3, 2, 1])
    #expect(snapshot.itemIdentifiers == items)
    arrangement.updatePhotos(items, using: catalogue)
    arrangement.finishScan()
    #expect(!arrangement.hasChanges)
  }

  @Test("Without grouping, all photos are in one section")
  func ungrouped() {
    let (catalogue, items) = Self.catalogue([("/p", 3), ("/p/b", 2)])
    var arrangement = LibraryArrangement(.none)
    var snapshot = RescanDiff.Snapshot()
    arrangement.addPhotos(items, using: catalogue)
    arrangement.arrange(&snapshot, using: catalogue)
    #expect(snapshot.sectionIdentifiers == [.all])
    #expect(snapshot.itemIdentifiers == items)
  }

  @Test("In months, a photo waits for its header, and is placed by the date of its file only if the header has none")
  func pendingHeaders() {
    var (catalogue, items) = Self.catalogue([("/p", 4)])
    var arrangement = LibraryArrangement(.month)
    arrangement.addPhotos(items, using: catalogue)
    #expect(!arrangement.hasChanges && arrangement.waitingCount == 4)
    let change = catalogue.apply(
      .headers([
        HeaderResult(
          ordinal: 1, identity: FakeFeed.identity(1, version: 1_000_000_000 * 86_400 * 50),
          header: ImageHeader(format: .jpeg, captureTime: 86_400)),
        HeaderResult(ordinal: 2, identity: nil, failure: .notAPicture),
      ]))
    arrangement.updatePhotos(change.changed, using: catalogue)
    #expect(arrangement.hasChanges && arrangement.waitingCount == 2)
    var snapshot = RescanDiff.Snapshot()
    arrangement.arrange(&snapshot, using: catalogue)
    #expect(snapshot.sectionIdentifiers.map { $0.title(FolderTitles()) } == ["February 1970", "January 1970"])
    #expect(snapshot.itemIdentifiers == [items[2], items[1]])
    arrangement.finishScan()
    #expect(arrangement.waitingCount == 0)
    arrangement.arrange(&snapshot, using: catalogue)
    #expect(snapshot.itemIdentifiers == [items[0], items[2], items[3], items[1]])
  }

  @Test("A rescan by folder results in the listed order, section by section", arguments: 0..<40)
  func rescan(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    let (catalogue, items) = Self.catalogue((0..<8).map { ("/p/\($0)", 6) })
    func randomSubset() -> [PhotoID] {
      let keep = Int.random(in: 1...4, using: &generator)
      return items.filter { _ in !generator.chance(oneIn: keep) }
    }
    var arrangement = LibraryArrangement(.folder)
    var base = RescanDiff.Snapshot()
    arrangement.addPhotos(randomSubset(), using: catalogue)
    arrangement.arrange(&base, using: catalogue)
    let listed = randomSubset()
    var rescan = Rescan(of: base, keepsListedOrder: true)
    for item in listed { rescan.addListed(item) }
    let outcome = rescan.outcome(in: &arrangement, using: catalogue) { _ in false }
    var expected = RescanDiff.Snapshot()
    arrangement.addPhotos(listed, using: catalogue)
    arrangement.arrange(&expected, using: catalogue)
    #expect(outcome?.snapshot.sectionIdentifiers == expected.sectionIdentifiers)
    #expect(outcome?.snapshot.itemIdentifiers == listed)
    #expect(outcome?.snapshot.itemCounts == expected.itemCounts)
    #expect(Set(outcome?.removed ?? []) == Set(base.itemIdentifiers).subtracting(listed))
  }

  @Test("A rescan by month removes missing photos and inserts new ones, and without changes it is no edit")
  func rescanByMonths() {
    let (catalogue, items) = Self.catalogue([("/p", 9)])
    var arrangement = LibraryArrangement(.month)
    var base = RescanDiff.Snapshot()
    arrangement.addPhotos(Array(items[..<6]), using: catalogue)
    arrangement.finishScan()
    arrangement.arrange(&base, using: catalogue)
    var same = Rescan(of: base, keepsListedOrder: false)
    for item in items[..<6].reversed() { same.addListed(item) }
    let unchanged = same.outcome(in: &arrangement, using: catalogue) { _ in false }
    #expect(unchanged?.snapshot == base && unchanged?.hasChanges == false)
    var rescan = Rescan(of: base, keepsListedOrder: false)
    for item in items[3...] + items[3...] { rescan.addListed(item) }
    let outcome = rescan.outcome(in: &arrangement, using: catalogue) { $0 == items[1] }
    #expect(outcome?.removed == [items[0], items[2]])
    #expect(outcome?.arrived == Array(items[6...]))
    #expect(outcome?.snapshot.itemIdentifiers == [items[1]] + items[3...])
  }

  @Test("A rescan moves a photo that has another date, and says that it has changes")
  func movedByRescan() {
    var (catalogue, items) = Self.catalogue([("/p", 3)])
    var arrangement = LibraryArrangement(.none, by: .date)
    var base = RescanDiff.Snapshot()
    arrangement.addPhotos(items, using: catalogue)
    arrangement.finishScan()
    arrangement.arrange(&base, using: catalogue)
    let latest = base.itemIdentifiers[2]
    let header = ImageHeader(format: .jpeg, captureTime: 86_400 * 1_000)
    let ordinal = UInt32(items.firstIndex(of: latest) ?? 0)
    let change = catalogue.apply(
      .headers([HeaderResult(ordinal: ordinal, identity: FakeFeed.identity(ordinal), header: header)]))
    var rescan = Rescan(of: base, keepsListedOrder: false)
    for item in items { rescan.addListed(item) }
    arrangement.updatePhotos(change.changed, using: catalogue)
    let outcome = rescan.outcome(in: &arrangement, using: catalogue) { _ in false }
    #expect(outcome?.arrived == [] && outcome?.removed == [] && outcome?.hasChanges == true)
    #expect(outcome?.snapshot.itemIdentifiers == [latest] + base.itemIdentifiers.filter { $0 != latest })
  }
}
