import Threads

/// A decoding process for work that nobody waits for: of the lowest priority, and ended in the middle of it when anything is
/// wanted, or when others want all cores: then this machine does not rest.
///
/// Belongs to the thread that made it.
struct IdleDecoder {
  /// Ends the process, once raised, and every wait for it.
  let stop: StopSignal
  private let decoder: ProcessDecoder
  private let starved: Lock<Bool>

  /// Makes a decoder without a process.
  ///
  /// - Parameter make: gives what has files decoded, which ends with the signal and says when it gets no core.
  /// - Throws: ``DecodingProcessError/system(call:error:)`` where the system has no descriptor to give.
  init(
    _ make: (_ stop: StopSignal, _ whenStarved: @escaping () -> Void) -> ProcessDecoder
  ) throws(DecodingProcessError) {
    let (stop, starved) = (try StopSignal(), Lock(false))
    self.stop = stop
    self.starved = starved
    decoder = make(stop) {
      starved.withLock { $0 = true }
      stop.raise()
    }
  }

  /// Whether it has got no core for a while, and so was stopped.
  var isStarved: Bool { starved.withLock { $0 } }

  /// Has a file decoded.
  func decode(_ file: borrowing PictureFile, _ request: ImageRequest) -> ImageOutcome {
    decoder.decode(file, request)
  }
}
