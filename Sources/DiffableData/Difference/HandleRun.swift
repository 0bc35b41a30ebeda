/// Handles of a leaf from one on, in either direction.
struct HandleRun {
  /// The leaf's.
  let handles: ContiguousArray<Handle>
  /// Where the run begins.
  let first: Int
  /// 1, or -1 to go backwards.
  let step: Int

  /// How many handles of two runs in one direction are alike, from their first on.
  ///
  /// - Parameter count: how many are compared; both have as many.
  func commonLength(with other: HandleRun, count: Int, _ isSame: (Handle, Handle) -> Bool) -> Int {
    handles.withUnsafeBufferPointer { mine in
      other.handles.withUnsafeBufferPointer { theirs in
        for offset in 0..<count where !isSame(mine[first + offset * step], theirs[other.first + offset * step]) {
          return offset
        }
        return count
      }
    }
  }
}
