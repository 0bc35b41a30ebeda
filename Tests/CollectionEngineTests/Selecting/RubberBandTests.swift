import CollectionEngine
import CollectionLayout
import DiffableData
import Geometry
import TestSupport
import Testing

@Suite("A rubber band selects what it touches, a portion at a time")
struct RubberBandTests {
  private func grid(_ count: Int, columns: Int = 4) -> any SolvedLayout {
    GridLayout(columns: .count(columns), columnSpacing: 10, rowSpacing: 10, heightRatio: 1).solved(
      in: LayoutEnvironment(containerSize: Size(width: 430, height: 330)), for: ItemCounts([count]))
  }

  private func seen(_ offset: Double) -> Rect { Rect(x: 0, y: offset, width: 430, height: 330) }

  /// What a band touches, item by item.
  private func touched(_ band: Rect, in layout: any SolvedLayout) -> IndexRuns {
    IndexRuns(
      (0..<layout.itemCounts.total).filter {
        band.width > 0 && band.height > 0 && layout.frame(ofItem: $0).intersects(band)
      })
  }

  @Test("Replaces, adds or toggles")
  func effects() {
    let layout = grid(40)
    let base = IndexRuns(0..<3)
    func drawn(_ effect: RubberBandEffect) -> IndexRuns {
      var band = RubberBand(at: Point(x: 105, y: 105), along: .vertical, effect: effect, base: base)
      band.moveCorner(to: Point(x: 215, y: 50))
      let step = band.findItems(in: layout, seen: seen(0))
      #expect(!step.isEmpty && band.isComplete)
      return band.selected
    }
    #expect(drawn(.replaces).ranges == [1..<2])
    #expect(drawn(.adds).ranges == [0..<3])
    #expect(drawn(.toggles).ranges == [0..<1, 2..<3])
  }

  /// What is selected, step by step as it is told.
  private struct Told {
    var selection = Selection()

    mutating func take(_ step: RubberBandStep, of count: Int) {
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
    "Drawn, scrolled and drawn back, and let go before all was found, it tells what one drawn at once selects",
    arguments: 0..<12)
  func path(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<30 {
      let layout = Self.layout(&random)
      let size = layout.environment.containerSize
      let count = layout.itemCounts.total
      func spot(_ offset: Double) -> Point {
        Point(
          x: .random(in: 0...size.width, using: &random), y: offset + .random(in: 0...size.height, using: &random))
      }
      let effect: RubberBandEffect = [.replaces, .adds, .toggles].randomElement(using: &random) ?? .adds
      let base = IndexRuns((0..<count).filter { _ in random.chance(oneIn: 3) })
      var offset = 0.0
      var band = RubberBand(
        at: spot(0), along: .vertical, effect: effect, base: base, portion: .random(in: 1...30, using: &random))
      func look(_ offset: Double) -> RubberBandStep { band.findItems(in: layout, seen: layout.visibleRect(at: offset)) }
      var told = Told()
      if effect != .replaces { told.selection.apply(told.selection.change(by: .add(base), of: count, mode: .multiple)) }
      for _ in 0..<12 {
        if random.chance(oneIn: 2) { offset = .random(in: 0...(layout.maximumOffset + 1), using: &random) }
        let place = spot(offset)
        band.moveCorner(to: random.chance(oneIn: 2) ? Point(x: band.corner.x, y: place.y) : place)
        told.take(look(offset), of: count)
        // What is seen is exact in every step.
        let under = touched(band.frame, in: layout)
        let seen = touched(layout.visibleRect(at: offset), in: layout)
        #expect(band.hits.intersection(seen) == under.intersection(seen))
        while !band.isComplete, random.chance(oneIn: 2) { told.take(look(offset), of: count) }
      }
      // Whatever is seen then, wherever the pointer goes, and however items are numbered.
      band.endDrag()
      band.moveCorner(to: spot(offset))
      let turned = ItemIndexMap([(old: 0..<(count / 2), new: count - count / 2), (old: (count / 2)..<count, new: 0)])
      let isTurned = random.chance(oneIn: 2)
      if isTurned {
        band.apply(turned)
        told.selection.apply(turned)
      }
      while !band.isComplete {
        told.take(look(.random(in: 0...(layout.maximumOffset + 1), using: &random)), of: count)
      }
      let hits = touched(band.frame, in: layout)
      let selected = expected(effect, base, hits)
      #expect(band.hits == hits)
      #expect(told.selection.items == (isTurned ? turned.mapped(selected) : selected))
      told.take(band.reversal, of: count)
      #expect(told.selection.items == (isTurned ? turned.mapped(base) : base))
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

  @Test("Over many items a step looks at a screen and a portion, and the rest follows")
  func million() {
    let layout = grid(200_000)
    var band = RubberBand(at: Point(x: 105, y: 5), along: .vertical, effect: .replaces, base: IndexRuns())
    band.moveCorner(to: Point(x: 325, y: layout.contentSize.height))
    let step = band.findItems(in: layout, seen: seen(layout.maximumOffset))
    #expect(!step.isEmpty && !band.isComplete)
    // What is seen is known at once.
    #expect(band.hits.contains(199_998) && band.hits.contains(199_997) && !band.hits.contains(199_996))
    var steps = 1
    while !band.isComplete {
      _ = band.findItems(in: layout, seen: seen(layout.maximumOffset))
      steps += 1
    }
    #expect(steps > 40)
    #expect(band.hits.count == 100_000 && band.hits.ranges.count == 50_000)
  }

  @Test("It follows items to their new numbers, and content that moves")
  func following() {
    let layout = grid(40)
    var band = RubberBand(at: Point(x: 5, y: 5), along: .vertical, effect: .adds, base: IndexRuns([30]))
    band.moveCorner(to: Point(x: 215, y: 50))
    _ = band.findItems(in: layout, seen: seen(0))
    #expect(band.selected.ranges == [0..<2, 30..<31])
    band.apply(ItemIndexMap([(old: 0..<40, new: 4)]))
    band.shiftContent(by: Point(x: 0, y: 110))
    _ = band.findItems(in: grid(44), seen: seen(110))
    #expect(band.selected.ranges == [4..<6, 34..<35])
    #expect(band.selectedBefore.ranges == [34..<35])
  }

  @Test("What is no number moves nothing, and a band of no size touches nothing")
  func absurd() {
    var band = RubberBand(at: Point(x: 5, y: 5), along: .vertical, effect: .replaces, base: IndexRuns())
    band.moveCorner(to: Point(x: .nan, y: 3))
    band.moveCorner(to: Point(x: 5, y: .infinity))
    #expect(band.corner == Point(x: 5, y: 5))
    let steps = [band.findItems(in: grid(40), seen: seen(0)), band.findItems(in: grid(0), seen: .zero)]
    #expect(steps.allSatisfy(\.isEmpty) && band.hits.isEmpty && band.isComplete)
  }
}
