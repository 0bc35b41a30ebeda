/// How the files of a recorded library compare with what is there at its replay.
public nonisolated struct ReplayedFiles: Hashable, Sendable {
  /// Files that are not there any more.
  public var missing: Int
  /// Files of another length or another time of change.
  public var changed: Int

  /// Makes figures.
  public init(missing: Int, changed: Int) {
    self.missing = missing
    self.changed = changed
  }
}
