/// Handles of a leaf from one on, in either direction.
struct HandleRun {
  /// How many handles are compared at once.
  private static let blockLength = 64

  /// The leaf's.
  let handles: ContiguousArray<Handle>
  /// Where the run begins.
  let first: Int
  /// 1, or -1 to go backwards.
  let step: Int

  /// How many handles of two runs in one direction are alike, from their first on.
  ///
  /// - Parameter count: how many are compared; both have as many.
  @inline(__always)
  func commonLength(with other: HandleRun, count: Int, _ isSame: (Handle, Handle) -> Bool) -> Int {
    withPointers(other) { mine, theirs in
      var offset = 0
      if step == 1 {
        // Four in a row: the loop would cost as much as the comparison.
        while offset &+ 4 <= count,
          isSame(mine[offset], theirs[offset]), isSame(mine[offset &+ 1], theirs[offset &+ 1]),
          isSame(mine[offset &+ 2], theirs[offset &+ 2]), isSame(mine[offset &+ 3], theirs[offset &+ 3])
        {
          offset &+= 4
        }
      }
      while offset < count, isSame(mine[offset &* step], theirs[offset &* step]) { offset &+= 1 }
      return offset
    }
  }

  /// How many handles of two runs in one direction are equal, from their first on.
  ///
  /// - Parameter count: how many are compared; both have as many.
  func commonLength(with other: HandleRun, count: Int) -> Int {
    let equal = withPointers(other) { mine, theirs in
      // Without a way out of the loop the compiler compares several in one instruction.
      var blocks = 0
      while (blocks &+ 1) &* HandleRun.blockLength <= count {
        let start = step < 0 ? -(blocks &+ 1) &* HandleRun.blockLength &+ 1 : blocks &* HandleRun.blockLength
        var difference: Handle = 0
        for index in start..<(start &+ HandleRun.blockLength) { difference |= mine[index] ^ theirs[index] }
        guard difference == 0 else { break }
        blocks &+= 1
      }
      return blocks &* HandleRun.blockLength
    }
    guard equal < count else { return count }
    let rest = HandleRun(handles: handles, first: first + equal * step, step: step)
    let otherRest = HandleRun(handles: other.handles, first: other.first + equal * step, step: step)
    return equal + rest.commonLength(with: otherRest, count: count - equal) { $0 == $1 }
  }

  /// Calls a body with pointers to the first handles of two runs that are not empty.
  @inline(__always)
  private func withPointers(_ other: HandleRun, _ body: (UnsafePointer<Handle>, UnsafePointer<Handle>) -> Int) -> Int {
    handles.withUnsafeBufferPointer { mine in
      other.handles.withUnsafeBufferPointer { theirs in
        guard let mine = mine.baseAddress, let theirs = theirs.baseAddress else { return 0 }
        return body(mine + first, theirs + other.first)
      }
    }
  }
}
