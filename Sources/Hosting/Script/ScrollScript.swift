/// What scrolls by itself, from the first frame to the end of the run.
public enum ScrollScript: Hashable, Sendable {
  /// At a constant speed in points a second, turning at the ends.
  case steady(speed: Double)
  /// A flick of so many points a second every 1.5 seconds, turning at the ends.
  case flick(speed: Double)
  /// At a constant speed in points a second, the direction turned every half second.
  case flip(speed: Double)
  /// To a place drawn by lot every half second.
  case jump
  /// The thumb of the scroll bar dragged to the end and back every 4 seconds, with three rests.
  case scrub
  /// Two seconds of each of ``mixedParts``, one after the other, and again.
  case mixed

  /// Seconds from one flick to the next.
  public static let flickInterval = 1.5
  /// Seconds from one turn of the direction to the next.
  public static let flipInterval = 0.5
  /// Seconds from one jump to the next.
  public static let jumpInterval = 0.5
  /// Seconds that each part of ``mixed`` takes.
  public static let mixedInterval = 2.0
  /// What ``mixed`` is made of.
  public static let mixedParts: [ScrollScript] = [
    .steady(speed: 3_000), .flick(speed: 3_000), .flip(speed: 3_000), .jump, .scrub,
  ]

  /// Reads a script's name, such as `flick:8000`.
  /// - Throws: ``UsageError`` naming what is accepted.
  public init(_ text: String) throws(UsageError) {
    let pieces = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    switch (pieces[0], pieces.count) {
    case ("steady", 2): self = .steady(speed: try ScrollScript.speed(pieces[1], of: text))
    case ("flick", 2): self = .flick(speed: try ScrollScript.speed(pieces[1], of: text))
    case ("flip", 2): self = .flip(speed: try ScrollScript.speed(pieces[1], of: text))
    case ("jump", 1): self = .jump
    case ("scrub", 1): self = .scrub
    case ("mixed", 1): self = .mixed
    default:
      throw UsageError(
        """
        --scroll \(text): accepted are steady:SPEED, flick:SPEED, flip:SPEED, jump, scrub, mixed and FILE.json, such as \
        flick:8000
        """)
    }
  }

  private static func speed(_ text: String, of script: String) throws(UsageError) -> Double {
    if let speed = Double(text), speed.isFinite, speed != 0, abs(speed) <= 1e7 { return speed }
    throw UsageError(
      "--scroll \(script): SPEED is a number of points per second, at most 10000000 either way, not 0, such as 8000")
  }
}
