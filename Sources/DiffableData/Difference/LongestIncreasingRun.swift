/// The longest subsequence of distinct numbers that increases: what may stay while the rest moves.
enum LongestIncreasingRun {
  /// For each number whether it is in the subsequence.
  ///
  /// - Complexity: O(n log n); O(n) for numbers that increase anyway.
  static func members(of numbers: [Int]) -> [Bool] {
    let isSorted = zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }
    guard !isSorted else { return [Bool](repeating: true, count: numbers.count) }
    // tails[l] is the index of the smallest number that ends an increasing subsequence of l + 1 numbers.
    var tails: [Int] = []
    var before = [Int](repeating: -1, count: numbers.count)
    for index in numbers.indices {
      var low = 0
      var high = tails.count
      while low < high {
        let middle = (low + high) / 2
        if numbers[tails[middle]] < numbers[index] { low = middle + 1 } else { high = middle }
      }
      if low > 0 { before[index] = tails[low - 1] }
      if low == tails.count { tails.append(index) } else { tails[low] = index }
    }
    var isMember = [Bool](repeating: false, count: numbers.count)
    var index = tails.last ?? -1
    while index >= 0 {
      isMember[index] = true
      index = before[index]
    }
    return isMember
  }
}
