import VitrineGeometry

/// The keys of the gallery and what they do, in groups, made from the table of commands.
@MainActor enum KeyboardShortcuts {
  /// A line with keys and their meaning.
  struct Line: Hashable {
    var keys: [String]
    let meaning: String
  }

  /// A group of related lines.
  struct Group: Hashable {
    let title: String
    let lines: [Line]
  }

  /// All groups, by column.
  static let columns: [[Group]] = [
    [group(.navigation), group(.display)], [group(.picture), group(.selection), group(.action)],
  ]

  private static func group(_ group: GalleryCommand.Group) -> Group {
    var lines: [Line] = []
    for command in GalleryCommand.table where command.group == group {
      guard let meaning = command.summary else { continue }
      if lines.last?.meaning != meaning { lines.append(Line(keys: [], meaning: meaning)) }
      for label in command.inputLabels {
        lines[lines.count - 1].keys.append(shortened(label, after: lines.last?.keys ?? []))
      }
    }
    return Group(title: group.rawValue, lines: lines)
  }

  /// Returns a label without a plus sign between its keys, and without the modifiers of the label before.
  private static func shortened(_ label: String, after labels: [String]) -> String {
    let keys = label.split(separator: "+")
    guard keys.count > 1 else { return label }
    let isRepeated = labels.first?.split(separator: " ").dropLast().map(String.init) == keys.dropLast().map(String.init)
    return isRepeated ? String(keys[keys.count - 1]) : keys.joined(separator: " ")
  }
}

/// The metrics of the list of keyboard shortcuts, chosen so that all of it fits into the available space.
nonisolated struct KeyboardShortcutsLayout: Hashable, Sendable {
  /// The distance from the panel's edges to its content.
  let padding: Double
  /// The heights of a line and of a group title, and the gap between groups.
  let rowHeight: Double
  let groupTitleHeight: Double
  let groupGap: Double
  /// The heights of the headline and of the hint at the end; 0 if they are omitted.
  let headlineHeight: Double
  let hintHeight: Double
  /// Whether columns are next to each other.
  ///
  /// Otherwise they are stacked.
  let isWide: Bool

  private typealias Setting = (padding: Double, row: Double, title: Double, gap: Double, headline: Double, hint: Double)
  /// The settings, from the widest to the tightest.
  private static let settings: [Setting] = [
    (32, 30, 32, 20, 44, 32), (24, 27, 29, 16, 40, 28), (20, 24, 26, 12, 36, 0), (12, 22, 24, 8, 0, 0),
    (6, 20, 20, 4, 0, 0),
  ]
  /// The minimum width for columns next to each other.
  private static let minimumWideWidth = 560.0

  /// Chooses the widest setting that fits, or the tightest one if none fits.
  ///
  /// - Parameters:
  ///   - size: The available size.
  ///   - columns: The number of lines of each group, by column.
  init(fitting size: Size, columns: [[Int]]) {
    let isWide = size.width >= KeyboardShortcutsLayout.minimumWideWidth
    let settings = KeyboardShortcutsLayout.settings.map { KeyboardShortcutsLayout($0, isWide: isWide) }
    self = settings.first { $0.height(of: columns) <= size.height } ?? settings[settings.count - 1]
  }

  /// The layout with the most space.
  static var widest: KeyboardShortcutsLayout { KeyboardShortcutsLayout(settings[0], isWide: true) }

  private init(_ step: Setting, isWide: Bool) {
    (padding, rowHeight, groupTitleHeight) = (step.padding, step.row, step.title)
    (groupGap, headlineHeight, hintHeight) = (step.gap, step.headline, step.hint)
    self.isWide = isWide
  }

  /// Returns the total height, in points.
  func height(of columns: [[Int]]) -> Double {
    let heights = (isWide ? columns : [columns.flatMap(\.self)]).map { groups in
      groups.reduce(Double(max(0, groups.count - 1)) * groupGap) { $0 + groupTitleHeight + Double($1) * rowHeight }
    }
    return 2 * padding + headlineHeight + (heights.max() ?? 0) + hintHeight
  }
}
