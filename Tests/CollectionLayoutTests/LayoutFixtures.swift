import VitrineDataStructures
import VitrineGeometry

@testable import VitrineCollectionLayout

/// The rules of a test section of shelves: rows of a few items with pseudorandom lengths.
///
/// The lengths may be estimated until they are finalized.
struct ShelfContent: SectionContent, Hashable {
  /// The seed of the lengths.
  var seed: UInt64
  /// The number of items per shelf.
  var itemsPerShelf = 3
  /// The maximum length of a shelf, in pixels.
  var maximumLength = 40
  /// The estimated length of a shelf, in pixels, or nil if all lengths are final from the start.
  var estimate: Int?
  /// Whether the preferred sizes of cells affect the layout.
  var usesPreferredSizes = false
  /// Whether the layout depends on the visible length of the container.
  var dependsOnVisibleLength = true

  func dependsOnVisibleLength(along flow: Axis) -> Bool { dependsOnVisibleLength }

  func body(of itemCount: Int, in container: SectionContainer) -> any SectionBody {
    ShelfBody(content: self, itemCount: itemCount, container: container)
  }
}

extension CollectionLayoutSection {
  /// Returns a section of shelves.
  static func shelves(_ content: ShelfContent) -> CollectionLayoutSection { CollectionLayoutSection(content: content) }
}

/// The shelves of a section.
///
/// Each query iterates over all shelves.
struct ShelfBody: SectionBody, Hashable {
  let content: ShelfContent
  private(set) var itemCount: Int
  let container: SectionContainer
  /// The final length of each shelf, or nil if the length is estimated.
  private var finalLengths: [Int?]
  /// The preferred lengths of cells, by shelf.
  private var preferredLengths: [Int: Int] = [:]

  init(content: ShelfContent, itemCount: Int, container: SectionContainer) {
    self.content = content
    self.itemCount = itemCount
    self.container = container
    finalLengths = []
    updateShelfCount()
  }

  /// Adds or removes shelves after the number of items changed.
  private mutating func updateShelfCount() {
    let count = (itemCount + content.itemsPerShelf - 1) / content.itemsPerShelf
    finalLengths = Array(finalLengths.prefix(count))
    while finalLengths.count < count {
      finalLengths.append(content.estimate == nil ? finalLength(ofShelf: finalLengths.count) : nil)
    }
  }

  private func finalLength(ofShelf shelf: Int) -> Int {
    Int(SplitMix64.mix(content.seed &+ UInt64(shelf)) % UInt64(content.maximumLength)) + 1
  }

  private func length(ofShelf shelf: Int) -> Int {
    preferredLengths[shelf] ?? finalLengths[shelf] ?? content.estimate ?? 1
  }

  private var gap: Int { container.pixels(container.interGroupSpacing) }

  private func start(ofShelf shelf: Int) -> Int { (0..<shelf).reduce(0) { $0 + length(ofShelf: $1) + gap } }

  var length: Int { finalLengths.isEmpty ? 0 : start(ofShelf: finalLengths.count) - gap }
  var breadth: Int {
    container.flow == .vertical ? container.pixelLength(.horizontal) : min(30, container.pixelLength(.vertical))
  }

  func frame(ofItem item: Int) -> PixelFrame {
    let (shelf, column) = item.quotientAndRemainder(dividingBy: content.itemsPerShelf)
    let along = start(ofShelf: shelf)
    let across = (column * breadth / content.itemsPerShelf, (column + 1) * breadth / content.itemsPerShelf)
    // Some items are shorter than their shelf.
    let length = max(1, length(ofShelf: shelf) - Int(SplitMix64.mix(content.seed ^ UInt64(item)) % 3))
    let end = max(across.0 + 1, across.1)
    return container.flow == .vertical
      ? PixelFrame(minX: across.0, minY: along, maxX: end, maxY: along + length)
      : PixelFrame(minX: along, minY: across.0, maxX: along + length, maxY: end)
  }

  func firstItem(in rect: PixelFrame) -> Int? { (0..<itemCount).first { frame(ofItem: $0).intersects(rect) } }
  func lastItem(in rect: PixelFrame) -> Int? { (0..<itemCount).last { frame(ofItem: $0).intersects(rect) } }

  func groupStarts(around line: Int) -> (atOrBefore: Int, after: Int?)? {
    let starts = finalLengths.indices.map { start(ofShelf: $0) }
    guard let first = starts.first else { return nil }
    return (starts.last { $0 <= line } ?? first, starts.first { $0 > line })
  }

  var areFramesFinal: Bool { !finalLengths.contains(nil) }

  mutating func finalizeFrames(in range: Range<Int>) -> Bool {
    let length = length
    for (shelf, start) in finalLengths.indices.map({ ($0, start(ofShelf: $0)) })
    where start < range.upperBound && start + self.length(ofShelf: shelf) + gap > range.lowerBound {
      finalLengths[shelf] = finalLength(ofShelf: shelf)
    }
    return self.length != length
  }

