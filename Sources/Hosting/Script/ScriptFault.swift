/// Something that goes wrong outside the program, in a script's step.
public enum ScriptFault: Hashable, Sendable {
  /// The process is stopped for so many milliseconds, amid the frame's update phase.
  case stop(milliseconds: Double)
  /// The next present takes so many milliseconds more.
  case present(milliseconds: Double)
  /// The system wakes the loop so many milliseconds late for its next present; in real time alone.
  case wake(milliseconds: Double)
  /// The next cost that is modelled, such as `--cell-cost`, is so many milliseconds higher than it was known to be.
  case cost(milliseconds: Double)

  /// The faults that are understood.
  static let names = ["stop", "present", "wake", "cost"]

  /// Whether it can happen on a simulated clock, on which nobody sleeps.
  var needsRealTime: Bool { if case .wake = self { true } else { false } }
}
