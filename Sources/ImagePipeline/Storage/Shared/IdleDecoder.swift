/// A decoding process for work that nobody waits for: of the lowest priority, and ended in the middle of it when anything is
/// wanted.
struct IdleDecoder {
  /// Ends the process, once raised, and every wait for it.
  let stop: StopSignal
  /// What has files decoded.
  let decoder: ProcessDecoder
}
