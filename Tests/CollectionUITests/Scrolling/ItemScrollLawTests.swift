import CollectionUI
import struct FoundationEssentials.IndexPath
import Testing
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineGeometry
import VitrineScrollPhysics
import VitrineTestSupport
import VitrineViews

/// The law of scrolling to an item, over random estimates, sizes, pinned views, insets and updates: the item stands
/// where it was asked for within a pixel, and an animated scroll never runs backwards.
@Suite("Scrolling to a random item in random content")
struct ItemScrollLawTests {
  @Test("The content never runs backwards while items are inserted above and measured", arguments: 0..<100)
  func monotonic(seed: UInt64) {
    let content = RandomContent(seed: seed)
    // The direction is known.
    content.list.harness.runUntilIdle()
    content.scrollToRandomItem(animated: true)
    var last = content.tops
    for frame in 0..<90 {
      if frame < 40, content.random.chance(oneIn: 4) { content.insertItems(aboveTop: true) }
      content.list.harness.run(frames: 1)
      let tops = content.tops
      for (number, top) in tops {
        guard let before = last[number] else { continue }
        // Items after the target that are shorter than estimated bring the end of the content into the viewport.
        let isForward = content.isForward ? top <= before || content.isAtEnd : top >= before
        #expect(isForward, "\(content), frame \(frame): \(number) moved from \(before) to \(top)")
      }
      last = tops
    }
    content.expectArrival()
  }

  @Test("The item is where it was asked for, whatever happens on the way", arguments: 0..<100)
  func arrival(seed: UInt64) {
    let content = RandomContent(seed: seed)
    let isAnimated = content.random.chance(oneIn: 2)
    content.scrollToRandomItem(animated: isAnimated)
    for _ in 0..<content.random.next(upTo: 25) {
      content.change()
      content.list.harness.run(frames: content.random.next(upTo: 3))
      content.recordRest()
    }
    content.expectArrival()
    // Until the user scrolls, it stays there.
    for _ in 0..<6 {
      content.recordRest()
      content.change()
      content.expectArrival()
    }
  }
}

/// Sections of self-sized rows with pinned headers and footers, all with random sizes, and a scroll to one of them.
final class RandomContent: CustomStringConvertible {
  /// What a cell prefers, which changes.
  private final class Heights {
    var byNumber: [Int: Double] = [:]
    func height(of number: Int) -> Double { byNumber[number] ?? 40 }
  }

  let list: NumberGrid
  var random: SeededGenerator
  private let seed: UInt64
  private let heights: Heights
  private let headers: [Double]?
  private let footer: Double?
  private var position = ScrollPosition.top
  private var target = 0
  private var next = 10_000
  private(set) var isForward = true
  /// Whether items were inserted before the first one, where they are visible if the content is at its start.
  private var isPushedDown = false
  /// Whether an end of the content kept the item from its position when the content was at rest.
  private var isLimited = false

  init(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let heights = Heights()
    let estimate: Double = [4.0, 20, 44, 100, 350].randomElement(using: &random) ?? 44
    let tallest: Double = [30.0, 120, 700].randomElement(using: &random) ?? 120
    let count = Int.random(in: 1...6, using: &random)
    var sections: [[Int]] = []
    for section in 0..<count {
      sections.append((0..<Int.random(in: 1...160, using: &random)).map { section * 1_000 + $0 })
    }
    for number in sections.joined() {
      heights.byNumber[number] = Double.random(in: 6...tallest, using: &random).rounded()
    }
    let headers: [Double]? =
      random.chance(oneIn: 2) ? sections.map { _ in Double.random(in: 5...60, using: &random).rounded() } : nil
    let footer: Double? = random.chance(oneIn: 3) ? 24 : nil
    self.headers = headers
    self.footer = footer
    self.heights = heights
    self.seed = seed
    let header: Double = .random(in: 5...60, using: &random)
    let layout = TestLayouts.measuredRows(
      estimate: estimate, header: headers == nil ? nil : header.rounded(), footer: footer)
    list = NumberGrid(
      sections, layout: layout, preferredSize: { number, _ in Size(width: 400, height: heights.height(of: number)) },
      headerHeight: { headers?[$0] ?? 24 })
    if random.chance(oneIn: 2) { DemonstrationSwitches(list.view).isCellPrefetchingEnabled = true }
    if random.chance(oneIn: 3) { list.view.contentInset = Insets(top: 37, bottom: 21) }
    self.random = random
    list.scroll(to: list.view.scroll.range.maximum * Double.random(in: 0...1, using: &self.random))
    if self.random.chance(oneIn: 2) { list.harness.runUntilIdle() }
  }

  var description: String { "seed \(seed), item \(target) to \(position)" }

