import Geometry
import TestSupport
import Testing

@testable import CollectionLayout

@Suite("What is not known at first in a composition")
struct CompositionSettlingTests {
  private func composition(
    _ random: inout SeededGenerator, header: CollectionLayoutBoundarySupplementaryItem? = nil
  ) -> (SolvedComposition, CompositionalLayout) {
    let seed = random.next()
    let counts = random.counts(8)
    let layout = CompositionalLayout { section, _ in
      var rules = CollectionLayoutSection.shelves(ShelfContent(seed: seed &+ UInt64(section), guess: 25))
      rules.boundarySupplementaryItems = header.map { [$0] } ?? []
      return rules
    }
    return (
      layout.solved(in: LayoutEnvironment(containerSize: Size(width: 60, height: 90)), for: ItemCounts(counts)), layout
    )
  }

  @Test("What is seen is final once it was settled, and refining the rest moves none of it against its anchor")
  func settling() {
    var random = SeededGenerator(seed: 461)
    for _ in 0..<200 {
      var (composition, _) = composition(&random)
      var offset = Double.random(in: 0...max(1, composition.maximumOffset), using: &random)
      let anchor = composition.anchor(at: offset)
      while composition.settle(in: composition.visibleRect(at: offset)) { offset = composition.offset(of: anchor) }
      let hasMoved = composition.settle(in: composition.visibleRect(at: offset))
      #expect(!hasMoved)
      let items = composition.items(in: composition.visibleRect(at: offset))
      let frames = items.map { composition.frame(ofItem: $0) }
      var rounds = 0
      while !composition.isSettled, rounds < 1_000 {
        _ = composition.refine(atMost: 4)
        rounds += 1
      }
      let hasMore = composition.refine(atMost: 100)
      #expect(composition.isSettled && !hasMore)
      let shift = Set(zip(items, frames).map { composition.frame(ofItem: $0).minY - $1.minY })
      #expect(shift.count <= 1)
      #expect(zip(items, frames).allSatisfy { composition.frame(ofItem: $0).size == $1.size })
    }
  }

  @Test("Refining all makes of it what it is when all is known")
  func refiningAll() {
    var random = SeededGenerator(seed: 462)
    for _ in 0..<100 {
      var (composition, _) = composition(&random)
      var rounds = 0
      while !composition.isSettled, rounds < 1_000 {
        _ = composition.refine(atMost: .random(in: 1...9, using: &random))
        rounds += 1
      }
      var top = 0
      for section in composition.sections.indices {
        #expect(composition.firstPixel(ofSection: section) == top)
        top += composition.sections[section].length
      }
      #expect(composition.contentSize.height == Double(top))
    }
  }

