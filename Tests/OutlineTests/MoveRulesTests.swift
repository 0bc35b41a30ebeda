import DiffableData
import TestSupport
import Testing

@testable import vitrine_outline

@Suite("What may stand where in the outline")
struct MoveRulesTests {
  private typealias Snapshot = DiffableDataSourceSnapshot<Shelf, Entry>

  /// Two favourites, and a continent with a region that is open, one that is closed and one that is open and empty.
  private var rules: MoveRules {
    var snapshot = Snapshot()
    snapshot.appendSections([.favourites, .continent(0), .continent(1)])
    snapshot.appendItems([.favourite(1), .favourite(2)], toSection: .favourites)
    snapshot.appendItems(
      [.region("open"), .destination(1), .destination(2), .region("closed"), .region("empty")],
      toSection: .continent(0))
    return MoveRules(snapshot) { $0 == .region("open") || $0 == .region("empty") }
  }

  private func place(_ entry: Entry, _ section: Int, _ item: Int) -> ItemPosition? {
    rules.place(for: entry, proposed: ItemPosition(section: section, item: item))
  }

  @Test("A favourite goes anywhere among favourites, and nowhere else")
  func favourites() {
    #expect(place(.favourite(1), 0, 1) == ItemPosition(section: 0, item: 1))
    #expect(place(.favourite(1), 1, 1) == nil)
    #expect(place(.destination(1), 0, 0) == nil && place(.region("open"), 0, 0) == nil)
  }

  @Test("A destination goes below regions that are open, also where nothing is")
  func destinations() {
    // Without it: open, 2, closed, empty.
    #expect(place(.destination(1), 1, 0) == ItemPosition(section: 1, item: 1))
    #expect(place(.destination(1), 1, 2) == ItemPosition(section: 1, item: 2))
    #expect(place(.destination(1), 1, 3) == ItemPosition(section: 1, item: 2))
    #expect(place(.destination(1), 1, 4) == ItemPosition(section: 1, item: 4))
    #expect(place(.destination(1), 2, 0) == nil)
  }

  @Test("A region goes before and behind others with all that is below them")
  func regions() {
    // Without it and its own: open, 1, 2, empty.
    #expect(place(.region("closed"), 1, 1) == ItemPosition(section: 1, item: 0))
    #expect(place(.region("closed"), 1, 2) == ItemPosition(section: 1, item: 3))
    #expect(place(.region("closed"), 2, 0) == ItemPosition(section: 2, item: 0))
    // Without what is below it: closed, empty.
    #expect(place(.region("open"), 1, 2) == ItemPosition(section: 1, item: 2))
    #expect(place(.region("open"), 1, 9) == ItemPosition(section: 1, item: 2))
  }
}
