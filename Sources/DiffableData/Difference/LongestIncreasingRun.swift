/// The longest subsequence of distinct numbers that increases: what may stay while the rest moves.
///
/// Patience sorting (Fredman, On computing the length of longest increasing subsequences, 1975), fed one number at a time.
struct LongestIncreasingRun: Sendable {
  /// For each length the smallest number that ends an increasing subsequence of it, and its index.
  private var tails: ContiguousArray<Int32> = []
  private var tailIndexes: ContiguousArray<Int32> = []
  /// For each number the index of the one before it in the best subsequence that it ends, or -1.
  private var before: ContiguousArray<Int32> = []

  init(capacity: Int = 0) { before.reserveCapacity(capacity) }

  /// How many numbers it was fed, those that were passed over included.
  var count: Int { before.count }

  /// Takes in the next number.
  ///
  /// - Complexity: O(log l) for a subsequence of l numbers; O(1) for a number that makes it longer.
  mutating func append(_ number: Int32) {
    let index = Int32(truncatingIfNeeded: before.count)
    guard let last = tails.last, number < last else {
      before.append(tailIndexes.last ?? -1)
      tails.append(number)
      tailIndexes.append(index)
      return
    }
    let length = tails.withUnsafeBufferPointer { tails in
      var low = 0
      var high = tails.count - 1
      while low < high {
        let middle = (low + high) / 2
        if tails[middle] < number { low = middle + 1 } else { high = middle }
      }
      return low
    }
    before.append(length > 0 ? tailIndexes[length - 1] : -1)
    tails[length] = number
    tailIndexes[length] = index
  }

  /// Takes in something that is in no subsequence.
  mutating func passOver() { before.append(-1) }

  /// Calls a body with the indexes of the subsequence, from the last to the first.
  func forEachMemberBackwards(_ body: (Int) -> Void) {
    var index = tailIndexes.last ?? -1
    while index >= 0 {
      body(Int(index))
      index = before[Int(index)]
    }
  }

  /// For each number whether it is in the subsequence.
  ///
  /// - Complexity: O(n log n); O(n) for numbers that increase anyway.
  static func members(of numbers: [Int]) -> [Bool] {
    var run = LongestIncreasingRun(capacity: numbers.count)
    for number in numbers { run.append(Int32(truncatingIfNeeded: number)) }
    var isMember = [Bool](repeating: false, count: numbers.count)
    run.forEachMemberBackwards { isMember[$0] = true }
    return isMember
  }
}
