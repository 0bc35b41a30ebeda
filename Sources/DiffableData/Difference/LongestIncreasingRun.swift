/// The longest subsequence of distinct numbers that increases: what may stay while the rest moves.
///
/// Patience sorting (Fredman, On computing the length of longest increasing subsequences, 1975), in parts.
struct LongestIncreasingRun: Sendable {
  /// For each length the smallest number that ends an increasing subsequence of it, and its run's index; with some room.
  private var tails: ContiguousArray<Int32> = []
  private var tailIndexes: ContiguousArray<Int32> = []
  /// For each run of numbers the index of the one before it in the best subsequence that it ends, or -1.
  private var before: ContiguousArray<Int32>
  private var length = 0

  /// How many runs it was fed, those that were passed over included.
  private(set) var count = 0

  /// Makes an empty run with room for runs of numbers.
  init(capacity: Int) {
    before = ContiguousArray(repeating: -1, count: capacity)
  }

  /// Takes in the next runs of numbers; those below 0 are passed over.
  ///
  /// A run is in the subsequence as a whole or not at all: there is no number between two of its own.
  ///
  /// - Parameter runs: has one more behind the range.
  /// - Precondition: There is room for them.
  /// - Complexity: O(k + r log l) for k numbers in r runs and a subsequence of l; O(k) for runs that make it longer each.
  mutating func append(_ range: Range<Int>, of runs: ContiguousArray<OriginRun>) {
    var first = range.lowerBound
    while first < range.upperBound {
      let end = min(first + PieceCursor.length, range.upperBound)
      appendSome(first..<end, of: runs)
      first = end
    }
  }

  private mutating func appendSome(_ range: Range<Int>, of runs: ContiguousArray<OriginRun>) {
    let missing = length + Int(runs[range.upperBound].slot - runs[range.lowerBound].slot) - tails.count
    if missing > 0 {
      tails.append(contentsOf: repeatElement(0, count: missing))
      tailIndexes.append(contentsOf: repeatElement(0, count: missing))
    }
    var (length, index) = (self.length, count)
    runs.withUnsafeBufferPointer { runs in
      tails.withUnsafeMutableBufferPointer { tails in
        tailIndexes.withUnsafeMutableBufferPointer { tailIndexes in
          before.withUnsafeMutableBufferPointer { before in
            for run in range {
              let number = runs[run].origin
              if number >= 0 {
                let start =
                  length == 0 || tails[length &- 1] < number
                  ? length
                  : LongestIncreasingRun.end(of: number, in: tails, length)
                if start > 0 { before[index] = tailIndexes[start &- 1] }
                // Behind the place of the first the tails are greater than the whole run.
                let count = Int(runs[run &+ 1].slot &- runs[run].slot)
                tails[start] = number
                tailIndexes[start] = Int32(truncatingIfNeeded: index)
                for offset in 1..<max(count, 1) {
                  tails[start &+ offset] = number &+ Int32(truncatingIfNeeded: offset)
                  tailIndexes[start &+ offset] = Int32(truncatingIfNeeded: index)
                }
                length = max(length, start &+ count)
              }
              index &+= 1
            }
          }
        }
      }
    }
    (self.length, count) = (length, index)
  }

  /// The first of the tails that is not less than a number, when the last is not.
  private static func end(of number: Int32, in tails: UnsafeMutableBufferPointer<Int32>, _ length: Int) -> Int {
    // A sign is shifted to a mask, as in a shuffle half of the branches would be foreseen wrongly; in 32 bits, as the
    // compiler makes a branch of a comparison that it can see. Neither number is below 0.
    var first = 0
    var count = length
    while count > 1 {
      let half = count &>> 1
      first &+= half & Int(truncatingIfNeeded: (tails[first &+ half &- 1] &- number) &>> 31)
      count &-= half
    }
    return first
  }

  /// Calls a body with the indexes of the subsequence's runs, from the last to the first.
  func forEachMemberBackwards(_ body: (Int) -> Void) {
    guard length > 0 else { return }
    var index = tailIndexes[length - 1]
    while index >= 0 {
      body(Int(index))
      index = before[Int(index)]
    }
  }

  /// For each number, none below 0, whether it is in the subsequence.
  ///
  /// - Complexity: O(n log n); O(n) for numbers that increase anyway.
  static func members(of numbers: [Int]) -> [Bool] {
    var run = LongestIncreasingRun(capacity: numbers.count)
    var runs = ContiguousArray(
      numbers.indices.map { OriginRun(slot: Int32($0), origin: Int32(truncatingIfNeeded: numbers[$0])) })
    runs.append(OriginRun(slot: Int32(numbers.count), origin: -1))
    run.append(numbers.indices, of: runs)
    var isMember = [Bool](repeating: false, count: numbers.count)
    run.forEachMemberBackwards { isMember[$0] = true }
    return isMember
  }
}
