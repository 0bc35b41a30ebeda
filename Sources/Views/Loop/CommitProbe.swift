/// Looks at phases 1 to 7 of every frame from beside: for what only the program that was built knows of them, such as how often
/// they allocate.
///
/// Asked twice a frame, and not at all where a loop has none.
public protocol CommitProbe: AnyObject {
  /// Phase 1 begins.
  ///
  /// - Parameter frame: the frame's number.
  func commitWillBegin(frame: Int)

  /// Phase 7 has ended.
  ///
  /// - Parameter frame: the frame's number.
  /// - Returns: how often this thread allocated since phase 1 began; nothing where that is not counted.
  func commitDidEnd(frame: Int) -> Int32?
}
