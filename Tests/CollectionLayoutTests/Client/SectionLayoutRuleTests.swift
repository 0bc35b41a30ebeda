import Synchronization
import Testing
import VitrineGeometry
import VitrineTestSupport

@testable import VitrineCollectionLayout

/// A layout of rows whose answers a test changes.
private struct LyingLayout: SectionLayout {
  /// Returns the answer for an item's frame, from the valid one.
  var frame: @Sendable (Int, Rect) -> Rect = { $1 }
  /// Returns the answer for the items in a rectangle, from the valid one.
  var found: @Sendable (Range<Int>) -> AnySequence<Int> = { AnySequence($0) }
  var length: @Sendable (Double) -> Double = { $0 }
  var target: Int?
  private var count = 0
  private var width = 0.0

  mutating func prepare(itemCount: Int, in environment: SectionLayoutEnvironment) {
    (count, width) = (itemCount, environment.breadth)
  }
  var contentLength: Double { length(Double(count) * 20) }
  func frame(ofItem item: Int) -> Rect { frame(item, Rect(x: 0, y: Double(item) * 20, width: width, height: 20)) }
  func items(in rect: Rect) -> AnySequence<Int> {
    let first = max(0, min(count, Int(rect.minY / 20)))
    return found(first..<max(first, min(count, Int((rect.maxY / 20).rounded(.up)))))
  }
  func item(from item: Int, _ heading: FocusHeading) -> Int? { target }
}

/// A count that closures share.
private final class SharedCounter: Sendable {
  private let value = Atomic(0)

  /// Adds 1 and returns the new count.
  func increment() -> Int { value.add(1, ordering: .relaxed).newValue }
}

@Suite("Invalid answers of clients' layouts")
struct SectionLayoutRuleTests {
  private static let viewport = Rect(x: 0, y: 0, width: 60, height: 100)

  private func solved(_ count: Int = 50, _ change: (inout LyingLayout) -> Void) -> SolvedComposition {
    var rules = LyingLayout()
    change(&rules)
    return CompositionalLayout(section: CollectionLayoutSection(layout: rules)).solved(
      in: LayoutEnvironment(containerSize: Size(width: 60, height: 100)), for: ItemCounts([count]))
  }

  private func visible(_ layout: SolvedComposition) -> [Int] {
    var items: [Int] = []
    layout.visitItems(in: Self.viewport) { items += $0 }
    return items
  }

