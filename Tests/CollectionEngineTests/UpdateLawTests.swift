import Testing
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineScrollPhysics
import VitrineTestSupport

/// The law of updates: what stores an index is, after a map was applied, in the state in which it would be if it had
/// been created for the new items.
@Suite("After an update, every owner of indices equals one that was created for the new items")
struct UpdateLawTests {
  /// Applies random updates to owners that refer to random items and sections.
  ///
  /// - Parameters:
  ///   - make: Creates an owner for items and sections, in ascending order of indices.
  ///   - apply: Applies a map to an owner.
  ///   - state: Returns what a new owner must have in common with an updated one.
  private func check<Owner, State: Equatable>(
    seed: Int, _ make: (_ items: [Int: Int], _ sections: [Int: Int]) -> Owner, _ apply: (inout Owner, IndexMap) -> Void,
    _ state: (Owner) -> State
  ) {
    var generator = SeededGenerator(seed: UInt64(seed))
    var old = NumberSnapshot.random(using: &generator)
    var items = Set(old.itemIdentifiers.filter { _ in generator.chance(oneIn: 2) })
    var sections = Set(old.sectionIdentifiers.filter { _ in generator.chance(oneIn: 2) })
    /// The identifiers of the owner's items by their indices.
    func byIndex(_ identifiers: Set<Int>, _ index: (Int) -> Int?) -> [Int: Int] {
      Dictionary(uniqueKeysWithValues: identifiers.compactMap { name in index(name).map { ($0, name) } })
    }
    var owner = make(byIndex(items, old.indexOfItem), byIndex(sections, old.indexOfSection))
    for step in 0..<20 {
      let new = old.edited(fresh: 1_000 + step * 100, using: &generator)
      apply(&owner, IndexMap(old, to: new))
      items = items.filter { new.indexOfItem($0) != nil }
      sections = sections.filter { new.indexOfSection($0) != nil }
      let fresh = make(byIndex(items, new.indexOfItem), byIndex(sections, new.indexOfSection))
      #expect(state(owner) == state(fresh), "step \(step)")
      old = new
    }
  }

  static let seeds = TestScale.seeds(0..<12)

  @Test("Displayed cells", arguments: seeds)
  func displayedCells(seed: Int) {
    check(seed: seed) { items, _ in
      var displayed = DisplayedCells<Int>()
      _ = displayed.setRuns(IndexRuns(items.keys.sorted()).ranges)
      for (index, cell) in items { displayed.insert(cell, at: index) }
      return displayed
    } _: { owner, map in
      _ = owner.apply(map)
    } _: { (owner: DisplayedCells<Int>) in
      owner.entries.map { [$0.index, $0.cell] }
    }
  }

  @Test("Waiting cells", arguments: seeds)
  func waitingCells(seed: Int) {
    check(seed: seed) { items, _ in
      var waiting = WaitingCells<Int>()
      for (index, cell) in items { waiting.insert(cell, at: index) }
      return waiting
    } _: { owner, map in
      _ = owner.apply(map)
    } _: { (owner: WaitingCells<Int>) in
      owner.entries.map { [$0.index, $0.cell] }
    }
  }

  @Test("Cells to reconfigure", arguments: seeds)
  func reconfigureQueue(seed: Int) {
    check(seed: seed) { items, _ in
      var queue = ReconfigureQueue()
      queue.beginFrame()
      for index in items.keys { queue.add(index) }
      return queue
    } _: {
      $0.apply($1)
    } _: { queue in
      var queue = queue
      return (0..<2_000).filter { queue.remove($0) }
    }
  }

  @Test("Supplementary views", arguments: seeds)
  func supplementaryViews(seed: Int) {
    func header(_ section: Int) -> ElementIdentity {
      ElementIdentity(kind: .supplementary("header"), section: section, item: 0)
    }
    check(seed: seed) { _, sections in
      var waiting = WaitingElements<Int>()
      for (index, view) in sections { waiting.insert(view, of: header(index)) }
      return waiting
    } _: { owner, map in
      _ = owner.apply(map)
    } _: {
      Dictionary(uniqueKeysWithValues: $0.entries.map { ($0.identity, $0.view) })
    }
  }

  @Test("Offsets of orthogonal sections", arguments: seeds)
  func orthogonalSections(seed: Int) {
    let (now, range) = (FrameInstant.zero, ScrollRange(minimum: 0, maximum: 100_000, viewportLength: 100))
    check(seed: seed) { _, sections in
      var scrolling = OrthogonalScrolling()
      for (index, name) in sections {
        scrolling.handle(.jump(to: Double(name)), in: index, range: range, at: now) { _, _, proposed, _ in proposed }
      }
      return scrolling
    } _: {
      $0.apply($1)
    } _: { scrolling in
      (0..<60).map { scrolling.motion(of: $0)?.scroll.offset(at: now) }
    }
  }

