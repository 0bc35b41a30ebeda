/// What one thumbnail of a JPEG takes on three ways: bare decoding, ours in this process, and ours through the pipeline.
public struct RouteFigure: Hashable, Sendable {
  /// The heads of the table's columns.
  public static let columns: [(head: String, alignment: TextTable.Alignment)] = [
    ("picture", .left), ("to", .right), ("bare libjpeg-turbo", .right), ("in this process", .right),
    ("through the pipeline", .right), ("pipeline/bare", .right), ("aim", .left), ("pipeline/in process", .right),
    ("aim", .left),
  ]

  /// The most that the whole pipeline takes of bare decoding's time.
  public static let mostOfBare = 1.15
  /// The most that the way through a sandboxed process takes of the time in a thread.
  public static let mostOfThread = 1.05

  /// The file's name.
  public let name: String
  /// The thumbnail's longest side in pixels.
  public let size: Int
  /// Nanoseconds of processor time, run by run: bare decoding, which libjpeg-turbo does alone.
  public var bare: [Double] = []
  /// Ours in this process.
  public var inProcess: [Double] = []
  /// Ours through the pipeline, all processes together.
  public var pipeline: [Double] = []

  /// A figure without any run.
  public init(name: String, size: Int) {
    self.name = name
    self.size = size
  }

  /// Hands its figures on: the pipeline over bare decoding, and over a thread of this process.
  public func record(in recorder: FigureRecorder) {
    let words = ["decode", name, "\(size)"]
    recorder.add(words + ["over-bare"], DecodeFigure.ratio(pipeline, bare), .ratio, .related)
    recorder.add(words + ["over-thread"], DecodeFigure.ratio(pipeline, inProcess), .ratio, .related)
  }

  /// The row in the table.
  public var row: [String] {
    let overBare = DecodeFigure.ratio(pipeline, bare)
    let overThread = DecodeFigure.ratio(pipeline, inProcess)
    return [
      name, "\(size)", FigureText.time(DecodeFigure.median(bare)), FigureText.time(DecodeFigure.median(inProcess)),
      FigureText.time(DecodeFigure.median(pipeline)), overBare.map(FigureText.ratio) ?? "-",
      DecodeFigure.verdict(overBare, atMost: RouteFigure.mostOfBare), overThread.map(FigureText.ratio) ?? "-",
      DecodeFigure.verdict(overThread, atMost: RouteFigure.mostOfThread),
    ]
  }
}
