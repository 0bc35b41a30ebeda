import Testing
import VitrineGeometry
import VitrineTestSupport

@testable import VitrineCollectionLayout

@Suite("Estimated frames and preferred sizes in a composition")
struct CompositionEstimateTests {
  private func composition(
    _ random: inout SeededGenerator, header: CollectionLayoutBoundarySupplementaryItem? = nil
  ) -> (SolvedComposition, CompositionalLayout) {
    let seed = random.next()
    let counts = random.counts(8)
    let layout = CompositionalLayout { section, _ in
      var rules = CollectionLayoutSection.shelves(ShelfContent(seed: seed &+ UInt64(section), estimate: 25))
      rules.boundarySupplementaryItems = header.map { [$0] } ?? []
      return rules
    }
    return (
      layout.solved(in: LayoutEnvironment(containerSize: Size(width: 60, height: 90)), for: ItemCounts(counts)), layout
    )
  }

  @Test("Finalized items stay in place relative to their anchor while the others are finalized")
  func finalizing() {
    var random = SeededGenerator(seed: 461)
    for _ in 0..<200 {
      var (composition, _) = composition(&random)
      var offset = Double.random(in: 0...max(1, composition.maximumOffset), using: &random)
      let anchor = composition.anchor(at: offset)
      while composition.finalizeFrames(in: composition.visibleRect(at: offset)) {
        offset = composition.offset(of: anchor)
      }
      let hasMoved = composition.finalizeFrames(in: composition.visibleRect(at: offset))
      #expect(!hasMoved)
      let items = composition.items(in: composition.visibleRect(at: offset))
      let frames = items.map { composition.frame(ofItem: $0) }
      var rounds = 0
      while !composition.areFramesFinal, rounds < 1_000 {
        _ = composition.finalizeFrames(itemBudget: 4)
        rounds += 1
      }
      let hasMore = composition.finalizeFrames(itemBudget: 100)
      #expect(composition.areFramesFinal && !hasMore)
      let shift = Set(zip(items, frames).map { composition.frame(ofItem: $0).minY - $1.minY })
      #expect(shift.count <= 1)
      #expect(zip(items, frames).allSatisfy { composition.frame(ofItem: $0).size == $1.size })
    }
  }

