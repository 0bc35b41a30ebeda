import Synchronization
import Testing
import VitrineGeometry
import VitrineTestSupport

@testable import VitrineCollectionLayout

@Suite("Invalidation of a composition")
struct CompositionInvalidationTests {
  /// Returns ascending disjoint ranges.
  private func ranges(_ random: inout SeededGenerator, within count: Int) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var next = 0
    while next < count, !random.chance(oneIn: 3) {
      let start = Int.random(in: next...count, using: &random)
      let end = min(count, start + Int.random(in: 1...3, using: &random))
      if end > start { ranges.append(start..<end) }
      next = end + 1
    }
    return ranges
  }

  /// Returns random edits of a section, and its number of items after the update.
  private func edits(_ random: inout SeededGenerator, section: Int, count: Int) -> (SectionEdits, count: Int) {
    let removals = ranges(&random, within: count)
    var edits = SectionEdits(section: section, removals: removals)
    let left = count + edits.countDelta
    var added = 0
    for start in stride(from: 0, through: left, by: 4) where random.chance(oneIn: 3) {
      edits.insertions.append((start + added)..<(start + added + 2))
      added += 2
    }
    edits.dataChanges = ranges(&random, within: left + added)
    return (edits, left + added)
  }

  /// Returns a random update, which may also insert, delete and move sections.
  private func update(_ random: inout SeededGenerator, of counts: ItemCounts) -> LayoutUpdate {
    let oldCounts = (0..<counts.numberOfSections).map { counts.items(inSection: $0).count }
    guard random.chance(oneIn: 3) else {
      var after = oldCounts
      var all: [SectionEdits] = []
      for section in oldCounts.indices where random.chance(oneIn: 2) {
        let (edits, count) = edits(&random, section: section, count: oldCounts[section])
        after[section] = count
        all.append(edits)
      }
      return LayoutUpdate(counts: ItemCounts(after), edits: all)
    }
    var previousSections = oldCounts.indices.filter { _ in !random.chance(oneIn: 4) }.map { Int?.some($0) }
    previousSections.shuffle(using: &random)
    if random.chance(oneIn: 2) {
      previousSections.insert(nil, at: Int.random(in: 0...previousSections.count, using: &random))
    }
    var after: [Int] = []
    var all: [SectionEdits] = []
    for (section, previous) in previousSections.enumerated() {
      guard let previous else {
        after.append(Int.random(in: 0...9, using: &random))
        continue
      }
      if random.chance(oneIn: 2) {
        let (edits, count) = edits(&random, section: section, count: oldCounts[previous])
        all.append(edits)
        after.append(count)
      } else {
        after.append(oldCounts[previous])
      }
    }
    return LayoutUpdate(counts: ItemCounts(after), previousSections: previousSections, edits: all)
  }

  @Test("An updated layout equals a layout that is solved from scratch")
  func matchesNewLayout() {
    var random = SeededGenerator(seed: 451)
    for _ in 0..<250 {
      let counts = random.counts(Int.random(in: 1...6, using: &random))
      // All sections have the same rules, because a section that moves may get other rules.
      let layout = random.compositionalLayout(1)
      let environment = random.environment()
      var composition = layout.solved(in: environment, for: ItemCounts(counts))
      for _ in 0..<6 {
        let update = update(&random, of: composition.itemCounts)
        let cost = composition.cost(of: .items(update))
        #expect(cost.sections == update.previousSections?.count ?? update.edits.count)
        composition.invalidate(.items(update))
        let expected = layout.solved(in: environment, for: update.counts)
        #expect(composition.itemCounts == update.counts)
        #expect(composition.contentSize == expected.contentSize)
        for item in 0..<update.counts.total { #expect(composition.frame(ofItem: item) == expected.frame(ofItem: item)) }
        let rect = composition.visibleRect(at: .random(in: 0...max(1, expected.maximumOffset), using: &random))
        #expect(composition.items(in: rect) == expected.items(in: rect))
        var (elements, expectedElements): ([ElementAttributes], [ElementAttributes]) = ([], [])
        composition.appendElements(in: rect, to: &elements)
        expected.appendElements(in: rect, to: &expectedElements)
        #expect(elements == expectedElements)
      }
    }
  }

  /// Returns the index of an item after an update, or nil if it was removed.
  private func index(of item: Int, in counts: ItemCounts, after update: LayoutUpdate) -> Int? {
    guard let (section, oldIndex) = counts.position(of: item) else { return nil }
    let now = update.previousSections.map { $0.firstIndex(of: section) } ?? section
    guard let now else { return nil }
    guard let edits = update.edits.first(where: { $0.section == now }) else {
      return update.counts.index(section: now, item: oldIndex)
    }
    guard !edits.removals.contains(where: { $0.contains(oldIndex) }) else { return nil }
    var after = oldIndex - edits.removals.reduce(0) { $0 + $1.clamped(to: 0..<oldIndex).count }
    for insertion in edits.insertions where insertion.lowerBound <= after { after += insertion.count }
    return update.counts.index(section: now, item: after)
  }

  @Test("Updates, measurements and resizes move the anchored item by at most half a pixel")
  func anchorsStay() throws {
    var random = SeededGenerator(seed: 452)
    var checkCount = 0
    for _ in 0..<300 {
      var composition = random.composition(estimates: true)
      guard composition.maximumOffset > 10 else { continue }
      var offset = Double.random(in: 1...composition.maximumOffset, using: &random)
      _ = composition.finalizeFrames(in: composition.visibleRect(at: offset))
      offset = min(offset, composition.maximumOffset)
      guard case .item(var anchor) = composition.anchor(at: offset) else { continue }
      for _ in 0..<8 {
        let axis = composition.scrollAxis
        /// Returns the distance between the anchored point of the item and its position in the viewport.
        func displacement() -> Double {
          let frame = composition.frame(ofItem: anchor.item)
          let position = frame.origin[axis] + anchor.itemUnit * frame.size[axis]
          return position - anchor.viewportUnit * composition.viewportLength - composition.offset(of: .item(anchor))
        }
        /// Returns whether the offset is not clamped to the start or end of the content.
        func isFree() -> Bool {
          let offset = composition.offset(of: .item(anchor))
          return offset > 0 && offset < composition.maximumOffset
        }
        let wasFree = isFree()
        let before = displacement()
        switch Int.random(in: 0...4, using: &random) {
        case 0:
          let update = update(&random, of: composition.itemCounts)
          guard let item = index(of: anchor.item, in: composition.itemCounts, after: update) else { continue }
          composition.invalidate(.items(update))
          anchor.item = item
        case 1:
          _ = composition.finalizeFrames(itemBudget: 5)
        case 2:
          let item = Int.random(in: 0..<composition.itemCounts.total, using: &random)
          let side = Double.random(in: 1...50, using: &random)
          _ = composition.setPreferredSize(Size(width: side, height: side), ofItem: item)
        case 3:
          let from = composition.environment
          composition.invalidate(
            .environment(
              LayoutEnvironment(
                containerSize: Size(
                  width: .random(in: 60...300, using: &random), height: .random(in: 60...300, using: &random)),
                contentInsets: from.contentInsets, scale: from.scale, layoutDirection: from.layoutDirection)))
        default:
          for section in 0..<composition.itemCounts.numberOfSections {
            let header = ElementIdentity(kind: .supplementary("H"), section: section)
            let side = Double.random(in: 1...50, using: &random)
            _ = composition.setPreferredSize(Size(width: side, height: side), ofElement: header)
          }
        }
        _ = composition.finalizeFrames(in: composition.visibleRect(at: composition.offset(of: .item(anchor))))
        guard wasFree, isFree() else { continue }
        #expect((displacement() - before).magnitude <= 0.5 / composition.environment.scale.pixelsPerPoint)
        checkCount += 1
      }
    }
    #expect(checkCount > 300)
  }

  @Test("An update requests the rules of edited sections only, and the other sections keep their bodies")
  func providerCalls() {
    let calls = CallLog()
    let layout = CompositionalLayout { section, _ in
      calls.record(section)
      return .shelves(ShelfContent(seed: UInt64(section), estimate: 9))
    }
    var composition = layout.solved(
      in: LayoutEnvironment(containerSize: Size(width: 50, height: 60)), for: ItemCounts([6, 6, 6]))
    #expect(calls.takeCalls() == [0, 1, 2])
    #expect(!composition.areFramesFinal)
    while composition.finalizeFrames(itemBudget: 100) {}
    #expect(composition.areFramesFinal)
    let edit = SectionEdits(section: 1, removals: [0..<1])
    composition.invalidate(.items(LayoutUpdate(counts: ItemCounts([6, 5, 6]), edits: [edit])))
    #expect(calls.takeCalls() == [1])
    #expect(composition.areFramesFinal)
    let body = composition.sections[2].body as? ShelfBody
    composition.invalidate(
      .items(LayoutUpdate(counts: ItemCounts([5, 3, 6]), previousSections: [1, nil, 2])))
    #expect(calls.takeCalls() == [0, 1, 2])
    #expect(composition.sections[2].body as? ShelfBody == body)
    // The rules of the first section are different now, and the second section is new.
    #expect(!composition.sections[0].body.areFramesFinal && !composition.sections[1].body.areFramesFinal)
    #expect(!composition.areFramesFinal)
  }

  @Test("Resizing along the scroll axis keeps sections that do not depend on the visible length")
  func visibleLength() {
    func shelves(_ content: ShelfContent, _ height: Double, to other: Double) -> Bool {
      var composition = CompositionalLayout(section: .shelves(content))
        .solved(in: LayoutEnvironment(containerSize: Size(width: 50, height: height)), for: ItemCounts([90]))
      while composition.finalizeFrames(itemBudget: 100) {}
      composition.invalidate(.environment(LayoutEnvironment(containerSize: Size(width: 50, height: other))))
      return composition.areFramesFinal
    }
    #expect(shelves(ShelfContent(seed: 1, estimate: 9, dependsOnVisibleLength: false), 60, to: 90))
    #expect(!shelves(ShelfContent(seed: 1, estimate: 9, dependsOnVisibleLength: true), 60, to: 90))
    #expect(shelves(ShelfContent(seed: 1, estimate: 9, dependsOnVisibleLength: true), 60, to: 60))
  }

  @Test("An orthogonal section keeps its offset within its content")
  func orthogonalOffsets() {
    var section = CollectionLayoutSection.grid(columns: .count(1), heightRatio: 0.2)
    section.orthogonalScrollingBehavior = .continuous
    let layout = CompositionalLayout(section: section)
    var composition = layout.solved(
      in: LayoutEnvironment(containerSize: Size(width: 50, height: 10)), for: ItemCounts([9, 9]))
    composition.setOrthogonalOffset(120, ofSection: 1)
    composition.invalidate(.items(LayoutUpdate(counts: ItemCounts([9, 9]), previousSections: [1, 0])))
    #expect(composition.orthogonalSection(0)?.offset == 120.0)
    #expect(composition.orthogonalSection(1)?.offset == 0.0)
    composition.invalidate(.everything)
    #expect(composition.orthogonalSection(0)?.offset == 120.0)
    let edit = SectionEdits(section: 0, removals: [2..<9])
    composition.invalidate(.items(LayoutUpdate(counts: ItemCounts([2, 9]), edits: [edit])))
    #expect(composition.orthogonalSection(0)?.offset == composition.orthogonalSection(0)?.maximumOffset)
  }

  @Test(
    "Resizing along the scroll axis keeps the measured sizes of sections without fractional heights")
  func retainsMeasurements() {
    func retainsFrames(_ section: CollectionLayoutSection) -> Bool {
      var composition = CompositionalLayout(section: section)
        .solved(in: LayoutEnvironment(containerSize: Size(width: 90, height: 60)), for: ItemCounts([400]))
      while composition.finalizeFrames(itemBudget: 1_000) {}
      for item in stride(from: 0, to: 400, by: 7) {
        _ = composition.setPreferredSize(Size(width: 30, height: 33), ofItem: item)
      }
      let frames = (0..<400).map { composition.frame(ofItem: $0) }
      composition.invalidate(.environment(LayoutEnvironment(containerSize: Size(width: 90, height: 99))))
      return composition.areFramesFinal && (0..<400).allSatisfy { composition.frame(ofItem: $0) == frames[$0] }
    }
    func rows(_ height: CollectionLayoutDimension, cell: CollectionLayoutDimension) -> CollectionLayoutSection {
      let item = CollectionLayoutItem(layoutSize: CollectionLayoutSize(width: .fractionalWidth(0.5), height: cell))
      return CollectionLayoutSection(
        group: .horizontal(
          layoutSize: CollectionLayoutSize(width: .fractionalWidth(1), height: height), subitems: [item]))
    }
    func list(_ height: CollectionLayoutDimension) -> CollectionLayoutSection {
      var configuration = CollectionLayoutListConfiguration(appearance: .plain)
      configuration.rowHeight = height
      return .list(using: configuration, layoutEnvironment: LayoutEnvironment(containerSize: .zero))
    }
    #expect(retainsFrames(.justified(targetRowHeight: 20, spacing: 1, lineSpacing: 1) { [0.5, 1.5, 1.7][$0 % 3] }))
    #expect(retainsFrames(.mosaic(spacing: 2, minimumUnitWidth: 20)))
    #expect(retainsFrames(list(.estimated(10))) && retainsFrames(list(.fractionalWidth(0.2))))
    #expect(!retainsFrames(list(.fractionalHeight(0.2))))
    #expect(
      retainsFrames(rows(.estimated(10), cell: .estimated(10)))
        && retainsFrames(rows(.absolute(10), cell: .fractionalHeight(0.3))))
    #expect(!retainsFrames(rows(.fractionalHeight(0.3), cell: .fractionalHeight(1))))
  }
}

// MARK: - Helpers

/// A log of the calls of a closure, in order.
private final class CallLog: Sendable {
  private let calls = Mutex<[Int]>([])

  /// Records a call.
  func record(_ call: Int) { calls.withLock { $0.append(call) } }

  /// Returns the recorded calls and clears the log.
  func takeCalls() -> [Int] {
    calls.withLock { calls in
      defer { calls = [] }
      return calls
    }
  }
}
