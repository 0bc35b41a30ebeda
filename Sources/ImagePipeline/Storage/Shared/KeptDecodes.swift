/// What was decoded for the picture that is worked on: a frame that ends the work after a decode, and not the decode, does not
/// have it done again.
///
/// Of one picture, two bitmaps at most. Belongs to the thread that made it.
final class DecodeCache {
  private var candidate: SharingCandidate?
  /// By what is put behind them.
  private var outcomes: [UInt32: ImageOutcome] = [:]

  /// What a decode of a picture has given; nothing where it was not done.
  ///
  /// - Parameters:
  ///   - request: what is wanted; of one candidate requests differ in their background alone.
  ///   - candidate: what for; what is kept of another one is given up.
  func outcome(of request: ImageRequest, for candidate: SharingCandidate) -> ImageOutcome? {
    if self.candidate != candidate { clear() }
    self.candidate = candidate
    return outcomes[request.background]
  }

  /// Keeps what a decode has given for the candidate that was asked for last, where it would be the same again.
  func store(_ outcome: ImageOutcome, of request: ImageRequest) -> ImageOutcome {
    switch outcome {
    case .success: outcomes[request.background] = outcome
    case .failure(let failure): if failure.persistence == .permanent { outcomes[request.background] = outcome }
    }
    return outcome
  }

  /// Keeps nothing.
  func clear() {
    candidate = nil
    outcomes = [:]
  }
}
