import Testing
import VitrineDiffableData
import VitrineImageMetadata
import VitrinePhotoLibrary
import VitrineTestSupport

@testable import VitrineGalleryUI

@Suite("Photos are inserted into months at their sorted positions, in any order of arrival")
struct SortedArrangementTests {
  typealias Snapshot = RescanDiff.Snapshot
  static let day: Int64 = 86_400

  /// A catalogue of photos with given names and times.
  struct CatalogueFixture {
    var catalogue = PhotoCatalogue()
    var items: [PhotoID] = []

    mutating func add(_ photos: [(name: String, time: Int64?)], folder: String = "/p") {
      let first = UInt32(catalogue.count)
      let found = photos.enumerated().map { offset, photo in
        FoundPhoto(
          ordinal: first + UInt32(offset), folder: PhotoPath(folder), name: Array(photo.name.utf8),
          identity: FileIdentity(
            device: 1, inode: UInt64(first) + UInt64(offset), byteCount: 1, modificationNanoseconds: 0))
      }
      items += catalogue.apply(.found(found)).added
      setTimes(photos.enumerated().map { (first + UInt32($0.offset), $0.element.time) })
    }

    mutating func setTimes(_ times: [(ordinal: UInt32, time: Int64?)]) {
      _ = catalogue.apply(
        .headers(
          times.map {
            HeaderResult(
              ordinal: $0.ordinal,
              identity: FileIdentity(device: 1, inode: UInt64($0.ordinal), byteCount: 1, modificationNanoseconds: 0),
              header: ImageHeader(format: .jpeg, captureTime: $0.time))
          }))
    }

    /// Returns one line per section, with the title and the names of its photos.
    func sectionLines(_ snapshot: Snapshot) -> [String] {
      snapshot.sectionIdentifiers.map { section in
        let names = snapshot.itemIdentifiers(inSection: section).map { catalogue.displayName(of: $0) ?? "?" }
        return "\(section.title(FolderTitles())): \(names.joined(separator: " "))"
      }
    }
  }

  @Test("The latest month is first, a month is ordered by time and name, and undated photos are last")
  func order() {
    var fixture = CatalogueFixture()
    fixture.add([
      ("b10", 40 * Self.day), ("b9", 40 * Self.day), ("a", 45 * Self.day), ("z", 3), ("none", nil),
      ("m", 400 * Self.day),
    ])
    var months = SortedArrangement()
    var snapshot = Snapshot()
    months.insertItems(fixture.items, into: &snapshot, using: fixture.catalogue)
    #expect(
      fixture.sectionLines(snapshot) == [
        "February 1971: m", "February 1970: b9 b10 a", "January 1970: z", "Without a date: none",
      ])
    #expect(fixture.items.allSatisfy { months.isPlaced($0, using: fixture.catalogue) })
    months.removeItems([fixture.items[3], fixture.items[0]], from: &snapshot)
    #expect(fixture.sectionLines(snapshot) == ["February 1971: m", "February 1970: b9 a", "Without a date: none"])
    #expect(!months.isPlaced(fixture.items[3], using: fixture.catalogue))
  }

  @Test("Insertion in batches of any size and order is equivalent to sorting all photos", arguments: 0..<20)
  func batches(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    var fixture = CatalogueFixture()
    fixture.add(
      (0..<300).map { number in
        let time = Int64.random(in: 0..<(200 * Self.day), using: &generator) / Self.day * Self.day
        return ("n\(number % 40)-\(number)", generator.chance(oneIn: 12) ? nil : time)
      })
    var whole = Snapshot()
    var sorted = SortedArrangement()
    sorted.insertItems(fixture.items, into: &whole, using: fixture.catalogue)
    var months = SortedArrangement()
    var snapshot = Snapshot()
    var remaining = fixture.items.shuffled(using: &generator)[...]
    while !remaining.isEmpty {
      let batch = remaining.prefix(Int.random(in: 1...40, using: &generator))
      months.insertItems(Array(batch), into: &snapshot, using: fixture.catalogue)
      remaining = remaining.dropFirst(batch.count)
    }
    #expect(fixture.sectionLines(snapshot) == fixture.sectionLines(whole))
    #expect(whole.numberOfItems == 300)
    for section in whole.sectionIdentifiers {
      let times = whole.itemIdentifiers(inSection: section).compactMap { fixture.catalogue.time(of: $0) }
      #expect(times == times.sorted())
    }
  }

  @Test("Only photos whose dates have changed are moved")
  func changes() {
    var fixture = CatalogueFixture()
    fixture.add((0..<30).map { ("n\($0)", Int64($0) * 3 * Self.day) })
    var arrangement = LibraryArrangement(.month)
    arrangement.addPhotos(fixture.items, using: fixture.catalogue)
    var snapshot = Snapshot()
    arrangement.arrange(&snapshot, using: fixture.catalogue)
    #expect(!arrangement.hasChanges)
    fixture.setTimes([(4, 80 * Self.day), (5, nil), (6, 18 * Self.day)])
    arrangement.updatePhotos([4, 5, 6, 7].map { fixture.items[$0] }, using: fixture.catalogue)
    arrangement.updatePhotos([fixture.items[4]], using: fixture.catalogue)
    #expect(arrangement.hasChanges)
    arrangement.arrange(&snapshot, using: fixture.catalogue)
    var expected = Snapshot()
    var months = SortedArrangement()
    months.insertItems(fixture.items, into: &expected, using: fixture.catalogue)
    #expect(fixture.sectionLines(snapshot) == fixture.sectionLines(expected))
  }

  @Test("Twenty thousand photos in eighty batches are sorted")
  func large() {
    var generator = SeededGenerator(seed: 1)
    var fixture = CatalogueFixture()
    fixture.add((0..<20_000).map { ("n\($0)", Int64.random(in: 0..<(3_000 * Self.day), using: &generator)) })
    var months = SortedArrangement()
    var snapshot = Snapshot()
    for start in stride(from: 0, to: 20_000, by: 250) {
      months.insertItems(Array(fixture.items[start..<(start + 250)]), into: &snapshot, using: fixture.catalogue)
    }
    #expect(snapshot.numberOfItems == 20_000)
    let times = snapshot.sectionIdentifiers.map {
      snapshot.itemIdentifiers(inSection: $0).compactMap(fixture.catalogue.time)
    }
    #expect(times.allSatisfy { $0 == $0.sorted() })
  }
}
