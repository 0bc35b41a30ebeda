/// Why a run ended.
public enum LoopExitReason: Sendable {
  /// Its limit was reached.
  case limit
  /// The user closed the window.
  case quit
  /// The program was asked to stop from outside, by a signal.
  case interrupted
}
