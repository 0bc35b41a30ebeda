extension Range<Int> {
  /// The range with its ends moved inwards; empty where they would cross.
  func narrowed(near: Int, far: Int) -> Range<Int> {
    (lowerBound + near)..<Swift.max(lowerBound + near, upperBound - far)
  }
}
