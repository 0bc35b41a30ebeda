/// What a picture takes that was kept on disk: asked for, read from the pack, and there, without being decoded.
public struct RevisitFigure: Hashable, Sendable {
  /// The heads of the table's columns.
  public static let columns: [(head: String, alignment: TextTable.Alignment)] = [
    ("to", .right), ("hits", .right), ("until it is there", .right), ("aim", .left), ("processor time", .right),
    ("aim", .left),
  ]

  /// The most that a hit takes, in nanoseconds, on the clock and of the processor.
  public static let aim = Aim(.time, 300_000)

  /// The picture's longest side in pixels.
  public let size: Int
  /// Nanoseconds from asking to having, hit by hit.
  public var waits: [Double] = []
  /// Nanoseconds of processor time of all threads, for all hits together.
  public var processor = 0.0

  /// A figure without any hit.
  public init(size: Int) { self.size = size }

  /// The row in the table.
  public var row: [String] {
    let wait = DecodeFigure.median(waits)
    let own = processor / Double(max(1, waits.count))
    return [
      "\(size)", FigureText.count(waits.count), FigureText.time(wait), RevisitFigure.aim.verdict(on: wait),
      FigureText.time(own), RevisitFigure.aim.verdict(on: own),
    ]
  }
}
