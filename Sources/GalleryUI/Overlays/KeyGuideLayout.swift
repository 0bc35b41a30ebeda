import Geometry

/// How closely the sheet of keys is set, so that all of it is read in the room that there is: a pure value.
nonisolated struct KeyGuideLayout: Hashable, Sendable {
  /// From the sheet's edges to what it says.
  let padding: Double
  /// The height of a line, of a group's title, and between groups.
  let rowHeight: Double
  let groupTitleHeight: Double
  let groupGap: Double
  /// The height of the headline, and of the hint at the end; 0 where they are left out.
  let headlineHeight: Double
  let hintHeight: Double
  /// Whether columns stand beside each other; otherwise one below the other.
  let isWide: Bool

  private typealias Setting = (padding: Double, row: Double, title: Double, gap: Double, headline: Double, hint: Double)
  /// From the widest setting to the closest.
  private static let settings: [Setting] = [
    (32, 30, 32, 20, 44, 32), (24, 27, 29, 16, 40, 28), (20, 24, 26, 12, 36, 0), (12, 22, 24, 8, 0, 0),
    (6, 20, 20, 4, 0, 0),
  ]
  /// Less than that, and columns beside each other have no room for their words.
  private static let minimumWideWidth = 560.0

  /// Chooses the widest setting that fits; the closest where none does.
  ///
  /// - Parameters:
  ///   - size: the room.
  ///   - columns: how many lines each group has, column by column.
  init(fitting size: Size, columns: [[Int]]) {
    let isWide = size.width >= KeyGuideLayout.minimumWideWidth
    let settings = KeyGuideLayout.settings.map { KeyGuideLayout($0, isWide: isWide) }
    self = settings.first { $0.height(of: columns) <= size.height } ?? settings[settings.count - 1]
  }

  /// The one with the most room.
  static var widest: KeyGuideLayout { KeyGuideLayout(settings[0], isWide: true) }

  private init(_ step: Setting, isWide: Bool) {
    (padding, rowHeight, groupTitleHeight) = (step.padding, step.row, step.title)
    (groupGap, headlineHeight, hintHeight) = (step.gap, step.headline, step.hint)
    self.isWide = isWide
  }

  /// The height of all of it, in points.
  func height(of columns: [[Int]]) -> Double {
    let heights = (isWide ? columns : [columns.flatMap(\.self)]).map { groups in
      groups.reduce(Double(max(0, groups.count - 1)) * groupGap) { $0 + groupTitleHeight + Double($1) * rowHeight }
    }
    return 2 * padding + headlineHeight + (heights.max() ?? 0) + hintHeight
  }
}
