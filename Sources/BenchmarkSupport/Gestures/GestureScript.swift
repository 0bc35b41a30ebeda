/// What is done to what is scrolled, and at which refresh: the same in every run, whatever frames take.
public struct GestureScript: Hashable, Sendable {
  /// A gesture and the refresh at which it is made.
  public struct Step: Hashable, Sendable {
    /// The refresh, counted from the script's beginning.
    public var refresh: Int
    /// What is done.
    public var gesture: ScrollGesture
  }

  /// The steps, in the order of their refreshes.
  public private(set) var steps: [Step] = []
  /// How many refreshes the script lasts.
  public private(set) var length = 0

  /// Nothing is done.
  public init() {}

  /// Does something, and lets refreshes pass.
  public mutating func add(_ gesture: ScrollGesture, then refreshes: Int) {
    steps.append(Step(refresh: length, gesture: gesture))
    length += max(0, refreshes)
  }

  /// The gestures that are due at a refresh, those among them whose own was skipped; they are then done.
  ///
  /// - Parameter next: the first step that was not done yet, which moves on.
  /// - Complexity: O(g) for g gestures.
  public func gestures(upTo refresh: Int, from next: inout Int) -> ArraySlice<Step> {
    let first = next
    while next < steps.count, steps[next].refresh <= refresh { next += 1 }
    return steps[first..<next]
  }
}
