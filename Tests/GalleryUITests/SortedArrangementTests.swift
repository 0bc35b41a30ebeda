import DiffableData
import ImageMetadata
import PhotoLibrary
import TestSupport
import Testing

@testable import GalleryUI

@Suite("Photographs are put into months, each at its place, whatever order they come in")
struct SortedArrangementTests {
  typealias Snapshot = RescanDiff.Snapshot
  static let day: Int64 = 86_400

  /// A catalogue whose photographs have names and times that a test tells.
  struct Shelf {
    var catalogue = PhotoCatalogue()
    var items: [PhotoID] = []

    mutating func add(_ photos: [(name: String, time: Int64?)], folder: String = "/p") {
      let first = UInt32(catalogue.count)
      let found = photos.enumerated().map { place, photo in
        FoundPhoto(
          ordinal: first + UInt32(place), folder: PhotoPath(folder), name: Array(photo.name.utf8),
          identity: FileIdentity(
            device: 1, inode: UInt64(first) + UInt64(place), byteCount: 1, modificationNanoseconds: 0))
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

    /// Months with the names in them.
    func shown(_ snapshot: Snapshot) -> [String] {
      snapshot.sectionIdentifiers.map { section in
        let names = snapshot.itemIdentifiers(inSection: section).map { catalogue.displayName(of: $0) ?? "?" }
        return "\(section.title): \(names.joined(separator: " "))"
      }
    }
  }

  @Test("The latest month first, in it the earlier photograph, equal times by name; without a date last")
  func order() {
    var shelf = Shelf()
    shelf.add([
      ("b10", 40 * Self.day), ("b9", 40 * Self.day), ("a", 45 * Self.day), ("z", 3), ("none", nil),
      ("m", 400 * Self.day),
    ])
    var months = SortedArrangement()
    var snapshot = Snapshot()
    months.insertItems(shelf.items, into: &snapshot, by: shelf.catalogue)
    #expect(
      shelf.shown(snapshot) == [
        "February 1971: m", "February 1970: b9 b10 a", "January 1970: z", "Without a date: none",
      ])
    #expect(shelf.items.allSatisfy { months.isPlaced($0, by: shelf.catalogue) })
    months.removeItems([shelf.items[3], shelf.items[0]], from: &snapshot)
    #expect(shelf.shown(snapshot) == ["February 1971: m", "February 1970: b9 a", "Without a date: none"])
    #expect(!months.isPlaced(shelf.items[3], by: shelf.catalogue))
  }

  @Test("In portions of any size and order the outcome is that of sorting all at once", arguments: 0..<20)
  func portions(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    var shelf = Shelf()
    shelf.add(
      (0..<300).map { number in
        let time = Int64.random(in: 0..<(200 * Self.day), using: &generator) / Self.day * Self.day
        return ("n\(number % 40)-\(number)", generator.chance(oneIn: 12) ? nil : time)
      })
    var whole = Snapshot()
    var sorted = SortedArrangement()
    sorted.insertItems(shelf.items, into: &whole, by: shelf.catalogue)
    var months = SortedArrangement()
    var snapshot = Snapshot()
    var rest = shelf.items.shuffled(using: &generator)[...]
    while !rest.isEmpty {
      let portion = rest.prefix(Int.random(in: 1...40, using: &generator))
      months.insertItems(Array(portion), into: &snapshot, by: shelf.catalogue)
      rest = rest.dropFirst(portion.count)
    }
    #expect(shelf.shown(snapshot) == shelf.shown(whole))
    #expect(whole.numberOfItems == 300)
    for section in whole.sectionIdentifiers {
      let times = whole.itemIdentifiers(inSection: section).compactMap { shelf.catalogue.time(of: $0) }
      #expect(times == times.sorted())
    }
  }

  @Test("Photographs whose dates change go where they belong, and only they")
  func changes() {
    var shelf = Shelf()
    shelf.add((0..<30).map { ("n\($0)", Int64($0) * 3 * Self.day) })
    var arrangement = LibraryArrangement(.month)
    arrangement.addPhotos(shelf.items, by: shelf.catalogue)
    var snapshot = Snapshot()
    arrangement.arrange(&snapshot, by: shelf.catalogue)
    #expect(!arrangement.hasChanges)
    shelf.setTimes([(4, 80 * Self.day), (5, nil), (6, 18 * Self.day)])
    arrangement.updatePhotos([4, 5, 6, 7].map { shelf.items[$0] }, by: shelf.catalogue)
    arrangement.updatePhotos([shelf.items[4]], by: shelf.catalogue)
    #expect(arrangement.hasChanges)
    arrangement.arrange(&snapshot, by: shelf.catalogue)
    var expected = Snapshot()
    var months = SortedArrangement()
    months.insertItems(shelf.items, into: &expected, by: shelf.catalogue)
    #expect(shelf.shown(snapshot) == shelf.shown(expected))
  }

  @Test("Twenty thousand photographs in eighty portions stand in order")
  func large() {
    var generator = SeededGenerator(seed: 1)
    var shelf = Shelf()
    shelf.add((0..<20_000).map { ("n\($0)", Int64.random(in: 0..<(3_000 * Self.day), using: &generator)) })
    var months = SortedArrangement()
    var snapshot = Snapshot()
    for start in stride(from: 0, to: 20_000, by: 250) {
      months.insertItems(Array(shelf.items[start..<(start + 250)]), into: &snapshot, by: shelf.catalogue)
    }
    #expect(snapshot.numberOfItems == 20_000)
    let times = snapshot.sectionIdentifiers.map {
      snapshot.itemIdentifiers(inSection: $0).compactMap(shelf.catalogue.time)
    }
    #expect(times.allSatisfy { $0 == $0.sorted() })
  }
}
