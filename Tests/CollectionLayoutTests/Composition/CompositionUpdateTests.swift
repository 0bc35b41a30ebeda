import Geometry
import TestSupport
import Testing

@testable import CollectionLayout

@Suite("Updates of a composition")
struct CompositionUpdateTests {
  /// Ranges that ascend apart from each other.
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

  /// Removals and insertions in a section of so many items.
  private func edits(_ random: inout SeededGenerator, section: Int, count: Int) -> (SectionEdits, count: Int) {
    let removals = ranges(&random, within: count)
    var edits = SectionEdits(section: section, removals: removals)
    let left = count + edits.growth
    var added = 0
    for start in stride(from: 0, through: left, by: 4) where random.chance(oneIn: 3) {
      edits.insertions.append((start + added)..<(start + added + 2))
      added += 2
    }
    edits.changes = ranges(&random, within: left + added)
    return (edits, left + added)
  }

  /// An update within sections that stay, or of sections that come, go and move.
  private func update(_ random: inout SeededGenerator, of counts: ItemCounts) -> LayoutUpdate {
    let former = (0..<counts.numberOfSections).map { counts.items(inSection: $0).count }
    guard random.chance(oneIn: 3) else {
      var after = former
      var all: [SectionEdits] = []
      for section in former.indices where random.chance(oneIn: 2) {
        let (edits, count) = edits(&random, section: section, count: former[section])
        after[section] = count
        all.append(edits)
      }
      return LayoutUpdate(counts: ItemCounts(after), edits: all)
    }
    var places = former.indices.filter { _ in !random.chance(oneIn: 4) }.map { Int?.some($0) }
    places.shuffle(using: &random)
    if random.chance(oneIn: 2) { places.insert(nil, at: Int.random(in: 0...places.count, using: &random)) }
    var after: [Int] = []
    var all: [SectionEdits] = []
    for (section, place) in places.enumerated() {
      guard let place else {
        after.append(Int.random(in: 0...9, using: &random))
        continue
      }
      if random.chance(oneIn: 2) {
        let (edits, count) = edits(&random, section: section, count: former[place])
        all.append(edits)
        after.append(count)
      } else {
        after.append(former[place])
      }
    }
    return LayoutUpdate(counts: ItemCounts(after), formerSections: places, edits: all)
  }

