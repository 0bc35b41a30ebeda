import VitrineGeometry
import VitrinePhotoLibrary

/// The photographs that the viewer shows side by side, of which the active one is the viewed photograph.
///
/// Invariants:
/// - There are one to ``maximumCount`` photographs, and none twice.
/// - Steps and commands apply to the active one.
nonisolated struct Comparison: Hashable, Sendable {
  /// The maximum number of photographs.
  static let maximumCount = 4

  /// The photographs, from left to right and from top to bottom.
  private(set) var items: [PhotoID]
  /// The index of the active one.
  private(set) var activeIndex: Int
  /// Whether Escape closes the viewer, because the comparison was opened from the grid.
  let isOpenedFromGrid: Bool

  /// Creates a comparison.
  ///
  /// - Parameters:
  ///   - items: The photographs, of which the first ``maximumCount`` are shown, but at least one.
  ///   - active: The active one. Default: the first one.
  init(_ items: [PhotoID], active: PhotoID? = nil) {
    var distinct: [PhotoID] = []
    for item in items where !distinct.contains(item) { distinct.append(item) }
    self.items = Array(distinct.prefix(Comparison.maximumCount))
    activeIndex = active.flatMap(self.items.firstIndex) ?? 0
    isOpenedFromGrid = self.items.count > 1
  }

  /// The active photograph.
  var active: PhotoID { items[activeIndex] }

  /// Whether there are photographs side by side.
  var isComparing: Bool { items.count > 1 }

  /// Whether there is room for another photograph.
  var hasRoom: Bool { items.count < Comparison.maximumCount }

  /// Shows another photograph instead of the active one; if it is shown already, makes it the active one.
  mutating func show(_ item: PhotoID) {
    if let index = items.firstIndex(of: item) { activeIndex = index } else { items[activeIndex] = item }
  }

  /// Makes a photograph the active one.
  mutating func activate(_ index: Int) { if items.indices.contains(index) { activeIndex = index } }

  /// Makes the next or a previous photograph the active one, around the ends.
  mutating func activateNext(by steps: Int) {
    activeIndex = ((activeIndex + steps) % items.count + items.count) % items.count
  }

  /// Adds a photograph beside the active one, and makes it the active one.
  ///
  /// - Returns: Whether there was room for it, and it was not shown.
  mutating func add(_ item: PhotoID) -> Bool {
    guard hasRoom, !items.contains(item) else { return false }
    items.insert(item, at: activeIndex + 1)
    activeIndex += 1
    return true
  }

  /// Removes the photograph at an index, unless it is the only one.
  ///
  /// If it was the active one, the one after it becomes active, or the last one.
  mutating func remove(at index: Int) {
    guard isComparing, items.indices.contains(index) else { return }
    items.remove(at: index)
    if activeIndex > index { activeIndex -= 1 }
    activeIndex = min(activeIndex, items.count - 1)
  }

  /// Removes all but the active photograph.
  mutating func end() { (items, activeIndex) = ([active], 0) }
}

/// The arrangement of pictures side by side.
nonisolated enum ComparisonLayout {
  /// The distance between pictures, in points.
  static let spacing = 4.0

  /// Returns the frames in which pictures are shown largest.
  ///
  /// Of equal arrangements, the one with more columns is used. Rows have the same number of pictures, except that the last
  /// one of three pictures in two columns is centered.
  ///
  /// - Parameters:
  ///   - pictures: The sizes of the pictures, in any unit.
  ///   - area: The size of the area, in points.
  /// - Returns: A frame for each picture, on whole points.
  /// - Complexity: O(*n*²) in the number of pictures.
  static func frames(of pictures: [Size], in area: Size) -> [Rect] {
    guard pictures.count > 1 else { return pictures.map { _ in Rect(origin: .zero, size: area) } }
    var best: (frames: [Rect], shown: Double)?
    for columns in (1...pictures.count).reversed() where pictures.count % columns == 0 || pictures.count == 3 {
      let frames = frames(columns: columns, count: pictures.count, in: area)
      let shown = zip(pictures, frames).reduce(0) { $0 + shownArea(of: $1.0, in: $1.1.size) }
      if shown > (best?.shown ?? -1) * 1.001 { best = (frames, shown) }
    }
    return best?.frames ?? []
  }

  private static func frames(columns: Int, count: Int, in area: Size) -> [Rect] {
    let rows = (count + columns - 1) / columns
    let width = max(0, ((area.width - Double(columns - 1) * spacing) / Double(columns)).rounded(.down))
    let height = max(0, ((area.height - Double(rows - 1) * spacing) / Double(rows)).rounded(.down))
    return (0..<count).map { index in
      let (row, column) = (index / columns, index % columns)
      let inRow = min(columns, count - row * columns)
      let indent = (Double(columns - inRow) * (width + spacing) / 2).rounded(.down)
      return Rect(
        x: indent + Double(column) * (width + spacing), y: Double(row) * (height + spacing), width: width,
        height: height)
    }
  }

  private static func shownArea(of picture: Size, in frame: Size) -> Double {
    guard picture.width > 0, picture.height > 0 else { return 0 }
    let share = min(frame.width / picture.width, frame.height / picture.height)
    return picture.width * share * picture.height * share
  }
}
