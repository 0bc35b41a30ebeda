import Testing
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineGeometry
import VitrineTestSupport

@Suite("A rubber band selects the items that it touches, a portion at a time")
struct RubberBandTests {
  private func grid(_ count: Int, columns: Int = 4) -> any SolvedLayout {
    GridLayout(columns: .count(columns), columnSpacing: 10, rowSpacing: 10, heightRatio: 1).solved(
      in: LayoutEnvironment(containerSize: Size(width: 430, height: 330)), for: ItemCounts([count]))
  }

  private func viewport(_ offset: Double) -> Rect { Rect(x: 0, y: offset, width: 430, height: 330) }

  /// Returns the items that a band touches, tested one by one.
  private func touched(_ band: Rect, in layout: any SolvedLayout) -> IndexRuns {
    IndexRuns(
      (0..<layout.itemCounts.total).filter {
        band.width > 0 && band.height > 0 && layout.frame(ofItem: $0).intersects(band)
      })
  }

  @Test("A rubber band replaces the selection, adds to it or toggles it")
  func effects() {
    let layout = grid(40)
    let base = IndexRuns(0..<3)
    func drawn(_ effect: RubberBandEffect) -> IndexRuns {
      var band = RubberBandSelection(at: Point(x: 105, y: 105), along: .vertical, effect: effect, base: base)
      band.moveCorner(to: Point(x: 215, y: 50))
      let step = band.findItems(in: layout, viewport: viewport(0))
      #expect(!step.isEmpty && band.isComplete)
      return band.selected
    }
    #expect(drawn(.replaces).ranges == [1..<2])
    #expect(drawn(.adds).ranges == [0..<3])
    #expect(drawn(.toggles).ranges == [0..<1, 2..<3])
  }

  /// A selection that is updated step by step.
  private struct RecordedSelection {
    var selection = Selection()

    mutating func apply(_ step: RubberBandStep, of count: Int) {
      selection.apply(selection.change(by: step.gesture, of: count, mode: .multiple))
    }
  }

  private func expected(_ effect: RubberBandEffect, _ base: IndexRuns, _ hits: IndexRuns) -> IndexRuns {
    switch effect {
    case .replaces: hits
    case .adds: base.union(hits)
    case .toggles: base.subtracting(hits).union(hits.subtracting(base))
    }
  }

  @Test(
    "A band that is moved, scrolled and released early selects the same items as one drawn in a single step",
    arguments: TestScale.seeds(0..<12))
  func path(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<30 {
      let layout = Self.layout(&random)
      let size = layout.environment.containerSize
      let count = layout.itemCounts.total
      func point(_ offset: Double) -> Point {
        Point(
          x: .random(in: 0...size.width, using: &random), y: offset + .random(in: 0...size.height, using: &random))
      }
      let effect: RubberBandEffect = [.replaces, .adds, .toggles].randomElement(using: &random) ?? .adds
      let base = IndexRuns((0..<count).filter { _ in random.chance(oneIn: 3) })
      var offset = 0.0
      var band = RubberBandSelection(
        at: point(0), along: .vertical, effect: effect, base: base, itemsPerStep: .random(in: 1...30, using: &random))
      func findItems(_ offset: Double) -> RubberBandStep {
        band.findItems(in: layout, viewport: layout.visibleRect(at: offset))
      }
      var recorded = RecordedSelection()
      if effect != .replaces {
        recorded.selection.apply(recorded.selection.change(by: .add(base), of: count, mode: .multiple))
      }
      for _ in 0..<12 {
        if random.chance(oneIn: 2) { offset = .random(in: 0...(layout.maximumOffset + 1), using: &random) }
        let target = point(offset)
        band.moveCorner(to: random.chance(oneIn: 2) ? Point(x: band.corner.x, y: target.y) : target)
        recorded.apply(findItems(offset), of: count)
        // Visible items are exact in every step.
        let under = touched(band.frame, in: layout)
        let visible = touched(layout.visibleRect(at: offset), in: layout)
        #expect(band.hits.intersection(visible) == under.intersection(visible))
        while !band.isComplete, random.chance(oneIn: 2) { recorded.apply(findItems(offset), of: count) }
      }
      // After the release, the result is independent of the offset, the pointer and renumbered items.
      band.endDrag()
      band.moveCorner(to: point(offset))
      let map = IndexMap { $0 >= count ? nil : $0 < count / 2 ? $0 + count - count / 2 : $0 - count / 2 }
      let isRemapped = random.chance(oneIn: 2)
      if isRemapped {
        band.apply(map)
        recorded.selection.apply(map)
      }
      while !band.isComplete {
        recorded.apply(findItems(.random(in: 0...(layout.maximumOffset + 1), using: &random)), of: count)
      }
      let hits = touched(band.frame, in: layout)
      let selected = expected(effect, base, hits)
      #expect(band.hits == hits)
      #expect(recorded.selection.items == (isRemapped ? map.newIndices(of: selected) : selected))
      recorded.apply(band.reversal, of: count)
      #expect(recorded.selection.items == (isRemapped ? map.newIndices(of: base) : base))
    }
  }