  /// The top edges of the displayed items in the window.
  var tops: [Int: Double] {
    Dictionary(list.cells.map { ($0.number, list.view.origin(of: $0).y) }) { first, _ in first }
  }

  func scrollToRandomItem(animated: Bool) {
    let numbers = list.source.snapshot().itemIdentifiers
    target = numbers.randomElement(using: &random) ?? 0
    position = [.top, .bottom, .centeredVertically].randomElement(using: &random) ?? .top
    guard let path = list.source.indexPath(for: target) else { return }
    let before = list.view.scroll.projectedOffset
    list.view.scrollToItem(at: path, at: position, animated: animated)
    isForward = list.view.scroll.projectedOffset >= before
  }

  /// Inserts items before the first displayed one, or anywhere.
  func insertItems(aboveTop: Bool) {
    // At the start of the content, inserted items are visible.
    guard !aboveTop || list.view.contentOffset > list.view.scroll.range.minimum else { return }
    let numbers = list.source.snapshot().itemIdentifiers
    let last = list.shown.min {
      (list.source.indexPath(for: $0) ?? [0, 0]) < (list.source.indexPath(for: $1) ?? [0, 0])
    }
    let limit = aboveTop ? last.flatMap { numbers.firstIndex(of: $0) } ?? 0 : numbers.count - 1
    let before = numbers[Int.random(in: 0...max(0, limit), using: &random)]
    let inserted = Array(next..<next + random.next(upTo: 8))
    next += 10
    if before == numbers.first { isPushedDown = true }
    for number in inserted { heights.byNumber[number] = Double.random(in: 6...200, using: &random).rounded() }
    list.apply(animated: !aboveTop) { $0.insertItems(inserted, beforeItem: before) }
  }

  /// Inserts, deletes, moves or resizes items, resizes the view, or waits.
  func change() {
    let numbers = list.source.snapshot().itemIdentifiers
    let other = numbers.randomElement(using: &random) ?? 0
    switch random.next(upTo: 7) {
    case 0, 1: insertItems(aboveTop: false)
    case 2 where other != target: list.apply { $0.deleteItems([other]) }
    case 3:
      let place = numbers.randomElement(using: &random) ?? 0
      if place != other, other != target { list.apply { $0.moveItem(other, beforeItem: place) } }
    case 4:
      heights.byNumber[other] = Double.random(in: 6...200, using: &random).rounded()
      list.apply { $0.reconfigureItems([other]) }
    case 5:
      heights.byNumber[target] = Double.random(in: 6...200, using: &random).rounded()
      list.apply { $0.reconfigureItems([target]) }
    case 6:
      let size = Size(width: [400.0, 320, 500].randomElement(using: &random) ?? 400, height: 300)
      list.harness.resize(to: size)
    default: list.harness.run(frames: 2)
    }
  }

  /// Whether the content is scrolled to its end.
  var isAtEnd: Bool { list.view.contentOffset >= list.view.scroll.range.maximum - 1 }

  /// Where the edge of the item is in the window, and where it was asked for, or nil if it is not visible.
  private var edges: (actual: Double, wanted: Double)? {
    let insets = list.view.contentInset
    guard let frame = list.frame(of: target), let section = list.source.indexPath(for: target)?.section else {
      return nil
    }
    return switch position {
    case .top: (frame.minY, insets.top + (headers?[section] ?? 0))
    case .bottom: (frame.maxY, 300 - insets.bottom - (footer ?? 0))
    default: (frame.midY, insets.top + (300 - insets.top - insets.bottom) / 2)
    }
  }

  /// Records whether the content is at rest, and an end of it keeps the item from its position.
  ///
  /// From then on other items may stay in place.
  func recordRest() {
    guard !list.view.isTracked else { return }
    if edges.map({ ($0.actual - $0.wanted).magnitude > 1 }) ?? true { isLimited = true }
  }

  /// Expects that the item is where it was asked for, or that the content is at an end and the item is before it.
  func expectArrival(_ location: SourceLocation = #_sourceLocation) {
    list.harness.runUntilIdle()
    let view = list.view
    let isAtStart = view.contentOffset <= view.scroll.range.minimum + 1
    if isLimited || isAtStart && isPushedDown { return }
    guard let (actual, wanted) = edges else {
      Issue.record("\(self): is not visible", sourceLocation: location)
      return
    }
    let isThere = (actual - wanted).magnitude <= 1 || isAtStart && actual < wanted || isAtEnd && actual > wanted
    #expect(isThere, "\(self): at \(actual), not at \(wanted)", sourceLocation: location)
  }
}

extension SeededGenerator {
  /// Returns a number from 0 to a limit, exclusively.
  fileprivate mutating func next(upTo limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }
}
