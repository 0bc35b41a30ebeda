import Testing
import VitrineDiffableData
import VitrineTestSupport

@Suite("Reordering an item moves its descendants with it")
struct ItemReorderTests {
  typealias Flat = DiffableDataSourceSnapshot<Int, String>
  typealias Reorder = ItemReorder<Int, String>

  private var flat: Flat {
    var flat = Flat()
    flat.appendSections([1, 2, 3])
    flat.appendItems(["a", "b", "c"], toSection: 1)
    flat.appendItems(["d"], toSection: 2)
    return flat
  }

  @Test("In lists an item moves within its section, to another section, and to the end of an empty one")
  func lists() {
    let after = Reorder("a", to: .after("b")).transaction(in: flat, outlines: [:])
    #expect(after?.finalSnapshot.itemIdentifiers == ["b", "a", "c", "d"])
    #expect(after?.initialSnapshot == flat)
    #expect(after?.difference.count == 2)
    let before = Reorder("a", to: .before("d")).transaction(in: flat, outlines: [:])
    #expect(before?.finalSnapshot.itemIdentifiers(inSection: 2) == ["a", "d"])
    #expect(before?.sectionTransactions.map(\.sectionIdentifier) == [1, 2])
    let end = Reorder("b", to: .endOfSection(3)).transaction(in: flat, outlines: [:])
    #expect(end?.finalSnapshot.itemIdentifiers(inSection: 3) == ["b"])
    #expect(end?.sectionTransactions.map(\.finalSnapshot.items) == [["a", "c"], ["b"]])
  }

  @Test("Unknown items, the item itself and its current position make no transaction")
  func noChange() {
    let none: [Reorder] = [
      Reorder("x", to: .after("a")), Reorder("a", to: .after("x")), Reorder("a", to: .endOfSection(9)),
      Reorder("a", to: .before("a")), Reorder("a", to: .after("a")), Reorder("a", to: .before("b")),
      Reorder("b", to: .after("a")), Reorder("c", to: .endOfSection(1)),
    ]
    for reorder in none { #expect(reorder.transaction(in: flat, outlines: [:]) == nil, "\(reorder)") }
  }

  /// Section 1 with a garden whose trees and oaks are expanded, and section 2 with a list.
  private var outlined: (Flat, [Int: SectionSnapshotTests.Snapshot]) {
    var garden = SectionSnapshotTests.garden()
    garden.expand(["trees", "oak"])
    var flat = Flat()
    flat.appendSections([1, 2])
    flat.appendItems(["stone"], toSection: 2)
    flat.showVisibleItems(of: garden, inSection: 1)
    return (flat, [1: garden])
  }

  @Test("In a tree the descendants move along, visible or not, and take the level of the destination")
  func trees() throws {
    let (flat, trees) = outlined
    let transaction = try #require(Reorder("oak", to: .after("flowers")).transaction(in: flat, outlines: trees))
    #expect(
      transaction.finalSnapshot.itemIdentifiers(inSection: 1)
        == ["trees", "beech", "flowers", "oak", "red oak", "white oak"])
    let tree = try #require(transaction.finalOutlines[1])
    #expect(tree.items == ["trees", "beech", "flowers", "tulip", "oak", "red oak", "white oak"])
    #expect(tree.level(of: "oak") == 0 && tree.isExpanded("oak"))
    #expect(flat.itemIdentifiers.applying(transaction.difference) == transaction.finalSnapshot.itemIdentifiers)
    let section = try #require(transaction.sectionTransactions.first)
    #expect(section.initialSnapshot == trees[1] && section.finalSnapshot == tree)
    #expect(section.initialSnapshot.items.applying(section.difference) == tree.items)
  }