  private static func layout(_ random: inout SeededGenerator) -> any SolvedLayout {
    let layout = GridLayout(
      columns: .count(.random(in: 1...7, using: &random)), columnSpacing: random.chance(oneIn: 3) ? 0 : 7,
      rowSpacing: random.chance(oneIn: 3) ? 0 : 9, sectionInsets: Insets(top: 5, left: 11, bottom: 3, right: 0),
      heightRatio: .random(in: 0.3...2, using: &random))
    return layout.solved(
      in: LayoutEnvironment(
        containerSize: Size(
          width: .random(in: 90...500, using: &random), height: .random(in: 60...300, using: &random))),
      for: ItemCounts([.random(in: 1...60, using: &random), 0, 17]))
  }

  @Test("With many items, a step visits the viewport and one portion, and later steps visit the rest")
  func manyItems() {
    let layout = grid(200_000)
    var band = RubberBandSelection(at: Point(x: 105, y: 5), along: .vertical, effect: .replaces, base: IndexRuns())
    band.moveCorner(to: Point(x: 325, y: layout.contentSize.height))
    let step = band.findItems(in: layout, viewport: viewport(layout.maximumOffset))
    #expect(!step.isEmpty && !band.isComplete)
    // Visible items are known immediately.
    #expect(band.hits.contains(199_998) && band.hits.contains(199_997) && !band.hits.contains(199_996))
    var steps = 1
    while !band.isComplete {
      _ = band.findItems(in: layout, viewport: viewport(layout.maximumOffset))
      steps += 1
    }
    #expect(steps > 40)
    #expect(band.hits.count == 100_000 && band.hits.ranges.count == 50_000)
  }

  @Test("A band follows renumbered items and shifted content")
  func remapping() {
    let layout = grid(40)
    var band = RubberBandSelection(at: Point(x: 5, y: 5), along: .vertical, effect: .adds, base: IndexRuns([30]))
    band.moveCorner(to: Point(x: 215, y: 50))
    _ = band.findItems(in: layout, viewport: viewport(0))
    #expect(band.selected.ranges == [0..<2, 30..<31])
    band.apply(IndexMap { $0 < 40 ? $0 + 4 : nil })
    band.shiftContent(by: Point(x: 0, y: 110))
    _ = band.findItems(in: grid(44), viewport: viewport(110))
    #expect(band.selected.ranges == [4..<6, 34..<35])
    #expect(band.selectedBefore.ranges == [34..<35])
  }

  @Test("NaN and infinity do not move a band, and a band of no size touches no item")
  func degenerateBands() {
    var band = RubberBandSelection(at: Point(x: 5, y: 5), along: .vertical, effect: .replaces, base: IndexRuns())
    band.moveCorner(to: Point(x: .nan, y: 3))
    band.moveCorner(to: Point(x: 5, y: .infinity))
    #expect(band.corner == Point(x: 5, y: 5))
    let steps = [band.findItems(in: grid(40), viewport: viewport(0)), band.findItems(in: grid(0), viewport: .zero)]
    #expect(steps.allSatisfy(\.isEmpty) && band.hits.isEmpty && band.isComplete)
  }
}
