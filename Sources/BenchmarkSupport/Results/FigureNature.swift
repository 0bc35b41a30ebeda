/// How far a figure can be trusted to be the same in the next run.
public enum FigureNature: String, CaseIterable, Codable, Sendable {
  /// It was counted, and repeats within ``tolerance``: instructions under callgrind, allocations, bytes of an allocator,
  /// whatever is worked out on the virtual clock.
  case counted
  /// It relates two measurements of one run to each other, so that what the machine does besides touches both.
  case related
  /// It was measured, and says as much of the machine as of the program.
  case measured

  /// By what share of itself a counted figure may differ from run to run.
  public static let tolerance = 0.001
}
