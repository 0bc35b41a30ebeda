/// Sorts numbers where they lie: the standard library's sort takes memory for it, which a frame does not.
enum ShellSort {
  /// The distances over which elements are compared, by Marcin Ciura (2001).
  private static let gaps: InlineArray<7, Int> = [301, 132, 57, 23, 10, 4, 1]

  /// Sorts the first elements of a buffer, the least first.
  ///
  /// - Precondition: the buffer has so many.
  /// - Complexity: for some hundreds of elements about n to the power of 1.3; allocates nothing.
  static func sort(_ numbers: UnsafeMutableBufferPointer<Int64>, count: Int) {
    for index in gaps.indices {
      let gap = gaps[index]
      guard gap < count else { continue }
      for place in gap..<count {
        let number = numbers[place]
        var hole = place
        while hole >= gap, numbers[hole - gap] > number {
          numbers[hole] = numbers[hole - gap]
          hole -= gap
        }
        numbers[hole] = number
      }
    }
  }
}
