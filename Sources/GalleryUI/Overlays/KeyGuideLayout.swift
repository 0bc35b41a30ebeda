import Geometry

/// How closely the sheet of keys is set, so that all of it is read in the room that there is: a pure value.
nonisolated struct KeyGuideLayout: Hashable, Sendable {
  /// From the sheet's edges to what it says.
  let padding: Double
  /// The height of a line, of a group's title, and between groups.
  let row: Double
  let groupTitle: Double
  let groupGap: Double
  /// The height of the headline, and of the hint at the end; 0 where they are left out.
  let headline: Double
  let hint: Double
  /// Whether columns stand beside each other; otherwise one below the other.
  let isWide: Bool

  private typealias Step = (padding: Double, row: Double, title: Double, gap: Double, headline: Double, hint: Double)
  /// From the widest setting to the closest.
  private static let steps: [Step] = [
    (32, 30, 32, 20, 44, 32), (24, 27, 29, 16, 40, 28), (20, 24, 26, 12, 36, 0), (12, 22, 24, 8, 0, 0),
    (6, 20, 20, 4, 0, 0),
  ]
  /// Less than that, and columns beside each other have no room for their words.
  private static let leastWidth = 560.0

  /// Chooses the widest setting that fits; the closest where none does.
  ///
  /// - Parameters:
  ///   - size: the room.
  ///   - columns: how many lines each group has, column by column.
  init(fitting size: Size, columns: [[Int]]) {
    let isWide = size.width >= KeyGuideLayout.leastWidth
    let settings = KeyGuideLayout.steps.map { KeyGuideLayout($0, isWide: isWide) }
    self = settings.first { $0.height(of: columns) <= size.height } ?? settings[settings.count - 1]
  }

  /// The one with the most room.
  static var widest: KeyGuideLayout { KeyGuideLayout(steps[0], isWide: true) }

  private init(_ step: Step, isWide: Bool) {
    (padding, row, groupTitle) = (step.padding, step.row, step.title)
    (groupGap, headline, hint) = (step.gap, step.headline, step.hint)
    self.isWide = isWide
  }

  /// The height of all of it, in points.
  func height(of columns: [[Int]]) -> Double {
    let heights = (isWide ? columns : [columns.flatMap(\.self)]).map { groups in
      groups.reduce(Double(max(0, groups.count - 1)) * groupGap) { $0 + groupTitle + Double($1) * row }
    }
    return 2 * padding + headline + (heights.max() ?? 0) + hint
  }
}
