import CPlatform

/// Somebody outside who was loaded into the program before it began, and is told where a frame's phases 1 to 7 begin and end.
///
/// A library in `LD_PRELOAD` that has the functions `vitrine_frame_begins` and `vitrine_frame_committed`, each of which takes
/// the frame's number.
struct ExternalFrameObserver {
  /// Told where phase 1 begins.
  let frameWillBegin: @convention(c) (UInt32) -> Void
  /// Told where phase 7 ends.
  let frameDidCommit: @convention(c) (UInt32) -> Void

  /// Looks for the functions; nothing where nobody has them.
  init?() {
    guard let begins = platform_find_frame_mark("vitrine_frame_begins"),
      let committed = platform_find_frame_mark("vitrine_frame_committed")
    else { return nil }
    self.frameWillBegin = begins
    self.frameDidCommit = committed
  }
}
