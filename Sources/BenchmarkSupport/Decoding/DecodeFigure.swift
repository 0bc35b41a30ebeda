/// What making one thumbnail took, ours and a peer's.
public struct DecodeFigure: Hashable, Sendable {
  /// The heads of the table's columns.
  public static let columns: [(head: String, alignment: TextTable.Alignment)] = [
    ("picture", .left), ("megapixels", .right), ("to", .right), ("ours", .right), ("libvips", .right),
    ("ours/libvips", .right), ("aim", .left), ("quality", .right), ("aim", .left),
  ]

  /// The file's name.
  public let name: String
  /// What kind of picture it is.
  public let kind: PictureKind
  /// Its millions of pixels.
  public let megapixels: Double
  /// The thumbnail's longest side in pixels.
  public let size: Int
  /// Ours, in nanoseconds of processor time, run by run.
  public var ours: [Double] = []
  /// The peer's.
  public var peer: [Double] = []
  /// The peer's from the picture itself, where it could take a small one from the file.
  public var peerOfWhole: [Double] = []
  /// How near ours is to the reference, in decibels.
  public var quality = 0.0

  /// A figure without any run.
  public init(name: String, kind: PictureKind, megapixels: Double, size: Int) {
    self.name = name
    self.kind = kind
    self.megapixels = megapixels
    self.size = size
  }

  /// Our median over the peer's; nothing without a run of each.
  ///
  /// Where the peer's from the picture itself was measured, over that.
  public var ratio: Double? { DecodeFigure.ratio(ours, peerOfWhole.isEmpty ? peer : peerOfWhole) }

  /// The median of some runs over that of others; nothing without a run of each.
  public static func ratio(_ figures: [Double], _ others: [Double]) -> Double? {
    guard !figures.isEmpty, !others.isEmpty, median(others) > 0 else { return nil }
    return median(figures) / median(others)
  }

  /// The middle of some numbers, the lower of two; 0 of none.
  public static func median(_ numbers: [Double]) -> Double {
    numbers.isEmpty ? 0 : numbers.sorted()[(numbers.count - 1) / 2]
  }

  /// A bound on a figure, and what became of it.
  public static func verdict(_ figure: Double?, atMost bound: Double?) -> String {
    guard let bound, let figure else { return "" }
    return "<= \(FigureText.ratio(bound)) " + (figure <= bound ? "reached" : "MISSED")
  }

  /// Hands its figures on: ours over the peer's, and the quality.
  public func record(in recorder: FigureRecorder) {
    let words = ["decode", name, "\(size)"]
    recorder.add(words + ["time"], ours.isEmpty ? nil : DecodeFigure.median(ours), .nanoseconds, .measured)
    recorder.add(words + ["over-libvips"], ratio, .ratio, .related)
    recorder.add(words + ["quality"], quality, .decibels, .counted)
  }

  /// The row in the table.
  public var row: [String] {
    let peers = [peer, peerOfWhole].filter { !$0.isEmpty }.map { FigureText.time(DecodeFigure.median($0)) }
    return [
      name, FigureText.tenths(megapixels), "\(size)", FigureText.time(DecodeFigure.median(ours)),
      peers.isEmpty ? "-" : peers.joined(separator: " / "), ratio.map(FigureText.ratio) ?? "-",
      DecodeFigure.verdict(ratio, atMost: kind.aim(megapixels: megapixels, size: size)),
      quality == .infinity ? "the same" : FigureText.tenths(quality) + " dB",
      kind.leastQuality.map { ">= \(FigureText.count($0)) " + (quality >= $0 ? "reached" : "MISSED") } ?? "",
    ]
  }
}
