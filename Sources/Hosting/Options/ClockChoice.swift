/// Which clock is asked for.
public enum ClockChoice: String, CaseIterable, Sendable {
  /// Measured in a window, timer when headless.
  case auto
  /// Presenting waits for the refresh.
  case vsync
  /// Our own grid.
  case timer
  /// Modelled costs alone.
  case virtual
  /// Modelled costs and the main thread's processor time.
  case cpu

  /// Whether a run on it is a simulation, which is equal on every machine.
  public var isSimulated: Bool { self == .virtual || self == .cpu }
}
