import FramePacing

/// For loops on simulated clocks, which ask when results arrive.
nonisolated struct SilentWaker: LoopWaker {
  func wake() {}
}
