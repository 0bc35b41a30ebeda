import Views

/// Counts how often the drawing thread allocates within phases 1 to 7, and tells an observer from outside where they are.
final class FrameProbe: CommitProbe {
  private let count: (() -> UInt64)?
  private let observer: ExternalFrameObserver?
  private var countBefore: UInt64 = 0

  /// Makes a probe; nothing where there is nothing to count and nobody to tell.
  ///
  /// - Parameters:
  ///   - count: how often the calling thread has allocated so far.
  ///   - observer: whom to tell.
  init?(count: (() -> UInt64)?, observer: ExternalFrameObserver?) {
    guard count != nil || observer != nil else { return nil }
    self.count = count
    self.observer = observer
  }

  func commitWillBegin(frame: Int) {
    observer?.frameWillBegin(UInt32(truncatingIfNeeded: frame))
    if let count { countBefore = count() }
  }

  func commitDidEnd(frame: Int) -> Int32? {
    let after = count?()
    observer?.frameDidCommit(UInt32(truncatingIfNeeded: frame))
    return after.map { Int32(truncatingIfNeeded: $0 &- countBefore) }
  }
}
