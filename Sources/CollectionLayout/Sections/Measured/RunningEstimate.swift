/// How long a group is expected to be that nobody measured: the mean of those that were.
///
/// The rules' own estimate counts as eight groups beside them, so that the first few cells, which may be the odd ones,
/// do not throw the length of everything else about. Whole numbers: nothing drifts however often groups come and go.
struct RunningEstimate: Hashable, Sendable {
  /// As many groups as the rules' own estimate counts for.
  static let weight = 8

  /// The rules' own, in pixels.
  let initial: Int
  private(set) var count = 0
  private(set) var sum = 0

  init(initial: Int) { self.initial = initial }

  /// The mean in whole pixels, at least 1.
  var level: Int {
    let weight = RunningEstimate.weight + count
    return max(1, (2 * (RunningEstimate.weight * initial + sum) + weight) / (2 * weight))
  }

  /// Counts groups in, or with negative numbers out.
  mutating func add(groups: Int, length: Int) {
    count += groups
    sum += length
  }
}