  @Test("Whatever was updated answers as what is solved anew")
  func likeAnew() {
    var random = SeededGenerator(seed: 451)
    for _ in 0..<250 {
      let counts = random.counts(Int.random(in: 1...6, using: &random))
      // Sections that move keep their rules only where all have the same.
      let layout = random.compositionalLayout(1)
      let environment = random.environment()
      var composition = layout.solved(in: environment, for: ItemCounts(counts))
      for _ in 0..<6 {
        let update = update(&random, of: composition.itemCounts)
        let cost = composition.cost(of: .items(update))
        #expect(cost.sections == update.formerSections?.count ?? update.edits.count)
        composition.invalidate(.items(update))
        let anew = layout.solved(in: environment, for: update.counts)
        #expect(composition.itemCounts == update.counts)
        #expect(composition.contentSize == anew.contentSize)
        for item in 0..<update.counts.total { #expect(composition.frame(ofItem: item) == anew.frame(ofItem: item)) }
        let rect = composition.visibleRect(at: .random(in: 0...max(1, anew.maximumOffset), using: &random))
        #expect(composition.items(in: rect) == anew.items(in: rect))
        var (elements, others): ([ElementAttributes], [ElementAttributes]) = ([], [])
        composition.appendElements(in: rect, to: &elements)
        anew.appendElements(in: rect, to: &others)
        #expect(elements == others)
      }
    }
  }

  /// Where an item is after an update, if it is still there.
  private func place(of item: Int, in counts: ItemCounts, after update: LayoutUpdate) -> Int? {
    guard let (section, place) = counts.position(of: item) else { return nil }
    let now = update.formerSections.map { $0.firstIndex(of: section) } ?? section
    guard let now else { return nil }
    guard let edits = update.edits.first(where: { $0.section == now }) else {
      return update.counts.index(section: now, item: place)
    }
    guard !edits.removals.contains(where: { $0.contains(place) }) else { return nil }
    var after = place - edits.removals.reduce(0) { $0 + $1.clamped(to: 0..<place).count }
    for insertion in edits.insertions where insertion.lowerBound <= after { after += insertion.count }
    return update.counts.index(section: now, item: after)
  }

  @Test("Through updates, measures and widths the anchored item moves by half a pixel at most")
  func anchors() throws {
    var random = SeededGenerator(seed: 452)
    var held = 0
    for _ in 0..<300 {
      var composition = random.composition(guesses: true)
      guard composition.maximumOffset > 10 else { continue }
      var offset = Double.random(in: 1...composition.maximumOffset, using: &random)
      _ = composition.settle(in: composition.visibleRect(at: offset))
      offset = min(offset, composition.maximumOffset)
      guard case .item(var anchor) = composition.anchor(at: offset) else { continue }
      for _ in 0..<8 {
        let axis = composition.scrollAxis
        /// Where the anchored place is from its line of the viewport.
        func line() -> Double {
          let frame = composition.frame(ofItem: anchor.item)
          let place = frame.origin[axis] + anchor.itemUnit * frame.size[axis]
          return place - anchor.viewportUnit * composition.viewportLength - composition.offset(of: .item(anchor))
        }
        /// Where the content ends or begins the offset is not free.
        func isFree() -> Bool {
          let offset = composition.offset(of: .item(anchor))
          return offset > 0 && offset < composition.maximumOffset
        }
        let wasFree = isFree()
        let before = line()
        switch Int.random(in: 0...4, using: &random) {
        case 0:
          let update = update(&random, of: composition.itemCounts)
          guard let item = place(of: anchor.item, in: composition.itemCounts, after: update) else { continue }
          composition.invalidate(.items(update))
          anchor.item = item
        case 1:
          _ = composition.refine(atMost: 5)
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
        _ = composition.settle(in: composition.visibleRect(at: composition.offset(of: .item(anchor))))
        guard wasFree, isFree() else { continue }
        #expect((line() - before).magnitude <= 0.5 / composition.environment.scale.pixelsPerPoint)
        held += 1
      }
    }
    #expect(held > 300)
  }

  @Test("Only sections with edits have their rules asked for again, and the others keep their bodies")
  func providerCalls() {
    let asked = CallLog()
    let layout = CompositionalLayout { section, _ in
      asked.add(section)
      return .shelves(ShelfContent(seed: UInt64(section), guess: 9))
    }
    var composition = layout.solved(
      in: LayoutEnvironment(containerSize: Size(width: 50, height: 60)), for: ItemCounts([6, 6, 6]))
    #expect(asked.take() == [0, 1, 2])
    #expect(!composition.isSettled)
    while composition.refine(atMost: 100) {}
    #expect(composition.isSettled)
    let edit = SectionEdits(section: 1, removals: [0..<1])
    composition.invalidate(.items(LayoutUpdate(counts: ItemCounts([6, 5, 6]), edits: [edit])))
    #expect(asked.take() == [1])
    #expect(composition.isSettled)
    let body = composition.sections[2].body as? ShelfBody
    composition.invalidate(
      .items(LayoutUpdate(counts: ItemCounts([5, 3, 6]), formerSections: [1, nil, 2])))
    #expect(asked.take() == [0, 1, 2])
    #expect(composition.sections[2].body as? ShelfBody == body)
    // Those whose rules are others now, and the new one.
    #expect(!composition.sections[0].body.isSettled && !composition.sections[1].body.isSettled)
    #expect(!composition.isSettled)
  }

  @Test("A window that grows along the flow leaves what does not depend on it as it is")
  func seenLength() {
    func shelves(_ content: ShelfContent, _ height: Double, to other: Double) -> Bool {
      var composition = CompositionalLayout(section: .shelves(content))
        .solved(in: LayoutEnvironment(containerSize: Size(width: 50, height: height)), for: ItemCounts([90]))
      while composition.refine(atMost: 100) {}
      composition.invalidate(.environment(LayoutEnvironment(containerSize: Size(width: 50, height: other))))
      return composition.isSettled
    }
    #expect(shelves(ShelfContent(seed: 1, guess: 9, dependsOnSeenLength: false), 60, to: 90))
    #expect(!shelves(ShelfContent(seed: 1, guess: 9, dependsOnSeenLength: true), 60, to: 90))
    #expect(shelves(ShelfContent(seed: 1, guess: 9, dependsOnSeenLength: true), 60, to: 60))
  }

  @Test("A strip keeps how far it is scrolled, as far as its content still reaches")
  func offsets() {
    var section = CollectionLayoutSection.grid(columns: .count(1), heightRatio: 0.2)
    section.orthogonalScrollingBehavior = .continuous
    let layout = CompositionalLayout(section: section)
    var composition = layout.solved(
      in: LayoutEnvironment(containerSize: Size(width: 50, height: 10)), for: ItemCounts([9, 9]))
    composition.setOrthogonalOffset(120, ofSection: 1)
    composition.invalidate(.items(LayoutUpdate(counts: ItemCounts([9, 9]), formerSections: [1, 0])))
    #expect(composition.orthogonalSection(0)?.offset == 120.0)
    #expect(composition.orthogonalSection(1)?.offset == 0.0)
    composition.invalidate(.everything)
    #expect(composition.orthogonalSection(0)?.offset == 120.0)
    let edit = SectionEdits(section: 0, removals: [2..<9])
    composition.invalidate(.items(LayoutUpdate(counts: ItemCounts([2, 9]), edits: [edit])))
    #expect(composition.orthogonalSection(0)?.offset == composition.orthogonalSection(0)?.maximumOffset)
  }

  @Test(
    "A window that grows along the flow keeps what was measured and settled in sections that ask for no share of it")
  func keptSections() {
    func keeps(_ section: CollectionLayoutSection) -> Bool {
      var composition = CompositionalLayout(section: section)
        .solved(in: LayoutEnvironment(containerSize: Size(width: 90, height: 60)), for: ItemCounts([400]))
      while composition.refine(atMost: 1_000) {}
      for item in stride(from: 0, to: 400, by: 7) {
        _ = composition.setPreferredSize(Size(width: 30, height: 33), ofItem: item)
      }
      let frames = (0..<400).map { composition.frame(ofItem: $0) }
      composition.invalidate(.environment(LayoutEnvironment(containerSize: Size(width: 90, height: 99))))
      return composition.isSettled && (0..<400).allSatisfy { composition.frame(ofItem: $0) == frames[$0] }
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
    #expect(keeps(.justified(targetRowHeight: 20, spacing: 1, lineSpacing: 1) { [0.5, 1.5, 1.7][$0 % 3] }))
    #expect(keeps(.mosaic(spacing: 2, minimumUnitWidth: 20)))
    #expect(keeps(list(.estimated(10))) && keeps(list(.fractionalWidth(0.2))))
    #expect(!keeps(list(.fractionalHeight(0.2))))
    #expect(
      keeps(rows(.estimated(10), cell: .estimated(10))) && keeps(rows(.absolute(10), cell: .fractionalHeight(0.3))))
    #expect(!keeps(rows(.fractionalHeight(0.3), cell: .fractionalHeight(1))))
  }
}
