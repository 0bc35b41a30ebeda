import DiffableData
import TestSupport
import Testing

@Suite("An item that is put elsewhere takes along what is below it")
struct TransactionReorderTests {
  typealias Flat = DiffableDataSourceSnapshot<Int, String>
  typealias Reorder = ItemReorder<Int, String>

  private var flat: Flat {
    var flat = Flat()
    flat.appendSections([1, 2, 3])
    flat.appendItems(["a", "b", "c"], toSection: 1)
    flat.appendItems(["d"], toSection: 2)
    return flat
  }

  @Test("In lists an item is moved within its section, to another, and to the end of an empty one")
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

  @Test("Nothing happens for what is not there, for the item itself, and where it stands already")
  func nothing() {
    let none: [Reorder] = [
      Reorder("x", to: .after("a")), Reorder("a", to: .after("x")), Reorder("a", to: .endOfSection(9)),
      Reorder("a", to: .before("a")), Reorder("a", to: .after("a")), Reorder("a", to: .before("b")),
      Reorder("b", to: .after("a")), Reorder("c", to: .endOfSection(1)),
    ]
    for reorder in none { #expect(reorder.transaction(in: flat, outlines: [:]) == nil, "\(reorder)") }
  }

  /// A garden in section 1, its trees and oaks expanded, and a list in section 2.
  private var outlined: (Flat, [Int: SectionSnapshotTests.Snapshot]) {
    var garden = SectionSnapshotTests.garden()
    garden.expand(["trees", "oak"])
    var flat = Flat()
    flat.appendSections([1, 2])
    flat.appendItems(["stone"], toSection: 2)
    flat.showVisibleItems(of: garden, inSection: 1)
    return (flat, [1: garden])
  }

  @Test("In a tree what is below goes along, visible or not, and takes the level of its destination")
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

  @Test("From a tree into a list, that becomes a tree; what was hidden stays hidden and there")
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

  @Test("An item is not put below itself, nor where it stands in its tree")
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

  @Test("Whatever is put wherever, both laws hold and no item is lost", arguments: 0..<30)
  func law(seed: UInt64) {
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

  @Test("Below an expanded item there is room where nothing is, and none in a list")
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

  @Test("A place between two levels is on the item's own, as far as it can be")
  func levels() {
    let (flat, trees) = outlined
    func destination(_ item: String, _ place: Int, part: Int = 1) -> ReorderDestination<Int, String>? {
      Reorder(item, toSection: 1, at: place, in: flat, shownPart: part, outlines: trees)?.destination
    }
    // trees, oak, red oak, white oak, beech, flowers
    #expect(destination("stone", 6) == .after("flowers"))
    #expect(destination("beech", 1) == .before("oak"))
    #expect(destination("beech", 3) == .before("white oak"))
    #expect(destination("flowers", 4) == .before("beech"), "no item without a parent is between two of one")
    #expect(destination("beech", 5) == .after("flowers"))
    #expect(destination("red oak", 3) == .after("white oak"))
    #expect(destination("oak", 9, part: 3) == .after("flowers"))
    #expect(Reorder("oak", toSection: 2, at: 0, in: flat, outlines: trees)?.destination == .before("stone"))
    var elsewhere = flat
    elsewhere.appendItems(["beech"], toSection: 2)
    #expect(
      Reorder("beech", toSection: 1, at: 4, in: elsewhere, outlines: trees)?.destination == .after("oak"),
      "also where it is shown in another section")
    #expect(Reorder("oak", toSection: 3, at: 0, in: flat, outlines: trees) == nil)
    #expect(Reorder("a", toSection: 3, at: 4, in: self.flat, outlines: [:])?.destination == .endOfSection(3))
  }

  @Test("Whatever place is asked for, the item stands there afterwards", arguments: 0..<30)
  func places(seed: UInt64) throws {
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
      let place = Int.random(in: 0...others.count, using: &edits.random)
      let reorder = try #require(
        ItemReorder(item, toSection: target, at: place, in: flat, shownPart: part.count, outlines: outlines))
      let outcome = reorder.outcome(in: flat, outlines: outlines)
      let shown = (outcome?.snapshot ?? flat).itemIdentifiers(inSection: target)
      #expect(shown == Array(others[..<place]) + part + Array(others[place...]), "\(reorder) in \(others)")
    }
  }
}
