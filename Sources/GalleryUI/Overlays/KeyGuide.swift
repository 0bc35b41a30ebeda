/// What the gallery's keys do, in groups, for those who ask.
nonisolated enum KeyGuide {
  /// Keys that do one thing, and what that is.
  struct Line: Hashable {
    let keys: [String]
    let meaning: String

    init(_ keys: String..., means meaning: String) {
      self.keys = keys
      self.meaning = meaning
    }
  }

  /// Lines that belong together.
  struct Group: Hashable {
    let title: String
    let lines: [Line]
  }

  /// All groups, a column for each inner array.
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
          Line("Ctrl Shift C", means: "copy addresses"),
          Line("Ctrl 1", "2", "3", means: "by name, date, size"),
          Line("Menu", "Shift F10", means: "a menu"),
          Line("F5", means: "read folders again"),
          Line("Ctrl Q", means: "leave"),
        ]),
    ],
  ]
}