  @Test("After complete refinement, sections follow each other without gaps")
  func refiningAll() {
    var random = SeededGenerator(seed: 462)
    for _ in 0..<100 {
      var (composition, _) = composition(&random)
      var rounds = 0
      while !composition.areFramesFinal, rounds < 1_000 {
        _ = composition.finalizeFrames(itemBudget: .random(in: 1...9, using: &random))
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

  @Test("A measured header keeps its height through updates and resizes")
  func headers() {
    var random = SeededGenerator(seed: 463)
    var (composition, _) = composition(
      &random, header: .view("H", .top, .fractionalWidth(1), .estimated(10), pins: true))
    let header = ElementIdentity(kind: .supplementary("H"), section: 3)
    let height = composition.contentSize.height
    #expect(composition.usesPreferredSize(ofElement: header))
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
    composition.invalidate(.items(LayoutUpdate(counts: counts, previousSections: [0, 1, 2, 3, 4, 5, 6, 7])))
    #expect(frame()?.size == Size(width: 70, height: 17))
    #expect(composition.setPreferredSize(.zero, ofElement: ElementIdentity(kind: .cell, section: 3)) == .unchanged)
    #expect(
      composition.setPreferredSize(.zero, ofElement: ElementIdentity(kind: .supplementary("H"), section: 9))
        == .unchanged)
  }

  @Test("A header with unstable preferred sizes keeps the largest one and is reported once")
  func unstableHeader() {
    var random = SeededGenerator(seed: 464)
    var (composition, _) = composition(&random, header: .view("H", .top, .fractionalWidth(1), .estimated(10)))
    let header = ElementIdentity(kind: .supplementary("H"), section: 0)
    var results: [PreferredSizeResult] = []
    for round in 0..<40 {
      results.append(
        composition.setPreferredSize(Size(width: 60, height: round % 2 == 0 ? 20 : 30), ofElement: header))
    }
    #expect(results.prefix(4) == [.changed, .changed, .changed, .frozen(30)])
    #expect(results.dropFirst(4).allSatisfy { $0 == .unchanged })
    #expect(!composition.usesPreferredSize(ofElement: header))
    #expect(composition.attributes(of: header, in: composition.visibleRect(at: 0))?.frame.height == 30)
  }

  @Test("A global header is measured, and all sections follow it")
  func globalHeader() {
    var composition = CompositionalLayout(
      section: .grid(columns: .count(2)),
      configuration: .init(boundarySupplementaryItems: [.view("G", .top, .fractionalWidth(1), .estimated(10))])
    ).solved(in: LayoutEnvironment(containerSize: Size(width: 40, height: 90)), for: ItemCounts([4]))
    let header = ElementIdentity(kind: .supplementary("G"), section: nil)
    #expect(composition.usesPreferredSize(ofElement: header))
    #expect(composition.frame(ofItem: 0).minY == 10)
    #expect(composition.setPreferredSize(Size(width: 40, height: 25), ofElement: header) == .changed)
    #expect(composition.frame(ofItem: 0).minY == 25)
    #expect(composition.contentSize.height == 65)
  }

  @Test("Preferred sizes affect only sections that use them, and later sections follow")
  func itemSizes() {
    var content = ShelfContent(seed: 5, itemsPerShelf: 1)
    content.usesPreferredSizes = true
    let measuredContent = content
    var composition = CompositionalLayout { section, _ in
      section == 0 ? .shelves(measuredContent) : .grid(columns: .count(1))
    }.solved(in: LayoutEnvironment(containerSize: Size(width: 40, height: 90)), for: ItemCounts([3, 2]))
    #expect(composition.usesPreferredSize(ofItem: 1) && !composition.usesPreferredSize(ofItem: 3))
    #expect(composition.setPreferredSize(Size(width: 7, height: 7), ofItem: 3) == .unchanged)
    let (length, next) = (composition.sections[0].length, composition.frame(ofItem: 3).minY)
    #expect(composition.setPreferredSize(Size(width: 40, height: 99), ofItem: 1) == .changed)
    #expect(composition.setPreferredSize(Size(width: .nan, height: 99), ofItem: 1) == .unchanged)
    let growth = Double(composition.sections[0].length - length)
    #expect(growth > 0 && composition.frame(ofItem: 3).minY == next + growth)
  }

  @Test("Finalizing a large rectangle makes all of it final, even if its estimates were wrong")
  func settlingLargeRect() {
    // Many more slivers than photos fit in a row.
    var composition = CompositionalLayout(
      section: .justified(targetRowHeight: 10, spacing: 0, lineSpacing: 0) { _ in 0.3 }
    ).solved(in: LayoutEnvironment(containerSize: Size(width: 100, height: 90)), for: ItemCounts([40_000]))
    let rect = Rect(x: 0, y: 0, width: 100, height: composition.contentSize.height / 8)
    let hasMoved = composition.finalizeFrames(in: rect)
    let hasMovedAgain = composition.finalizeFrames(in: rect)
    #expect(hasMoved && !hasMovedAgain)
  }

  @Test("A header that overlaps the content is found at its full measured height")
  func tallOverlay() {
    var section = CollectionLayoutSection.grid(columns: .count(1), heightRatio: 0, captionHeight: 10)
    var header = CollectionLayoutBoundarySupplementaryItem.view("H", .top, .fractionalWidth(1), .estimated(5))
    header.extendsBoundary = false
    section.boundarySupplementaryItems = [header]
    var composition = CompositionalLayout(section: section)
      .solved(in: LayoutEnvironment(containerSize: Size(width: 20, height: 30)), for: ItemCounts([1, 9, 9]))
    let name = ElementIdentity(kind: .supplementary("H"), section: 0)
    let result = composition.setPreferredSize(Size(width: 20, height: 80), ofElement: name)
    #expect(result == .changed)
    var elements: [ElementAttributes] = []
    composition.appendElements(in: composition.visibleRect(at: 50), to: &elements)
    #expect(elements.map(\.identity) == [name])
  }
}