  @Test("An item that moves from a tree to a list makes it a tree, and hidden descendants stay hidden")
  func acrossSections() throws {
    let (flat, trees) = outlined
    let transaction = try #require(Reorder("flowers", to: .before("stone")).transaction(in: flat, outlines: trees))
    #expect(transaction.finalSnapshot.itemIdentifiers(inSection: 2) == ["flowers", "stone"])
    #expect(transaction.finalOutlines[2]?.items == ["flowers", "tulip", "stone"])
    #expect(transaction.finalOutlines[1]?.contains("tulip") == false)
    #expect(transaction.difference.count == 2)
    let end = try #require(Reorder("trees", to: .endOfSection(2)).transaction(in: flat, outlines: trees))
    #expect(
      end.finalSnapshot.itemIdentifiers(inSection: 2) == ["stone", "trees", "oak", "red oak", "white oak", "beech"])
  }

  @Test("An item cannot move below itself or to its current position in the tree")
  func belowItself() {
    let (flat, trees) = outlined
    let none: [Reorder] = [
      Reorder("trees", to: .after("red oak")), Reorder("oak", to: .before("white oak")),
      Reorder("beech", to: .after("oak")), Reorder("flowers", to: .after("trees")),
      Reorder("flowers", to: .endOfSection(1)), Reorder("tulip", to: .before("trees")),
      Reorder("oak", to: .after("tulip")),
    ]
    for reorder in none { #expect(reorder.transaction(in: flat, outlines: trees) == nil, "\(reorder)") }
  }

  @Test("For any reordering the differences are correct and no item is lost", arguments: TestScale.seeds(0..<30))
  func invariants(seed: UInt64) {
    var first = SectionSnapshotEdits(seed: seed &+ 900)
    for _ in 0..<20 { first.edit(upTo: 4) }
    var outlines: [Int: DiffableDataSourceSectionSnapshot<Int>] = [1: first.snapshot]
    var flat = DiffableDataSourceSnapshot<Int, Int>()
    flat.appendSections([1, 2, 3])
    flat.appendItems([-1, -2, -3], toSection: 2)
    flat.showVisibleItems(of: first.snapshot, inSection: 1)
    let all = Set(first.snapshot.items + [-1, -2, -3])
    for _ in 0..<40 {
      let visible = flat.itemIdentifiers
      guard let item = visible.randomElement(using: &first.random) else { return }
      guard let anchor = visible.randomElement(using: &first.random) else { return }
      let destinations: [ReorderDestination<Int, Int>] = [
        .before(anchor), .after(anchor), .endOfSection(Int.random(in: 1...3, using: &first.random)),
      ]
      let destination = destinations[Int.random(in: 0..<3, using: &first.random)]
      let reorder = ItemReorder(item, to: destination)
      guard let transaction = reorder.transaction(in: flat, outlines: outlines) else { continue }
      #expect(visible.applying(transaction.difference) == transaction.finalSnapshot.itemIdentifiers)
      for section in transaction.sectionTransactions {
        #expect(section.initialSnapshot.items.applying(section.difference) == section.finalSnapshot.items)
      }
      outlines.merge(transaction.finalOutlines) { $1 }
      flat = transaction.finalSnapshot
      for section in 1...3 {
        let shown = flat.itemIdentifiers(inSection: section)
        if let tree = outlines[section] { #expect(tree.visibleItems == shown) }
      }
      let items = [1, 2, 3].flatMap { outlines[$0]?.items ?? flat.itemIdentifiers(inSection: $0) }
      #expect(items.count == all.count && Set(items) == all)
    }
  }

  @Test("An item can move below an expanded item without children, but not below an item of a list")
  func lastChild() throws {
    var (flat, trees) = outlined
    trees[1]?.delete(["red oak", "white oak"])
    flat.deleteItems(["red oak", "white oak"])
    let below = try #require(Reorder("stone", to: .lastChild(of: "oak")).transaction(in: flat, outlines: trees))
    #expect(below.finalSnapshot.itemIdentifiers(inSection: 1) == ["trees", "oak", "stone", "beech", "flowers"])
    #expect(below.finalOutlines[1]?.parent(of: "stone") == "oak")
    let hidden = try #require(Reorder("beech", to: .lastChild(of: "flowers")).transaction(in: flat, outlines: trees))
    #expect(hidden.finalSnapshot.itemIdentifiers(inSection: 1) == ["trees", "oak", "flowers"])
    #expect(hidden.finalOutlines[1]?.children(of: "flowers") == ["tulip", "beech"])
    #expect(Reorder("trees", to: .lastChild(of: "oak")).transaction(in: flat, outlines: trees) == nil)
    #expect(Reorder("a", to: .lastChild(of: "b")).transaction(in: self.flat, outlines: [:]) == nil)
  }

  @Test("A position between two levels is resolved to the level of the item where possible")
  func levels() {
    let (flat, trees) = outlined
    func destination(_ item: String, _ index: Int, visibleCount: Int = 1) -> ReorderDestination<Int, String>? {
      Reorder(item, toSection: 1, at: index, in: flat, visibleCount: visibleCount, outlines: trees)?.destination
    }
    // trees, oak, red oak, white oak, beech, flowers
    #expect(destination("stone", 6) == .after("flowers"))
    #expect(destination("beech", 1) == .before("oak"))
    #expect(destination("beech", 3) == .before("white oak"))
    #expect(destination("flowers", 4) == .before("beech"), "a root item is never between two children of another item")
    #expect(destination("beech", 5) == .after("flowers"))
    #expect(destination("red oak", 3) == .after("white oak"))
    #expect(destination("oak", 9, visibleCount: 3) == .after("flowers"))
    #expect(Reorder("oak", toSection: 2, at: 0, in: flat, outlines: trees)?.destination == .before("stone"))
    var elsewhere = flat
    elsewhere.appendItems(["beech"], toSection: 2)
    #expect(
      Reorder("beech", toSection: 1, at: 4, in: elsewhere, outlines: trees)?.destination == .after("oak"),
      "also if it is displayed in another section")
    #expect(Reorder("oak", toSection: 3, at: 0, in: flat, outlines: trees) == nil)
    #expect(Reorder("a", toSection: 3, at: 4, in: self.flat, outlines: [:])?.destination == .endOfSection(3))
  }

  @Test("After reordering to any position, the item is displayed there", arguments: 0..<30)
  func positions(seed: UInt64) throws {
    var edits = SectionSnapshotEdits(seed: seed &+ 4_400)
    for _ in 0..<25 { edits.edit(upTo: 4) }
    let outlines = [1: edits.snapshot]
    var flat = DiffableDataSourceSnapshot<Int, Int>()
    flat.appendSections([1, 2, 3])
    flat.appendItems([-1, -2, -3], toSection: 2)
    flat.showVisibleItems(of: edits.snapshot, inSection: 1)
    for _ in 0..<60 {
      guard let item = flat.itemIdentifiers.randomElement(using: &edits.random) else { return }
      let target = Int.random(in: 1...3, using: &edits.random)
      let isInTree = edits.snapshot.contains(item)
      let part = isInTree ? [item] + edits.snapshot.visibleItems(below: item) : [item]
      let others = flat.itemIdentifiers(inSection: target).filter { !part.contains($0) }
      let index = Int.random(in: 0...others.count, using: &edits.random)
      let reorder = try #require(
        ItemReorder(item, toSection: target, at: index, in: flat, visibleCount: part.count, outlines: outlines))
      let outcome = reorder.outcome(in: flat, outlines: outlines)
      let shown = (outcome?.snapshot ?? flat).itemIdentifiers(inSection: target)
      #expect(shown == Array(others[..<index]) + part + Array(others[index...]), "\(reorder) in \(others)")
    }
  }
}