  /// Checks that a rule was violated, that it is reported once, and that all frames are within the content.
  private func expectViolation(
    _ rule: SectionLayoutRule, in layout: SolvedComposition, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let content = Rect(origin: .zero, size: layout.contentSize)
    for item in 0..<layout.itemCounts.total {
      let frame = layout.frame(ofItem: item)
      #expect(
        frame.width >= 1 && frame.height >= 1 && frame.intersection(content) == frame, sourceLocation: sourceLocation)
    }
    _ = visible(layout)
    let first = layout.drainViolations()
    #expect(first.count > 0 && first.first.map(\.rule) == [rule], sourceLocation: sourceLocation)
    #expect(first.first.allSatisfy { $0.description.hasSuffix(".") }, sourceLocation: sourceLocation)
    _ = visible(layout)
    let second = layout.drainViolations()
    #expect(second.first.isEmpty, sourceLocation: sourceLocation)
  }

  @Test("Valid answers are not counted")
  func valid() {
    let layout = solved { _ in }
    #expect(visible(layout) == Array(0..<5) && layout.contentSize.height == 1_000)
    #expect(layout.frame(ofItem: 49) == Rect(x: 0, y: 980, width: 60, height: 20))
    #expect(layout.drainViolations().count == 0)
  }

  @Test(
    "A content length that is not finite or negative is bounded",
    arguments: [Double.nan, .infinity, -.infinity, -5, 1e300])
  func contentLength(_ length: Double) {
    let layout = solved { $0.length = { _ in length } }
    #expect(layout.contentSize.height.isFinite && layout.contentSize.height >= 1)
    let violations = layout.drainViolations()
    #expect(violations.first.map(\.rule) == [.contentLength])
    #expect(
      violations.first.first?.description
        == "A section layout has a content length that is not finite, is negative or is longer than 2^44 pixels. Return"
        + " a finite number of points that is not negative from contentLength.")
  }

  @Test("Frames that are not finite or run backwards have one pixel", arguments: [Double.nan, .infinity, -.infinity])
  func notFinite(_ number: Double) {
    expectViolation(
      .frame, in: solved { $0.frame = { item, rect in item == 2 ? Rect(x: number, y: 40, width: 9, height: 9) : rect } }
    )
    expectViolation(
      .frame, in: solved { $0.frame = { item, rect in item == 2 ? Rect(x: 0, y: number, width: 9, height: 9) : rect } })
    expectViolation(
      .frame, in: solved { $0.frame = { item, rect in item == 2 ? Rect(x: 0, y: 40, width: 9, height: number) : rect } }
    )
    let backwards = solved { $0.frame = { _, rect in Rect(x: rect.maxX, y: rect.maxY, width: -60, height: -20) } }
    expectViolation(.frame, in: backwards)
  }

  @Test("Frames outside of the section are clipped")
  func outside() {
    let layout = solved {
      $0.frame = { item, rect in item == 3 ? Rect(x: -30, y: 1e18, width: 500, height: 1e200) : rect }
    }
    #expect(layout.frame(ofItem: 3) == Rect(x: 0, y: 999, width: 60, height: 1))
    expectViolation(.bounds, in: layout)
  }

  @Test("In a window without a size, no frame is a violation")
  func noSize() {
    let layout = CompositionalLayout(section: CollectionLayoutSection(layout: LanesLayout(seed: 1))).solved(
      in: LayoutEnvironment(containerSize: .zero), for: ItemCounts([9]))
    #expect((0..<9).allSatisfy { layout.frame(ofItem: $0).width == 1 })
    #expect(layout.drainViolations().count == 0)
  }

  @Test("Items that do not exist or are returned twice are ignored")
  func invalidItems() {
    for item in [-1, 50, .max, .min] {
      let layout = solved { $0.found = { AnySequence([item] + Array($0)) } }
      #expect(visible(layout) == Array(0..<5))
      expectViolation(.existence, in: layout)
    }
    let twice = solved { $0.found = { AnySequence(Array($0) + $0.reversed()) } }
    #expect(visible(twice) == Array(0..<5))
    expectViolation(.uniqueness, in: twice)
  }

  @Test("Endless items end at the number of items")
  func endless() {
    let layout = solved { $0.found = { _ in AnySequence(sequence(first: 1) { $0 }) } }
    #expect(visible(layout) == [1])
    #expect(layout.firstItem(in: Rect(x: 0, y: 0, width: 1e9, height: 1e300)) == 1)
    #expect(layout.drainViolations().first.map(\.rule) == [.uniqueness, .count])
  }

  @Test("A million items at the same place are limited")
  func overlapping() {
    let layout = solved(1_000_000) {
      $0.frame = { _, rect in Rect(x: 0, y: 0, width: rect.width, height: 20) }
      $0.found = { _ in AnySequence(0..<1_000_000) }
    }
    #expect(visible(layout).count == ClientLimits.itemsPerScreen)
    let violations = layout.drainViolations()
    #expect(violations.first.map(\.rule) == [.count])
  }

  @Test("Overlapping frames are valid")
  func overlappingFrames() {
    let layout = solved {
      $0.frame = { _, rect in Rect(x: 0, y: rect.minY, width: rect.width, height: min(60, 1_000 - rect.minY)) }
    }
    #expect(layout.drainViolations().count == 0 && visible(layout) == Array(0..<5))
  }

  @Test("Frames that change between two calls")
  func changing() {
    let counter = SharedCounter()
    let layout = solved { rules in
      rules.frame = { _, rect in
        Rect(x: Double(counter.increment() % 7), y: rect.minY, width: rect.width / 2, height: rect.height)
      }
    }
    #expect(visible(layout) == Array(0..<5))
    expectViolation(.stability, in: layout)
  }

  @Test("The focus stays at items that exist")
  func focus() {
    let layout = solved { $0.target = 50 }
    #expect(layout.item(from: 3, .down) == 4 && layout.item(from: 0, .up) == nil)
    #expect(layout.drainViolations().first.map(\.rule) == [.focus])
  }

  @Test("Violations are recorded in one log while sections are solved again")
  func sharedLog() {
    var layout = solved { $0.length = { _ in -1 } }
    #expect(layout.drainViolations().count == 1)
    let edits = SectionEdits(section: 0, insertions: [0..<1])
    layout.invalidate(.items(LayoutUpdate(counts: ItemCounts([51]), edits: [edits])))
    var violations = layout.drainViolations()
    #expect(violations.count == 1 && violations.first.isEmpty)
    layout.invalidate(.everything)
    violations = layout.drainViolations()
    #expect(violations.count == 1 && violations.first.isEmpty)
  }
}
