import Testing
import VitrineDiffableData
import VitrineTestSupport

@Suite("A section snapshot is a tree of items, some of them expanded")
struct SectionSnapshotTests {
  typealias Snapshot = DiffableDataSourceSectionSnapshot<String>

  static func garden() -> Snapshot {
    var garden = Snapshot()
    garden.append(["trees", "flowers"])
    garden.append(["oak", "beech"], to: "trees")
    garden.append(["red oak", "white oak"], to: "oak")
    garden.append(["tulip"], to: "flowers")
    return garden
  }

  @Test("The description has one line per item with its visibility, expansion state and level")
  func description() {
    var garden = Self.garden()
    garden.expand(["trees", "tulip", "beech"])
    #expect(
      garden.visualDescription() == """
        *+ trees
          *- oak
             - red oak
             - white oak
          *+ beech
        *- flowers
           + tulip
        """)
    garden.expand(["oak"])
    garden.collapse(["trees"])
    #expect(
      garden.visualDescription() == """
        *- trees
           + oak
             - red oak
             - white oak
           + beech
        *- flowers
           + tulip
        """)
    #expect(Snapshot().visualDescription() == "")
  }

  @Test("Inserting after an item inserts after all its descendants, at its level")
  func insertAfter() {
    var garden = Self.garden()
    garden.insert(["elm", "ash"], after: "oak")
    garden.insert(["birch"], before: "oak")
    garden.insert(["ferns"], after: "trees")
    #expect(
      garden.items == [
        "trees", "birch", "oak", "red oak", "white oak", "elm", "ash", "beech", "ferns", "flowers", "tulip",
      ])
    #expect(garden.level(of: "elm") == 1 && garden.level(of: "ferns") == 0)
    #expect(garden.parent(of: "elm") == "trees" && garden.parent(of: "ferns") == nil)
  }

  @Test("An item without children can be expanded, and stays expanded")
  func expansionWithoutChildren() {
    var garden = Self.garden()
    garden.expand(["tulip"])
    #expect(garden.isExpanded("tulip"))
    garden.append(["early", "late"], to: "tulip")
    #expect(!garden.isVisible("early"))
    garden.expand(["flowers"])
    #expect(garden.isVisible("early"))
    garden.delete(["early", "late"])
    #expect(garden.isExpanded("tulip"))
    garden.replace(childrenOf: "flowers", using: Snapshot())
    #expect(garden.isExpanded("flowers") && !garden.contains("tulip"))
    garden.append(["tulip"], to: "flowers")
    #expect(!garden.isExpanded("tulip"))
  }

  @Test("Expanded items below a collapsed item reappear when it is expanded")
  func expansionBelow() {
    var garden = Self.garden()
    garden.expand(["trees", "oak"])
    let visible = garden.visibleItems
    garden.collapse(["trees"])
    #expect(garden.visibleItems == ["trees", "flowers"])
    #expect(garden.expandedItems == ["oak"])
    garden.expand(["trees"])
    #expect(garden.visibleItems == visible)
  }

  @Test("Expanding unknown items returns them, and queries about unknown items return false or nil")
  func unknown() {
    var garden = Self.garden()
    let before = garden
    #expect(garden.expand(["cactus", "cactus"]) == ["cactus", "cactus"])
    #expect(garden.collapse(["cactus"]) == ["cactus"])
    garden.delete(["cactus"])
    #expect(garden == before)
    #expect(!garden.contains("cactus") && !garden.isExpanded("cactus") && !garden.isVisible("cactus"))
    #expect(garden.index(of: "cactus") == nil && garden.parent(of: "cactus") == nil)
  }

  @Test("Adding or deleting no items has no effect")
  func noItems() {
    var garden = Self.garden()
    let before = garden
    garden.append([])
    garden.append([], to: "oak")
    garden.insert([], before: "oak")
    garden.insert(Snapshot(), after: "oak")
    garden.delete([])
    #expect(garden == before)
    garden.deleteAll()
    #expect(garden.items.isEmpty && garden.rootItems.isEmpty && garden.numberOfItems == 0)
    garden.append(["oak"])
    #expect(garden.items == ["oak"])
  }

  @Test("A partial snapshot starts at level 0, is independent, and can be inserted again unchanged")
  func parts() {
    var garden = Self.garden()
    garden.expand(["oak"])
    var part = garden.snapshot(of: "trees")
    #expect(part.rootItems == ["oak", "beech"] && part.level(of: "red oak") == 1 && part.isVisible("red oak"))
    let whole = garden.snapshot(of: "trees", includingParent: true)
    #expect(whole.rootItems == ["trees"] && whole.level(of: "red oak") == 2)
    #expect(garden.snapshot(of: "tulip").items.isEmpty)
    part.delete(["oak"])
    #expect(garden.contains("oak"))
    let before = garden
    garden.replace(childrenOf: "trees", using: garden.snapshot(of: "trees"))
    #expect(garden == before)
    garden.delete(["trees"])
    garden.insert(whole, before: "flowers")
    #expect(garden == before)
  }

  @Test("Copies are independent of each other")
  func values() {
    let first = Self.garden()
    var second = first
    var third = first
    second.delete(["oak"])
    third.expand(["trees"])
    third.append(["elm"], to: "trees")
    #expect(first == Self.garden())
    #expect(second.items == ["trees", "beech", "flowers", "tulip"] && second.expandedItems.isEmpty)
    #expect(third.visibleItems == ["trees", "oak", "beech", "elm", "flowers"])
    #expect(first != second && first != third)
  }

  /// Returns a chain of expanded items, each the child of the previous one.
  private func chain(of items: Range<Int>) -> DiffableDataSourceSectionSnapshot<Int> {
    var chain = DiffableDataSourceSectionSnapshot<Int>()
    for item in items { chain.append([item], to: item == items.lowerBound ? nil : item - 1) }
    chain.expand(Array(items))
    return chain
  }

  @Test("A chain of 10,000 nested items is traversed like a list")
  func chain() {
    var chain = chain(of: 9_800..<10_000)
    for first in stride(from: 9_600, through: 0, by: -200) {
      var longer = self.chain(of: first..<(first + 200))
      longer.append(chain, to: first + 199)
      chain = longer
    }
    #expect(chain.index(of: 9_999) == 9_999 && chain.level(of: 9_999) == 9_999)
    #expect(chain.isVisible(9_999))
    #expect(chain.visibleItems == Array(0..<10_000))
    let part = chain.snapshot(of: 4_999)
    #expect(part.items == Array(5_000..<10_000) && part.level(of: 9_999) == 4_999)
    chain.collapse([7_000])
    #expect(!chain.isVisible(7_001))
    chain.delete([5_000])
    #expect(chain.numberOfItems == 5_000)
  }

  @Test("A long list is edited in the middle after every copy, and the copies are unchanged")
  func wide() {
    var wide = DiffableDataSourceSectionSnapshot<Int>()
    wide.append(Array(0..<20_000))
    var copies = [wide]
    for step in 0..<100 {
      wide.insert([20_000 + step], before: 10_000)
      wide.delete([step])
      copies.append(wide)
    }
    #expect(wide.index(of: 10_000) == 10_000 && wide.index(of: 19_999) == 19_999 && wide.index(of: 100) == 0)
    for (step, copy) in copies.enumerated() {
      #expect(copy.numberOfItems == 20_000 && copy.index(of: 10_001) == 10_001 && !copy.contains(step - 1))
      #expect(copy.index(of: step) == 0)
    }
  }
}

