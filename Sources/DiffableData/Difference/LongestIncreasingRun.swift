/// The longest subsequence of distinct numbers that increases: what may stay while the rest moves.
///
/// Patience sorting (Fredman, On computing the length of longest increasing subsequences, 1975), in parts.
struct LongestIncreasingRun: Sendable {
  /// For each length the smallest number that ends an increasing subsequence of it, and its index; with some room.
  private var tails: ContiguousArray<Int32> = []
  private var tailIndexes: ContiguousArray<Int32> = []
  /// For each number the index of the one before it in the best subsequence that it ends, or -1.
  private var before: ContiguousArray<Int32>
  private var length = 0

  /// How many numbers it was fed, those that were passed over included.
  private(set) var count = 0

  /// Makes an empty run with room for numbers.
  init(capacity: Int) {
    before = ContiguousArray(repeating: -1, count: capacity)
  }

  /// Takes in the next numbers; those below 0 are passed over.
  ///
  /// - Precondition: There is room for them.
  /// - Complexity: O(k log l) for k numbers and a subsequence of l; O(k) for numbers that make it longer each.
  mutating func append(_ numbers: ContiguousArray<Int32>.SubSequence) {
    var rest = numbers
    while !rest.isEmpty {
      appendSome(rest.prefix(PieceCursor.length))
      rest = rest.dropFirst(PieceCursor.length)
    }
  }

  private mutating func appendSome(_ numbers: ContiguousArray<Int32>.SubSequence) {
    let missing = length + numbers.count - tails.count
    if missing > 0 {
      tails.append(contentsOf: repeatElement(0, count: missing))
      tailIndexes.append(contentsOf: repeatElement(0, count: missing))
    }
    var (length, index) = (self.length, count)
    numbers.withUnsafeBufferPointer { numbers in
      tails.withUnsafeMutableBufferPointer { tails in
        tailIndexes.withUnsafeMutableBufferPointer { tailIndexes in
          before.withUnsafeMutableBufferPointer { before in
            for number in numbers {
              if number >= 0 {
                let end =
                  length == 0 || tails[length &- 1] < number
                  ? length
                  : LongestIncreasingRun.end(
                    of: number, in: tails, length)
                if end == length { length &+= 1 }
                if end > 0 { before[index] = tailIndexes[end &- 1] }
                tails[end] = number
                tailIndexes[end] = Int32(truncatingIfNeeded: index)
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

  /// Calls a body with the indexes of the subsequence, from the last to the first.
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
    run.append(ContiguousArray(numbers.map { Int32(truncatingIfNeeded: $0) })[...])
    var isMember = [Bool](repeating: false, count: numbers.count)
    run.forEachMemberBackwards { isMember[$0] = true }
    return isMember
  }
}