  mutating func finalizeFrames(itemBudget items: Int) -> Bool {
    let length = length
    for shelf in finalLengths.indices.filter({ finalLengths[$0] == nil }).prefix(max(1, items / content.itemsPerShelf))
    {
      finalLengths[shelf] = finalLength(ofShelf: shelf)
    }
    return self.length != length
  }

  func usesPreferredSize(ofItem item: Int) -> Bool { content.usesPreferredSizes }

  mutating func setPreferredSize(width: Int, height: Int, ofItem item: Int, burst: UInt32) -> PreferredSizeResult {
    let shelf = item / content.itemsPerShelf
    let preferredLength = container.flow == .vertical ? height : width
    guard length(ofShelf: shelf) != preferredLength else { return .unchanged }
    preferredLengths[shelf] = preferredLength
    return .changed
  }

  mutating func update(_ edits: SectionEdits, content: any SectionContent, container: SectionContainer) -> Bool {
    guard content as? ShelfContent == self.content else { return false }
    itemCount += edits.countDelta
    updateShelfCount()
    preferredLengths = preferredLengths.filter { $0.key < finalLengths.count }
    return true
  }

  func cost(of edits: SectionEdits) -> Int { edits.insertions.reduce(0) { $0 + $1.count } }
}

// MARK: - Grids

/// The metrics of the first grid of a layout.
extension SolvedComposition {
  private var grid: GridBody? { sections.lazy.compactMap { $0.body as? GridBody }.first }

  /// The number of columns, or 0 if the layout has no section.
  var columnCount: Int { grid?.lanes.count ?? 0 }

  /// The size of the widest item, in points.
  var largestItemSize: Size {
    let widths = (0..<columnCount).compactMap { grid?.lanes.edges(of: $0) }.map { $0.right - $0.left }
    return Size(
      width: Double(widths.max() ?? 0) / environment.scale.pixelsPerPoint,
      height: Double(grid?.itemLength ?? 0) / environment.scale.pixelsPerPoint)
  }

  /// The distance from the top of a row to the top of the next row, in points.
  var rowLength: Double { Double(grid?.pitch ?? 0) / environment.scale.pixelsPerPoint }
}

// MARK: - Containers and groups

extension SectionContainer {
  /// Returns a section container at one pixel per point by default.
  static func plain(
    _ width: Double = 320, _ height: Double = 480, flow: Axis = .vertical, scale: Double = 1, spacing: Double = 0
  ) -> SectionContainer {
    SectionContainer(
      size: Size(width: width, height: height), flow: flow, scale: DisplayScale(pixelsPerPoint: scale),
      interGroupSpacing: spacing)
  }
}

extension RowGroup {
  /// Returns rows that fill the breadth of a container.
  static func rows(_ container: SectionContainer, estimate: Int = 44) -> RowGroup {
    RowGroup(flow: container.flow, breadth: container.pixelLength(container.flow.cross), estimate: estimate)
  }
}

/// Returns a layout item with a size, edge spacing, insets and supplementary items.
func layoutItem(
  _ width: CollectionLayoutDimension, _ height: CollectionLayoutDimension,
  edges: CollectionLayoutEdgeSpacing? = nil, insets: DirectionalEdgeInsets = .zero,
  views: [CollectionLayoutSupplementaryItem] = []
) -> CollectionLayoutItem {
  var item = CollectionLayoutItem(layoutSize: .init(width: width, height: height), supplementaryItems: views)
  item.edgeSpacing = edges
  item.contentInsets = insets
  return item
}

extension CollectionLayoutSize {
  /// The size of the container.
  static let full = CollectionLayoutSize(width: .fractionalWidth(1), height: .fractionalHeight(1))
  /// Returns a size with the width of the container and an absolute height.
  static func high(_ points: Double) -> CollectionLayoutSize {
    .init(width: .fractionalWidth(1), height: .absolute(points))
  }
}

// MARK: - Boundary items

extension CollectionLayoutBoundarySupplementaryItem {
  /// Returns a boundary item with the width of the container and an absolute height.
  static func across(
    _ kind: String, _ alignment: RectAlignment, _ height: Double, pins: Bool = false
  ) -> CollectionLayoutBoundarySupplementaryItem {
    view(kind, alignment, .fractionalWidth(1), .absolute(height), pins: pins)
  }

  /// Returns a boundary item.
  static func view(
    _ kind: String, _ alignment: RectAlignment, _ width: CollectionLayoutDimension,
    _ height: CollectionLayoutDimension, pins: Bool = false
  ) -> CollectionLayoutBoundarySupplementaryItem {
    var item = CollectionLayoutBoundarySupplementaryItem(
      layoutSize: CollectionLayoutSize(width: width, height: height), elementKind: kind, alignment: alignment)
    item.pinToVisibleBounds = pins
    return item
  }
}

extension SectionBody {
  /// Records the size that a cell prefers, in pixels, in the first burst.
  mutating func setPreferredSize(width: Int, height: Int, ofItem item: Int) -> PreferredSizeResult {
    setPreferredSize(width: width, height: height, ofItem: item, burst: 0)
  }
}
