import DiffableData
import ImageMetadata
import PhotoLibrary
import TestSupport
import Testing

@testable import GalleryUI

@Suite("The library is arranged by what its photographs are grouped by")
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

  @Test("By folders, each has a section in the order of the scan, and goes on where it went on before")
  func folders() {
    let (catalogue, items) = Self.catalogue([("/p", 3), ("/p/b", 2), ("/p/b/c", 1)])
    var arrangement = LibraryArrangement(.folder)
    var snapshot = RescanDiff.Snapshot()
    for portion in [items[..<1], items[1..<4], items[4...]] {
      arrangement.addPhotos(Array(portion), by: catalogue)
      arrangement.arrange(&snapshot, by: catalogue)
    }
    #expect(snapshot.sectionIdentifiers.map(\.title) == ["p", "b", "c"])
    #expect(snapshot.itemCounts == [3, 2, 1])
    #expect(snapshot.itemIdentifiers == items)
    arrangement.updatePhotos(items, by: catalogue)
    arrangement.finishScan()
    #expect(!arrangement.hasChanges)
  }

  @Test("Without groups all stand in one section")
  func none() {
    let (catalogue, items) = Self.catalogue([("/p", 3), ("/p/b", 2)])
    var arrangement = LibraryArrangement(.none)
    var snapshot = RescanDiff.Snapshot()
    arrangement.addPhotos(items, by: catalogue)
    arrangement.arrange(&snapshot, by: catalogue)
    #expect(snapshot.sectionIdentifiers == [.all])
    #expect(snapshot.itemIdentifiers == items)
  }

  @Test("By months a photograph waits for its header, and is placed by its file's date only where there will be none")
  func waiting() {
    var (catalogue, items) = Self.catalogue([("/p", 4)])
    var arrangement = LibraryArrangement(.month)
    arrangement.addPhotos(items, by: catalogue)
    #expect(!arrangement.hasChanges && arrangement.waitingCount == 4)
    let change = catalogue.apply(
      .headers([
        HeaderResult(
          ordinal: 1, identity: FakeFeed.identity(1, version: 1_000_000_000 * 86_400 * 50),
          header: ImageHeader(format: .jpeg, captureTime: 86_400)),
        HeaderResult(ordinal: 2, identity: nil, failure: .notAPicture),
      ]))
    arrangement.updatePhotos(change.changed, by: catalogue)
    #expect(arrangement.hasChanges && arrangement.waitingCount == 2)
    var snapshot = RescanDiff.Snapshot()
    arrangement.arrange(&snapshot, by: catalogue)
    #expect(snapshot.sectionIdentifiers.map(\.title) == ["February 1970", "January 1970"])
    #expect(snapshot.itemIdentifiers == [items[2], items[1]])
    arrangement.finishScan()
    #expect(arrangement.waitingCount == 0)
    arrangement.arrange(&snapshot, by: catalogue)
    #expect(snapshot.itemIdentifiers == [items[0], items[2], items[3], items[1]])
  }

  @Test("Another scan of folders ends in what it lists, section by section", arguments: 0..<40)
  func rescan(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    let (catalogue, items) = Self.catalogue((0..<8).map { ("/p/\($0)", 6) })
    func some() -> [PhotoID] {
      let keep = Int.random(in: 1...4, using: &generator)
      return items.filter { _ in !generator.chance(oneIn: keep) }
    }
    var arrangement = LibraryArrangement(.folder)
    var base = RescanDiff.Snapshot()
    arrangement.addPhotos(some(), by: catalogue)
    arrangement.arrange(&base, by: catalogue)
    let listed = some()
    var rescan = Rescan(of: base, keepsListedOrder: true)
    for item in listed { rescan.addListed(item) }
    let outcome = rescan.outcome(in: &arrangement, by: catalogue) { _ in false }
    var expected = RescanDiff.Snapshot()
    arrangement.addPhotos(listed, by: catalogue)
    arrangement.arrange(&expected, by: catalogue)
    #expect(outcome?.snapshot.sectionIdentifiers == expected.sectionIdentifiers)
    #expect(outcome?.snapshot.itemIdentifiers == listed)
    #expect(outcome?.snapshot.itemCounts == expected.itemCounts)
    #expect(Set(outcome?.removed ?? []) == Set(base.itemIdentifiers).subtracting(listed))
  }

  @Test("Another scan by months takes out what is gone and puts in what is new; nothing new is no edit")
  func rescanByMonths() {
    let (catalogue, items) = Self.catalogue([("/p", 9)])
    var arrangement = LibraryArrangement(.month)
    var base = RescanDiff.Snapshot()
    arrangement.addPhotos(Array(items[..<6]), by: catalogue)
    arrangement.finishScan()
    arrangement.arrange(&base, by: catalogue)
    var same = Rescan(of: base, keepsListedOrder: false)
    for item in items[..<6].reversed() { same.addListed(item) }
    let nothing = same.outcome(in: &arrangement, by: catalogue) { _ in false }
    #expect(nothing?.snapshot == base && nothing?.removed == [] && nothing?.arrived == [])
    var rescan = Rescan(of: base, keepsListedOrder: false)
    for item in items[3...] + items[3...] { rescan.addListed(item) }
    let outcome = rescan.outcome(in: &arrangement, by: catalogue) { $0 == items[1] }
    #expect(outcome?.removed == [items[0], items[2]])
    #expect(outcome?.arrived == Array(items[6...]))
    #expect(outcome?.snapshot.itemIdentifiers == [items[1]] + items[3...])
  }
}
