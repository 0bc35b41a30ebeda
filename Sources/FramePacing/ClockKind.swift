/// Which line of time a run stands on.
public enum ClockKind: String, CaseIterable, Sendable {
  /// Presenting blocks until the display's refresh, and was measured to do so.
  case vsync
  /// Our own grid of refreshes and absolute sleeps.
  case timer
  /// A simulation: time advances by modelled costs alone.
  case virtual
  /// The simulation's time line, advanced by the main thread's own processor time as well.
  case cpu

  /// Whether frames stand on a simulated line, where nothing sleeps.
  public var isSimulated: Bool { self == .virtual || self == .cpu }
}

/// What a clock sees of what frames cost.
public enum CostVisibility: Sendable {
  /// What their work takes, whatever it is.
  case measured
  /// Modelled costs alone: phases without any have no time that is known.
  case modelled
  /// Nothing: the clock is virtual and no cost is modelled. Frames cannot be late on it, so that they were not says nothing.
  case none
}
