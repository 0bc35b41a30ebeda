import VitrineRendering

/// The kind of layout and its zoom level.
nonisolated struct GalleryZoom: Hashable, Sendable {
  /// The kind of layout.
  let kind: GalleryLayoutKind
  private let levels: ZoomLevels
  /// The index of the current zoom step.
  private(set) var level: Int

  /// Creates a zoom at the default level of a layout.
  ///
  /// - Parameters:
  ///   - kind: The kind of layout.
  ///   - columns: The initial number of columns of a grid. Default: as many as fit.
  init(_ kind: GalleryLayoutKind, columns: Int? = nil) {
    self.kind = kind
    levels = ZoomLevels(of: kind, columns: columns)
    level = levels.defaultLevel
  }

  /// The current zoom step.
  var currentStep: ZoomStep { levels.steps[level] }

  /// The number of zoom steps.
  var levelCount: Int { levels.steps.count }

  /// Zooms to a step, or to the nearest one that exists.
  ///
  /// - Returns: Whether the zoom level changed.
  mutating func setLevel(_ level: Int) -> Bool {
    let before = self.level
    self.level = max(0, min(levels.steps.count - 1, level))
    return self.level != before
  }

  /// Zooms by the given number of steps.
  ///
  /// - Parameters:
  ///   - distance: The number of steps. Positive numbers make pictures larger.
  ///   - width: The width of the view in points.
  /// - Returns: Whether the zoom level changed.
  mutating func zoom(by distance: Int, in width: Double) -> Bool {
    let before = level
    level = levels.level(
      from: level, by: distance, in: width - 2 * Metrics.margin, spacing: GalleryLayout.spacing(of: kind))
    return level != before
  }

  /// Returns to the default level.
  ///
  /// - Returns: Whether the zoom level changed.
  mutating func reset() -> Bool {
    defer { level = levels.defaultLevel }
    return level != levels.defaultLevel
  }
}

/// The zoom steps of a layout, from the smallest pictures to the largest.
nonisolated struct ZoomLevels: Hashable, Sendable {
  /// The zoom steps; at least one.
  let steps: [ZoomStep]
  /// The index of the default step.
  let defaultLevel: Int

  /// Creates the zoom steps of a layout.
  ///
  /// - Parameters:
  ///   - kind: The kind of layout.
  ///   - columns: The initial number of columns of a grid. Default: as many as fit.
  init(of kind: GalleryLayoutKind, columns: Int? = nil) {
    switch (kind, columns) {
    case (.grid, let columns?):
      let most = max(ZoomLevels.maximumColumns, columns)
      steps = (1...most).reversed().map(ZoomStep.columns)
      defaultLevel = most - max(1, columns)
    case (.grid, nil):
      (steps, defaultLevel) = ZoomLevels.widthSteps([80, 96, 116, 144, 176, 216, 264, 328, 408, 512, 648, 840], 4)
    case (.mosaic, _): (steps, defaultLevel) = ZoomLevels.widthSteps([64, 80, 100, 128, 160, 200, 256, 320, 420], 4)
    case (.justified, _):
      (steps, defaultLevel) = ZoomLevels.heightSteps([64, 84, 112, 148, 196, 256, 336, 440, 580], 4)
    case (.list, _): (steps, defaultLevel) = ZoomLevels.heightSteps([28, 36, 48, 64, 88, 120, 160], 2)
    }
  }

  private static let maximumColumns = 24

  private static func widthSteps(_ widths: [Double], _ standard: Int) -> ([ZoomStep], Int) {
    (widths.map(ZoomStep.width), standard)
  }

  private static func heightSteps(_ heights: [Double], _ standard: Int) -> ([ZoomStep], Int) {
    (heights.map(ZoomStep.height), standard)
  }

  /// Returns the level that is the given number of visible steps away, or the last such level if there are not enough.
  ///
  /// In a narrow window, several steps result in the same number of columns. They count as one. If all steps up to the
  /// end look like the current one, the level does not change.
  ///
  /// - Parameters:
  ///   - level: The current level.
  ///   - distance: The number of steps. Positive numbers make pictures larger.
  ///   - width: The width available for columns in points.
  ///   - spacing: The spacing between columns in points.
  func level(from level: Int, by distance: Int, in width: Double, spacing: Double) -> Int {
    var level = level
    for _ in 0..<distance.magnitude {
      guard let next = nextLevel(from: level, by: distance.signum(), width, spacing) else { break }
      level = next
    }
    return level
  }

  private func nextLevel(from level: Int, by direction: Int, _ width: Double, _ spacing: Double) -> Int? {
    var next = level + direction
    while steps.indices.contains(next) {
      if case .height = steps[next] { return next }
      let columns = steps[next].columns(in: width, spacing: spacing)
      if columns != steps[level].columns(in: width, spacing: spacing) { return next }
      next += direction
    }
    return nil
  }
}

