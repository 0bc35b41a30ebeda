// The code of the article “A layout of your own”, and of HowTo/WriteALayout.
import CollectionUI

struct Staircase: SectionLayout {
  private let height = 60.0
  private var count = 0
  private var breadth = 0.0

  mutating func prepare(itemCount: Int, in environment: SectionLayoutEnvironment) {
    count = itemCount
    breadth = environment.breadth
  }

  var contentLength: Double { Double(count) * height }

  func frame(ofItem item: Int) -> Rect {
    Rect(x: Double(item % 4) * breadth / 8, y: Double(item) * height, width: breadth / 2, height: height)
  }

  func items(in rect: Rect) -> Range<Int> {
    let first = max(0, min(count, Int(rect.minY / height)))
    return first..<max(first, min(count, Int(rect.maxY / height) + 1))
  }
}

let layout = CompositionalLayout(section: CollectionLayoutSection(layout: Staircase()))

/// A staircase that comes to rest at a step, and whose new steps grow in.
struct SnappingStaircase: SectionLayout {
  private var stairs = Staircase()
  private let step = 60.0

  init() {}

  mutating func prepare(itemCount: Int, in environment: SectionLayoutEnvironment) {
    stairs.prepare(itemCount: itemCount, in: environment)
  }

  var contentLength: Double { stairs.contentLength }
  func frame(ofItem item: Int) -> Rect { stairs.frame(ofItem: item) }
  func items(in rect: Rect) -> Range<Int> { stairs.items(in: rect) }

  func targetContentOffset(
    forProposedContentOffset proposed: Double, withScrollingVelocity velocity: Double
  ) -> Double { (proposed / step).rounded() * step }

  func initialLayoutAttributesForAppearingItem(at item: Int) -> TransitionAttributes? {
    TransitionAttributes(frame: frame(ofItem: item), alpha: 0, transform: Transform(scaleX: 0.3, y: 0.3))
  }
}

/// The same staircase, whose steps are as high as their cells prefer.
struct MeasuredStaircase: SectionLayout {
  private var heights: [Double] = []
  private var tops: [Double] = [0]
  private var breadth = 0.0

  init() {}

  mutating func prepare(itemCount: Int, in environment: SectionLayoutEnvironment) {
    breadth = environment.breadth
    heights = Array(repeating: 60, count: itemCount)
    updateTops(from: 0)
  }

  var contentLength: Double { tops.last ?? 0 }

  func frame(ofItem item: Int) -> Rect {
    Rect(x: Double(item % 4) * breadth / 8, y: tops[item], width: breadth / 2, height: heights[item])
  }

  func items(in rect: Rect) -> Range<Int> {
    let first = max(0, firstTop(above: rect.minY) - 1)
    return first..<max(first, min(heights.count, firstTop(above: rect.maxY)))
  }

  var usesPreferredSizes: Bool { true }

  mutating func setPreferredSize(_ size: Size, ofItem item: Int) -> Bool {
    guard heights[item] != size.height else { return false }
    heights[item] = size.height
    updateTops(from: item)
    return true
  }

  private mutating func updateTops(from item: Int) {
    tops.removeSubrange((item + 1)...)
    for height in heights[item...] { tops.append(contentLength + height) }
  }

  /// Returns the index of the first top that is below a position, by bisection.
  private func firstTop(above y: Double) -> Int {
    var (low, high) = (0, tops.count)
    while low < high {
      let middle = (low + high) / 2
      if tops[middle] <= y { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// Returns a list whose drags end with a row at the start, and whose new rows come from the side.
func makeSnappingList(_ configuration: CollectionLayoutListConfiguration) -> CompositionalLayout {
  CompositionalLayout { _, environment in
    var section = CollectionLayoutSection.list(using: configuration, layoutEnvironment: environment)
    section.targetContentOffsetHandler = { proposed, _, frames in
      frames.item(nearestTo: proposed).map { frames.frame(ofItem: $0).minY } ?? proposed
    }
    section.initialLayoutAttributesHandler = { _, attributes, environment in
      attributes.frame.origin.x -= environment.containerSize.width
    }
    return section
  }
}

/// Returns a layout whose first section is a shelf of cards and whose second one is a staircase.
func makeMixedLayout() -> CompositionalLayout {
  let layout = CompositionalLayout { section, environment in
    guard section > 0 else { return .grid(columns: .count(4)) }
    var stairs = CollectionLayoutSection(layout: Staircase())
    stairs.contentInsets = DirectionalEdgeInsets(top: 16, leading: 16, bottom: 16, trailing: 16)
    return stairs
  }
  return layout
}
