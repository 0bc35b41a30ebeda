public import ScrollPhysics

/// Names what a scroll view's content is made of, so that its indicator is a scrubber: a time line, and a bubble that says
/// where one is while the thumb is dragged.
///
/// Stretches are whatever begins one behind the other along the content: a collection's sections, or its items. They are
/// asked for by halving, some hundred of them whatever their number.
public protocol ScrubberDataSource: AnyObject {
  /// How many stretches there are now.
  var numberOfSegments: Int { get }

  /// The offset in points at which a stretch begins at the view's edge; never before that of the one in front of it.
  ///
  /// It may lie behind the last offset that the content can be scrolled to.
  func offset(ofSegment stretch: Int) -> Double

  /// What a stretch is called.
  func title(ofSegment stretch: Int) -> ScrubberTitle

  /// What the bubble says at an offset; nothing shows none.
  ///
  /// - Parameters:
  ///   - offset: where the content stands, in points.
  ///   - isFine: whether the thumb goes in finer steps than the pointer: more may be said.
  func bubbleText(at offset: Double, isFine: Bool) -> String?
}

extension ScrubberDataSource {
  /// The name of the stretch that is seen first.
  ///
  /// - Complexity: O(log n) offsets for n stretches.
  public func bubbleText(at offset: Double, isFine: Bool) -> String? {
    segment(at: offset).map { title(ofSegment: $0).name }
  }

  /// The last stretch that begins at an offset or before it, and where none does the first; nothing where there are none.
  ///
  /// - Complexity: O(log n) offsets for n stretches.
  public func segment(at offset: Double) -> Int? {
    guard numberOfSegments > 0 else { return nil }
    // Offsets of frames are whole pixels, where stretches begin within half of one.
    var (low, high) = (0, numberOfSegments - 1)
    while low < high {
      let middle = low + (high - low + 1) / 2
      if self.offset(ofSegment: middle) <= offset + 0.5 { low = middle } else { high = middle - 1 }
    }
    return low
  }
}
