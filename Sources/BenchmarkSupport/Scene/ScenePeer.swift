/// A program as plain as C and SDL allow that shows the scene: what any program pays on this machine, at this hour.
///
/// Processor time a frame depends on the state of a machine, on how dearly it wakes another processor above all. The aims
/// stand on a machine where the plain program took known times; held against what it takes beside ours, they mean the
/// same everywhere.
public struct ScenePeer: Hashable, Sendable {
  private var times: [SceneWay: [Double]] = [:]

  /// No run.
  public init() {}

  /// Takes in the nanoseconds of processor time that a frame took.
  public mutating func add(_ time: Double, _ way: SceneWay) { times[way, default: []].append(time) }

  /// The nanoseconds that a run of the plain program tells in microseconds; nothing for any other text.
  public static func time(in text: String) -> Double? {
    let words = text.split(whereSeparator: \.isWhitespace)
    guard words.count == 1, let time = Double(words[0]), time.isFinite, time > 0 else { return nil }
    return time * 1_000
  }

  /// What the plain program took, and ours over it, held against the aim over what it took where the aims were set.
  ///
  /// - Parameter time: the nanoseconds of ours, where they are known.
  public func line(_ way: SceneWay, ours time: Double?) -> String? {
    guard let times = times[way], let time else { return nil }
    let plain = SceneSummary.median(times)
    let (ratio, bound) = (time / plain, way.timeAim.bound / way.peerTime)
    return
      "SDL alone in C, \(way.peerWord): \(FigureText.time(plain)) (\(FigureText.time(times.min() ?? 0)) to "
      + "\(FigureText.time(times.max() ?? 0))); ours \(way.label) over it: \(FigureText.ratio(ratio)), "
      + "<= \(FigureText.ratio(bound)) " + (ratio <= bound ? "reached" : "MISSED")
      + " (where the aim of \(FigureText.time(way.timeAim.bound)) was set it took \(FigureText.time(way.peerTime)))"
  }
}
