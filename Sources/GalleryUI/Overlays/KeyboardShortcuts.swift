import Geometry

/// The keys of the gallery and what they do, in groups.
nonisolated enum KeyboardShortcuts {
  /// A line with keys and their meaning.
  struct Line: Hashable {
    let keys: [String]
    let meaning: String

    init(_ keys: String..., means meaning: String) {
      self.keys = keys
      self.meaning = meaning
    }
  }

  /// A group of related lines.
  struct Group: Hashable {
    let title: String
    let lines: [Line]
  }

  /// All groups, by column.
  static let columns: [[Group]] = [
    [
      Group(
        title: "Go",
        lines: [
          Line("←", "→", "↑", "↓", means: "to the next photograph"),
          Line("Page Up", "Page Down", means: "by a page"),
          Line("Home", "End", means: "to the first, to the last"),
          Line("Tab", "Shift Tab", means: "on, and back, unselected"),
          Line("Space", means: "scroll by a page"),
          Line("Pressed wheel", means: "scroll, faster farther away"),
          Line("A…Z", means: "to a name, as you type it"),
        ]),
      Group(
        title: "See",
        lines: [
          Line("Enter", means: "open, and back"),
          Line("+", "−", "Ctrl wheel", means: "larger, smaller"),
          Line("Ctrl 0", means: "usual size"),
          Line("F11", means: "full screen"),
          Line("F3", means: "frames and hitches"),
        ]),
    ],
    [
      Group(
        title: "Select",
        lines: [
          Line("Shift", "arrows", means: "select up to there"),
          Line("Ctrl", "arrows", means: "go without selecting"),
          Line("Ctrl Space", means: "this one too, or not"),
          Line("Ctrl A", means: "all"),
          Line("Esc", means: "none"),
        ]),
      Group(
        title: "Do",
        lines: [
          Line("Ctrl C", means: "copy paths"),
          Line("Ctrl Shift C", means: "copy URLs"),
          Line("Ctrl 1", "2", "3", means: "by name, date, size"),
          Line("Menu", "Shift F10", means: "a menu"),
          Line("F5", means: "read folders again"),
          Line("Ctrl Q", means: "leave"),
        ]),
    ],
  ]
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
