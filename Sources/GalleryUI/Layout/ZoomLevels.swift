/// The measures through which a layout is zoomed, from the smallest pictures to the largest.
nonisolated struct ZoomLevels: Hashable, Sendable {
  /// The measures; at least one.
  let steps: [ZoomStep]
  /// The one to begin with.
  let defaultLevel: Int

  /// The measures of a kind of layout.
  ///
  /// - Parameters:
  ///   - kind: the layout.
  ///   - columns: how many columns a grid begins with; as many as fit unless told.
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

  /// The level that is so many steps larger, or smaller, and looks different; the last one where there are no more.
  ///
  /// In a narrow window several measures give as many columns: they count as one step. Where those up to the end all look
  /// like this one, the level stays.
  ///
  /// - Parameters:
  ///   - level: where to begin.
  ///   - distance: how many steps, larger where positive.
  ///   - width: the room for columns in points.
  ///   - spacing: between columns in points.
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
