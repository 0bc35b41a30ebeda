/// What an edit does to the place that it names.
public enum BatchVerb: String, Hashable, Sendable {
  /// Its section or item is gone.
  case delete
  /// A new section or item stands there.
  case insert
  /// It is shown anew.
  case reload
  /// Its cell is configured again.
  case reconfigure
  /// What stood there stands elsewhere.
  case moveAway = "move away"
  /// What stood elsewhere stands there.
  case moveTo = "move something to"
}
