/// Equal runs of one script compared frame by frame: what is late in one run alone is the machine's doing, what is late in
/// two of three is ours.
public struct EqualRuns: Hashable, Sendable {
  /// A frame that was late in more than half of the runs.
  public struct Agreed: Hashable, Sendable {
    /// The refresh at which it was due.
    public let refresh: Int
    /// The hitch that lies in the middle of all runs, a run in which it was in time counting as none, in nanoseconds.
    public let hitch: Double
    /// Whether work ahead was to blame in more than half of the runs.
    public let isSlackOverrun: Bool
    /// The cause in the run in which it was latest.
    public let cause: String
  }

  /// The late frames of each run, in the order of their refreshes.
  public private(set) var runs: [[LateFrame]] = []

  /// No run.
  public init() {}

  /// Takes in a run.
  ///
  /// - Parameter late: its late frames, in any order, each refresh once.
  public mutating func add(_ late: [LateFrame]) { runs.append(late.sorted { $0.refresh < $1.refresh }) }

  /// The frames that were late in more than half of the runs, in the order of their refreshes.
  ///
  /// - Complexity: O(l log l) for l late frames.
  public var agreed: [Agreed] {
    let all = runs.flatMap(\.self).sorted { ($0.refresh, $0.hitch) < ($1.refresh, $1.hitch) }
    var agreed: [Agreed] = []
    var low = 0
    while low < all.count {
      var high = low + 1
      while high < all.count, all[high].refresh == all[low].refresh { high += 1 }
      let same = all[low..<high]
      if let latest = same.last, same.count * 2 > runs.count {
        let inTime = runs.count - same.count
        let middle = runs.count / 2 - inTime
        agreed.append(
          Agreed(
            refresh: latest.refresh, hitch: same[low + max(0, middle)].hitch,
            isSlackOverrun: same.count { $0.isSlackOverrun } * 2 > runs.count, cause: latest.cause))
      }
      low = high
    }
    return agreed
  }
}
