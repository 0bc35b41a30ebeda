/// What a figure is a number of.
public enum FigureUnit: String, CaseIterable, Codable, Sendable {
  /// Instructions outside the kernel.
  case instructions
  /// Calls of a function: allocations, retains, releases.
  case calls
  /// Files that were opened.
  case files
  /// Frames.
  case frames
  /// Layouts that were made.
  case layouts
  /// Bytes.
  case bytes
  /// Nanoseconds.
  case nanoseconds
  /// Refreshes of the display.
  case refreshes
  /// How many times another's cost ours is, or a larger size's that of a smaller.
  case ratio
  /// How many times our cost another's is, or how many times more is borne.
  case speedup
  /// The share of what could be had at best.
  case share
  /// How near pixels are to a reference.
  case decibels

  /// Whether a larger number is the better one.
  public var isBetterWhenMore: Bool {
    switch self {
    case .speedup, .share, .decibels: true
    case .instructions, .calls, .files, .frames, .layouts, .bytes, .nanoseconds, .refreshes, .ratio: false
    }
  }

  /// A number as a table shows it.
  public func text(_ value: Double) -> String {
    switch self {
    case .instructions, .calls, .files, .frames, .layouts: FigureText.count(value)
    case .bytes: value < 10_000 ? FigureText.bytes(value) : FigureText.number(value / 1_048_576) + " MiB"
    case .nanoseconds: FigureText.callTime(value)
    case .refreshes: FigureText.number(value) + " T"
    case .ratio, .speedup, .share: FigureText.ratio(value)
    case .decibels: FigureText.tenths(value) + " dB"
    }
  }
}
