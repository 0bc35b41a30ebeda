/// The longest increasing subsequence of distinct numbers, which determines the items that need not move.
///
/// The algorithm is patience sorting (Fredman, On computing the length of longest increasing subsequences, 1975),
/// performed in steps.
struct LongestIncreasingSubsequence: Sendable {
  /// For each length, the smallest last number of an increasing subsequence of that length.
  ///
  /// The capacity may be larger.
  private var tails: ContiguousArray<Int32> = []
  private var tailIndexes: ContiguousArray<Int32> = []
  /// For each run, the index of its predecessor in the best subsequence that ends with it, or -1.
  private var before: ContiguousArray<Int32>
  private var length = 0

  /// The number of runs that were appended, including those that were skipped.
  private(set) var count = 0

  /// Creates an empty subsequence with a capacity in runs.
  init(capacity: Int) {
    before = ContiguousArray(repeating: -1, count: capacity)
  }

  /// Appends runs of consecutive numbers.
  ///
  /// Negative numbers are skipped.
  ///
  /// The subsequence contains all numbers of a run or none, because no other number is between them.
  ///
  /// - Parameters:
  ///   - range: The runs to append.
  ///   - runs: The runs, with at least one more after the range.
  /// - Precondition: The capacity is sufficient.
  /// - Complexity: O(k + r log l) for k numbers in r runs and a subsequence of length l, or O(k) if each run extends
  ///   the subsequence.
  mutating func append(_ range: Range<Int>, of runs: ContiguousArray<OriginRun>) {
    var first = range.lowerBound
    while first < range.upperBound {
      let end = min(first + PieceCursor.length, range.upperBound)
      appendPiece(first..<end, of: runs)
      first = end
    }
  }

  private mutating func appendPiece(_ range: Range<Int>, of runs: ContiguousArray<OriginRun>) {
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
                  : LongestIncreasingSubsequence.end(of: number, in: tails, length)
                if start > 0 { before[index] = tailIndexes[start &- 1] }
                // The tails after the first number's position are greater than the whole run.
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

  /// Returns the index of the first tail that is not less than a number.
  ///
  /// The last tail must not be less.
  private static func end(of number: Int32, in tails: UnsafeMutableBufferPointer<Int32>, _ length: Int) -> Int {
    // The sign is shifted into a mask to avoid branches, half of which would be mispredicted in a shuffle. In 32 bits,
    // because the compiler turns a visible comparison into a branch. Neither number is negative.
    var first = 0
    var count = length
    while count > 1 {
      let half = count &>> 1
      first &+= half & Int(truncatingIfNeeded: (tails[first &+ half &- 1] &- number) &>> 31)
      count &-= half
    }
    return first
  }

  /// Calls a closure with the index of each run in the subsequence, from the last to the first.
  func forEachMemberBackwards(_ body: (Int) -> Void) {
    guard length > 0 else { return }
    var index = tailIndexes[length - 1]
    while index >= 0 {
      body(Int(index))
      index = before[Int(index)]
    }
  }

  /// Returns for each number whether it is in the longest increasing subsequence.
  ///
  /// The numbers must not be negative.
  ///
  /// - Complexity: O(n log n), or O(n) for numbers that are already increasing.
  static func members(of numbers: [Int]) -> [Bool] {
    var run = LongestIncreasingSubsequence(capacity: numbers.count)
    var runs = ContiguousArray(
      numbers.indices.map { OriginRun(slot: Int32($0), origin: Int32(truncatingIfNeeded: numbers[$0])) })
    runs.append(OriginRun(slot: Int32(numbers.count), origin: -1))
    run.append(numbers.indices, of: runs)
    var isMember = [Bool](repeating: false, count: numbers.count)
    run.forEachMemberBackwards { isMember[$0] = true }
    return isMember
  }
}