/// A zoom step of a layout.
///
/// Lengths are in points.
nonisolated enum ZoomStep: Hashable, Sendable {
  /// A fixed number of columns.
  case columns(Int)
  /// As many columns as fit with at least the given width each.
  case width(Double)
  /// Rows of about the given height.
  case height(Double)

  /// Returns the number of columns in the given width, or 1 for a step without columns.
  func columns(in width: Double, spacing: Double) -> Int {
    switch self {
    case .columns(let count): count
    case .width(let minimum): max(1, Int(((width + spacing) / (minimum + spacing)).rounded(.down)))
    case .height: 1
    }
  }
}

/// A converter from wheel movements to zoom steps.
///
/// Trackpads report fractions of wheel notches.
nonisolated struct ZoomWheel: Hashable, Sendable {
  private var remainder = 0.0

  /// Adds a movement in notches, and returns the resulting number of steps.
  ///
  /// A change of direction discards the accumulated fraction. NaN and infinity are ignored, and a movement counts as at
  /// most ten notches.
  ///
  /// - Returns: The number of steps. Positive numbers make pictures larger.
  mutating func steps(of notches: Double) -> Int {
    guard notches.isFinite, notches != 0 else { return 0 }
    if (notches > 0) != (remainder > 0) { remainder = 0 }
    remainder += min(10, max(-10, notches))
    // The fractions of a notch may add up to slightly less than one.
    let steps = (remainder + (remainder > 0 ? 1e-6 : -1e-6)).rounded(.towardZero)
    remainder -= steps
    return Int(steps)
  }
}

/// A converter from pinch gestures to zoom steps.
nonisolated struct ZoomPinch: Hashable, Sendable {
  /// The ratio of finger distances per step, about the ratio of picture sizes per step.
  static let ratioPerStep = 1.22
  /// The maximum number of steps per event.
  static let maximumSteps = 12

  /// The pinch scale at the last step, relative to the start of the gesture.
  private var scaleAtLastStep = 1.0

  /// Returns the number of steps that a pinch event completes.
  ///
  /// The threshold of a step back is as far away as that of a step forward, so that fingers near a threshold do not
  /// alternate between two steps.
  ///
  /// - Returns: The number of steps. Positive numbers make pictures larger.
  mutating func steps(of pinch: PinchInput) -> Int {
    if pinch.phase == .began { scaleAtLastStep = 1 }
    guard pinch.scale.isFinite, pinch.scale > 0 else { return 0 }
    var steps = 0
    while pinch.scale >= scaleAtLastStep * ZoomPinch.ratioPerStep, steps < ZoomPinch.maximumSteps {
      scaleAtLastStep *= ZoomPinch.ratioPerStep
      steps += 1
    }
    while pinch.scale <= scaleAtLastStep / ZoomPinch.ratioPerStep, steps > -ZoomPinch.maximumSteps {
      scaleAtLastStep /= ZoomPinch.ratioPerStep
      steps -= 1
    }
    return steps
  }
}
