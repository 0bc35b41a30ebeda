/// A line of a menu.
struct MenuEntry {
  /// What stands before an entry.
  enum State: Hashable {
    /// Nothing, as it is no choice among several.
    case none
    /// The choice that is not made.
    case off
    /// The choice that is made.
    case on
  }

  /// What it says.
  let title: String
  /// The keys that do the same, as they are written.
  var keys = ""
  /// What stands before it.
  var state = State.none
  /// Whether it can be chosen.
  var isEnabled = true
  /// Whether a line stands before it.
  var beginsGroup = false
  /// What it does.
  let action: () -> Void
}
