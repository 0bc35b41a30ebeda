/// How far a sample library has come.
public struct SampleProgress: Hashable, Sendable {
  /// Pictures that are there.
  public let done: Int
  /// Pictures that will be.
  public let total: Int

  /// Makes a progress.
  public init(done: Int, total: Int) {
    self.done = done
    self.total = total
  }

  /// Whether all pictures are there.
  public var isComplete: Bool { done >= total }
}
