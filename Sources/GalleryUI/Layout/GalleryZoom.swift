/// How the photographs are placed and how large they are now.
nonisolated struct GalleryZoom: Hashable, Sendable {
  /// How they are placed.
  let kind: GalleryLayoutKind
  private let levels: ZoomLevels
  /// The place of the measure among all.
  private(set) var level: Int

  /// Begins with a layout's own measure.
  ///
  /// - Parameters:
  ///   - kind: the layout.
  ///   - columns: how many columns a grid begins with; as many as fit unless told.
  init(_ kind: GalleryLayoutKind, columns: Int? = nil) {
    self.kind = kind
    levels = ZoomLevels(of: kind, columns: columns)
    level = levels.defaultLevel
  }

  /// The measure.
  var currentStep: ZoomStep { levels.steps[level] }

  /// Makes pictures larger by so many steps, or smaller.
  ///
  /// - Parameters:
  ///   - distance: steps, larger where positive.
  ///   - width: the view's width in points.
  /// - Returns: whether the measure is another one.
  mutating func zoom(by distance: Int, in width: Double) -> Bool {
    let before = level
    level = levels.level(
      from: level, by: distance, in: width - 2 * Metrics.margin, spacing: GalleryLayout.spacing(of: kind))
    return level != before
  }

  /// Goes back to the measure to begin with.
  ///
  /// - Returns: whether it was another one.
  mutating func reset() -> Bool {
    defer { level = levels.defaultLevel }
    return level != levels.defaultLevel
  }
}
