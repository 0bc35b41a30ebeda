/// The runs of the scene, side by side.
public struct SceneSummary: Hashable, Sendable {
  /// The most bytes that may be resident, with 100,000 items.
  public static let residentAim = 96 << 20
  /// The most bytes that an item more may take.
  public static let itemAim = Aim(.bytes, 32)

  private var runs: [Key: [SceneReading]] = [:]
  private var sizes: [Int] = []
  private var peer = ScenePeer()

  private struct Key: Hashable {
    var way: SceneWay
    var size: Int
  }

  /// No run.
  public init() {}

  /// Takes in a run.
  public mutating func add(_ reading: SceneReading, _ way: SceneWay, size: Int) {
    runs[Key(way: way, size: size), default: []].append(reading)
    if !sizes.contains(size) {
      sizes.append(size)
      sizes.sort()
    }
  }

  /// Takes in the nanoseconds a frame of the plain program.
  public mutating func addPeer(_ time: Double, _ way: SceneWay) { peer.add(time, way) }

  /// What the plain program took beside ours with the fewest items, a line a way; none where it did not run.
  public var peerLines: [String] {
    SceneWay.allCases.reversed().compactMap { way in
      let ours = sizes.first.flatMap { runs[Key(way: way, size: $0)] }
      return peer.line(way, ours: ours.map { SceneSummary.median($0.map(\.timeAFrame)) })
    }
  }

  /// The table of the ways and sizes.
  public var table: TextTable {
    var table = TextTable(
      [("frames", .left), ("items", .right), ("runs", .right), ("processor time a frame", .right)]
        + SceneReading.Part.allCases.map { ($0.rawValue, .right) }
        + [
          ("99 in 100", .right), ("over 25 ms", .right), ("late", .right), ("own", .right), ("resident", .right),
          ("at most", .right), ("pixels", .left),
          ("aim", .left),
        ])
    for way in SceneWay.allCases.reversed() {
      for size in sizes {
        if let runs = runs[Key(way: way, size: size)] { table.add(row(way, size, runs)) }
      }
    }
    return table
  }

  /// What an item more takes, by the resident bytes and by the allocator's; nothing for fewer than two sizes.
  public var itemLine: String? {
    guard let small = sizes.first, let large = sizes.last, large > small,
      let before = runs[Key(way: .damage, size: small)], let after = runs[Key(way: .damage, size: large)]
    else { return nil }
    func growth(_ figure: (SceneReading) -> Int) -> Double {
      (SceneSummary.median(after.map { Double(figure($0)) }) - SceneSummary.median(before.map { Double(figure($0)) }))
        / Double(large - small)
    }
    let resident = growth(\.resident)
    return
      "An item more, \(FigureText.count(small)) to \(FigureText.count(large)): \(FigureText.bytes(resident)) resident, "
      + "\(FigureText.bytes(growth(\.allocated))) allocated; \(SceneSummary.itemAim.verdict(on: resident))"
  }

  private func row(_ way: SceneWay, _ size: Int, _ runs: [SceneReading]) -> [String] {
    let times = runs.map(\.timeAFrame)
    let time = SceneSummary.median(times)
    let resident = runs.map(\.resident).max() ?? 0
    let mostResident = runs.map(\.mostResident).max() ?? 0
    let spread =
      runs.count > 1 ? " (\(FigureText.time(times.min() ?? 0)) to \(FigureText.time(times.max() ?? 0)))" : ""
    func sum(_ figure: (SceneReading) -> Int) -> String { "\(runs.reduce(0) { $0 + figure($1) })" }
    var verdicts = [way.timeAim.verdict(on: time)]
    verdicts.append("0 over 25 ms " + (runs.allSatisfy { $0.longGaps == 0 } ? "reached" : "MISSED"))
    if size == sizes.first {
      verdicts.append(
        "<= \(SceneSummary.megabytes(SceneSummary.residentAim)) "
          + (mostResident <= SceneSummary.residentAim ? "reached" : "MISSED"))
    }
    return [way.label, FigureText.count(size), "\(runs.count)", FigureText.time(time) + spread]
      + SceneReading.Part.allCases.map { part in
        FigureText.time(SceneSummary.median(runs.map { $0.timeAFrame(of: part) }))
      }
      + [
        FigureText.time(SceneSummary.median(runs.map { Double($0.longCommit) })),
        sum(\.longGaps), sum(\.hitches), sum(\.ownHitches), SceneSummary.megabytes(resident),
        SceneSummary.megabytes(mostResident), runs.allSatisfy(\.hasRightPixels) ? "right" : "WRONG",
        verdicts.joined(separator: ", "),
      ]
  }

  /// The middle of some numbers, the lower of two; 0 of none.
  static func median(_ numbers: [Double]) -> Double {
    numbers.isEmpty ? 0 : numbers.sorted()[(numbers.count - 1) / 2]
  }

  private static func megabytes(_ bytes: Int) -> String { "\((bytes + (1 << 19)) >> 20) MB" }
}
