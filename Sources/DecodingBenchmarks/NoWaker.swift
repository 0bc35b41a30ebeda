import FramePacing

/// Wakes nobody: on the modelled time line the caller waits by itself.
struct NoWaker: LoopWaker {
  func wake() {}
}