// MARK: - Visible items

@Suite("Only the visible items of a section tree are in the flat snapshot")
struct SectionSnapshotVisibleItemsTests {
  typealias Flat = DiffableDataSourceSnapshot<Int, Int>

  @Test("A missing section is appended, and an item of another section is moved")
  func sections() {
    var flat = Flat()
    flat.appendSections([1])
    flat.appendItems([1, 2, 3])
    var tree = DiffableDataSourceSectionSnapshot<Int>()
    tree.append([4, 2])
    tree.append([5], to: 4)
    flat.showVisibleItems(of: tree, inSection: 2)
    #expect(flat.sectionIdentifiers == [1, 2])
    #expect(flat.itemIdentifiers(inSection: 1) == [1, 3])
    #expect(flat.itemIdentifiers(inSection: 2) == [4, 2])
    flat.showVisibleItems(of: DiffableDataSourceSectionSnapshot(), inSection: 2)
    #expect(flat.sectionIdentifiers == [1, 2] && flat.numberOfItems(inSection: 2) == 0)
  }

  @Test(
    "After any sequence of trees, the section holds the visible items, and other sections are unchanged",
    arguments: 0..<40)
  func anyTrees(seed: UInt64) {
    var edits = SectionSnapshotEdits(seed: seed &+ 5_000)
    var flat = Flat()
    flat.appendSections([1, 2, 3])
    flat.appendItems([-1, -2], toSection: 1)
    flat.appendItems([-3], toSection: 3)
    for _ in 0..<60 {
      edits.edit(upTo: 5)
      flat.showVisibleItems(of: edits.snapshot, inSection: 2)
      #expect(flat.itemIdentifiers(inSection: 2) == edits.snapshot.visibleItems)
    }
    #expect(flat.itemIdentifiers(inSection: 1) == [-1, -2] && flat.itemIdentifiers(inSection: 3) == [-3])
  }

  @Test("Expanding an item only inserts items")
  func differences() {
    var tree = DiffableDataSourceSectionSnapshot<Int>()
    tree.append(Array(0..<100))
    tree.append(Array(100..<110), to: 50)
    var flat = Flat()
    flat.showVisibleItems(of: tree, inSection: 7)
    var next = flat
    tree.expand([50])
    next.showVisibleItems(of: tree, inSection: 7)
    let changes = next.changeset(from: flat)
    #expect(changes.itemMoves.isEmpty)
    #expect(changes.sections.first?.inserts.ranges == [51..<61])
    #expect(changes.sections.first?.deletes.isEmpty ?? false)
  }
}