  @Test("The selection", arguments: seeds)
  func selection(seed: Int) {
    check(seed: seed) { items, _ in
      var selection = Selection()
      selection.apply(
        selection.change(by: .add(IndexRuns(items.keys.sorted())), of: 10_000, mode: .multiple))
      return selection
    } _: {
      $0.apply($1)
    } _: {
      $0.items
    }
  }

  @Test("The column of moves of the keyboard focus", arguments: seeds)
  func focusColumn(seed: Int) {
    let layout = GridLayout(columns: .count(1), rowSpacing: 10, heightRatio: 1).solved(
      in: LayoutEnvironment(containerSize: Size(width: 300, height: 200)), for: ItemCounts([10_000]))
    var chosen: Int?
    check(seed: seed) { items, _ in
      chosen = chosen ?? items.values.min()
      var navigator = FocusNavigator()
      if let index = items.first(where: { $0.value == chosen })?.key {
        #expect(navigator.target(of: .up, from: index + 1, in: layout) == index)
      }
      return navigator
    } _: {
      $0.apply($1)
    } _: {
      $0
    }
  }

  @Test("Dragged items", arguments: seeds)
  func movement(seed: Int) {
    check(seed: seed) { items, _ in
      items.keys.map { InteractiveMovement(of: $0, at: .zero, center: .zero) }
    } _: { movements, map in
      for position in movements.indices { movements[position].apply(map) }
    } _: {
      $0.compactMap(\.item).sorted()
    }
  }

  @Test("Displayed supplementary views", arguments: seeds)
  func displayedElements(seed: Int) {
    check(seed: seed) { _, sections in
      var displayed = DisplayedElements<Int>()
      var next = sections.keys.sorted().map { index in
        ElementAttributes(
          identity: ElementIdentity(kind: .supplementary("header"), section: index, item: 0),
          frame: Rect(x: 0, y: Double(index), width: 1, height: 1))
      }
      _ = displayed.replaceElements(with: &next)
      for index in 0..<displayed.count {
        _ = displayed.setView(sections[displayed.attributes[index].identity.section ?? -1] ?? -1, at: index)
      }
      return displayed
    } _: { owner, map in
      _ = owner.apply(map)
    } _: { (owner: DisplayedElements<Int>) in
      (0..<owner.count).map { [owner.attributes[$0].identity.section ?? -1, owner.view(at: $0) ?? -1] }
        .sorted { $0[0] < $1[0] }
    }
  }

  @Test("The items under a rubber band and those selected before it", arguments: seeds)
  func rubberBand(seed: Int) {
    let layout = GridLayout(columns: .count(3), rowSpacing: 10, heightRatio: 1).solved(
      in: LayoutEnvironment(containerSize: Size(width: 300, height: 200)), for: ItemCounts([2_000]))
    let viewport = Rect(x: 0, y: 0, width: 300, height: 200)
    func find(_ band: inout RubberBandSelection) {
      repeat { _ = band.findItems(in: layout, viewport: viewport) } while !band.isComplete
    }
    check(seed: seed) { items, _ in
      var band = RubberBandSelection(
        at: Point(x: 20, y: 20), along: .vertical, effect: .toggles, base: IndexRuns(items.keys.sorted()))
      band.moveCorner(to: Point(x: 150, y: 180))
      find(&band)
      return band
    } _: {
      $0.apply($1)
    } _: { band in
      var band = band
      find(&band)
      return [band.selected, band.selectedBefore]
    }
  }

  @Test("Moving elements", arguments: seeds)
  func movingElements(seed: Int) {
    check(seed: seed) { items, _ in
      var animator = ElementAnimator()
      animator.startTransitions(
        items.map { index, name in
          ElementTransition(
            element: .item(index), finalFrame: Rect(x: 0, y: 0, width: 1, height: 1), opacity: 1,
            initialDisplacement: Displacement(opacity: Double(name + 1)), level: .staying)
        }, at: .zero)
      return animator
    } _: {
      $0.apply($1)
    } _: { animator in
      (0..<2_000).map { animator.displacement(of: .item($0), at: .zero).opacity }
    }
  }

  @Test("Animated elements", arguments: seeds)
  func animatedElements(seed: Int) {
    check(seed: seed) { items, sections in
      var planner = UpdateTransitionPlanner(viewport: Rect(x: 0, y: 0, width: 100, height: 100))
      for (index, name) in items {
        planner.recordElement(.item(index), at: Rect(x: 0, y: Double(name), width: 1, height: 1), isVisible: true)
      }
      return planner
    } _: {
      $0.apply($1)
    } _: { planner in
      (0..<2_000).filter { planner.contains(.item($0)) }
    }
  }
}
