/// Decides which items of each window stay: those of its longest increasing run.
struct WindowOrdering: Sendable {
  private var window = 0
  private var run: LongestIncreasingRun?

  /// Goes on until every window is in order or steps are used up.
  ///
  /// - Returns: whether every window is.
  mutating func advance(_ matching: inout ItemMatching, _ windows: WindowList, steps: inout Int) -> Bool {
    while window < windows.windows.count {
      let slots = windows.windows[window].newSlots
      if !matching.isSorted[window] {
        var run = self.run ?? LongestIncreasingRun(capacity: slots.count)
        // Kept nowhere else while it is written to.
        self.run = nil
        let end = run.count + min(slots.count - run.count, steps)
        let first = slots.lowerBound + run.count
        steps -= end - run.count
        run.append(matching.origins[first..<(slots.lowerBound + end)])
        guard end == slots.count else {
          self.run = run
          return false
        }
        WindowOrdering.move(allBut: run, from: slots, &matching)
      }
      window += 1
    }
    return true
  }

  private static func move(allBut run: LongestIncreasingRun, from slots: Range<Int>, _ matching: inout ItemMatching) {
    var end = slots.upperBound
    matching.origins.withUnsafeMutableBufferPointer { origins in
      func moveAll(_ slots: Range<Int>) {
        for slot in slots where origins[slot] >= 0 { origins[slot] = ItemMatching.moved(origins[slot]) }
      }
      run.forEachMemberBackwards { index in
        moveAll((slots.lowerBound + index + 1)..<end)
        end = slots.lowerBound + index
      }
      moveAll(slots.lowerBound..<end)
    }
  }
}