  @Test("A header's measured height is its height from then on, through updates and widths")
  func headers() {
    var random = SeededGenerator(seed: 463)
    var (composition, _) = composition(
      &random, header: .view("H", .top, .fractionalWidth(1), .estimated(10), pins: true))
    let header = ElementIdentity(kind: .supplementary("H"), section: 3)
    let height = composition.contentSize.height
    #expect(composition.asksForSize(ofElement: header))
    #expect(composition.setPreferredSize(Size(width: 99, height: 17), ofElement: header) == .changed)
    #expect(composition.setPreferredSize(Size(width: 60, height: 17), ofElement: header) == .unchanged)
    for bad in [Double.nan, .infinity, -3] {
      #expect(composition.setPreferredSize(Size(width: bad, height: bad), ofElement: header) == .unchanged)
    }
    #expect(composition.contentSize.height == height + 7)
    func frame() -> Rect? { composition.attributes(of: header, in: composition.visibleRect(at: 0))?.frame }
    #expect(frame()?.size == Size(width: 60, height: 17))
    composition.invalidate(.environment(LayoutEnvironment(containerSize: Size(width: 70, height: 90))))
    #expect(frame()?.size == Size(width: 70, height: 17))
    let counts = composition.itemCounts
    composition.invalidate(.items(LayoutUpdate(counts: counts, formerSections: [0, 1, 2, 3, 4, 5, 6, 7])))
    #expect(frame()?.size == Size(width: 70, height: 17))
    #expect(composition.setPreferredSize(.zero, ofElement: ElementIdentity(kind: .cell, section: 3)) == .unchanged)
    #expect(
      composition.setPreferredSize(.zero, ofElement: ElementIdentity(kind: .supplementary("H"), section: 9))
        == .unchanged)
  }

  @Test("A header that cannot make up its mind keeps the largest size, and is reported once")
  func restlessHeader() {
    var random = SeededGenerator(seed: 464)
    var (composition, _) = composition(&random, header: .view("H", .top, .fractionalWidth(1), .estimated(10)))
    let header = ElementIdentity(kind: .supplementary("H"), section: 0)
    var verdicts: [SizeVerdict] = []
    for round in 0..<40 {
      verdicts.append(
        composition.setPreferredSize(Size(width: 60, height: round % 2 == 0 ? 20 : 30), ofElement: header))
    }
    #expect(verdicts.prefix(4) == [.changed, .changed, .changed, .frozen(30)])
    #expect(verdicts.dropFirst(4).allSatisfy { $0 == .unchanged })
    #expect(!composition.asksForSize(ofElement: header))
    #expect(composition.attributes(of: header, in: composition.visibleRect(at: 0))?.frame.height == 30)
  }

  @Test("A global header is measured too, and moves all sections")
  func globalHeader() {
    var composition = CompositionalLayout(
      section: .grid(columns: .count(2)),
      configuration: .init(boundarySupplementaryItems: [.view("G", .top, .fractionalWidth(1), .estimated(10))])
    ).solved(in: LayoutEnvironment(containerSize: Size(width: 40, height: 90)), for: ItemCounts([4]))
    let header = ElementIdentity(kind: .supplementary("G"), section: nil)
    #expect(composition.asksForSize(ofElement: header))
    #expect(composition.frame(ofItem: 0).minY == 10)
    #expect(composition.setPreferredSize(Size(width: 40, height: 25), ofElement: header) == .changed)
    #expect(composition.frame(ofItem: 0).minY == 25)
    #expect(composition.contentSize.height == 65)
  }

  @Test("Cells are asked where their section's rules say so, and sections behind follow")
  func cells() {
    var layout = ShelfContent(seed: 5, itemsAShelf: 1)
    layout.asksForSizes = true
    let asking = layout
    var composition = CompositionalLayout { section, _ in
      section == 0 ? .shelves(asking) : .grid(columns: .count(1))
    }.solved(in: LayoutEnvironment(containerSize: Size(width: 40, height: 90)), for: ItemCounts([3, 2]))
    #expect(composition.asksForSize(ofItem: 1) && !composition.asksForSize(ofItem: 3))
    #expect(composition.setPreferredSize(Size(width: 7, height: 7), ofItem: 3) == .unchanged)
    let (own, next) = (composition.sections[0].length, composition.frame(ofItem: 3).minY)
    #expect(composition.setPreferredSize(Size(width: 40, height: 99), ofItem: 1) == .changed)
    #expect(composition.setPreferredSize(Size(width: .nan, height: 99), ofItem: 1) == .unchanged)
    let growth = Double(composition.sections[0].length - own)
    #expect(growth > 0 && composition.frame(ofItem: 3).minY == next + growth)
  }

  @Test("All of a large rectangle is final once it was settled, however much more it shows than was expected")
  func settlingMuch() {
    // Slivers: many more fit in a row than photographs would.
    var composition = CompositionalLayout(
      section: .justified(targetRowHeight: 10, spacing: 0, lineSpacing: 0) { _ in 0.3 }
    ).solved(in: LayoutEnvironment(containerSize: Size(width: 100, height: 90)), for: ItemCounts([40_000]))
    let rect = Rect(x: 0, y: 0, width: 100, height: composition.contentSize.height / 8)
    let hasMoved = composition.settle(in: rect)
    let hasMovedAgain = composition.settle(in: rect)
    #expect(hasMoved && !hasMovedAgain)
  }

  @Test("A header that lies over the content is seen as far as it reaches when it turned out longer")
  func longOverlay() {
    var section = CollectionLayoutSection.grid(columns: .count(1), heightRatio: 0, captionHeight: 10)
    var header = CollectionLayoutBoundarySupplementaryItem.view("H", .top, .fractionalWidth(1), .estimated(5))
    header.extendsBoundary = false
    section.boundarySupplementaryItems = [header]
    var composition = CompositionalLayout(section: section)
      .solved(in: LayoutEnvironment(containerSize: Size(width: 20, height: 30)), for: ItemCounts([1, 9, 9]))
    let name = ElementIdentity(kind: .supplementary("H"), section: 0)
    let verdict = composition.setPreferredSize(Size(width: 20, height: 80), ofElement: name)
    #expect(verdict == .changed)
    var elements: [ElementAttributes] = []
    composition.appendElements(in: composition.visibleRect(at: 50), to: &elements)
    #expect(elements.map(\.identity) == [name])
  }
}
