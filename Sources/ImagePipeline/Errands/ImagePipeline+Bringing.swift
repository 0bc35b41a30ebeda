public import FramePacing

extension ImagePipeline {
  /// Brings what other threads make to the thread that draws: in the collect phase of a frame, which is woken for it.
  ///
  /// On a modelled time line it is told when its declared time has passed since the frame that began it, however long it really
  /// takes: where it has not ended by then the loop waits, and does not count that.
  ///
  ///     let loading = pipeline.bring(taking: .milliseconds(120)) { deliver in
  ///       transfers.fetch(request) { deliver($0) }
  ///     } completion: { result in … }
  ///
  /// - Parameters:
  ///   - duration: what it takes on a modelled time line; where nothing is told it is taken in when it is there, there too.
  ///   - begin: called at once: begins it, and has it call what it is given when it has ended, once, from any thread, also at
  ///     once. Returns what gives it up, where there is anything to give up.
  ///   - completion: called once, in the collect phase of a later frame, also where it takes no time; not once it was given
  ///     up or the pipeline shut down.
  /// - Returns: what gives it up.
  /// - Precondition: `begin` delivers always, were it to tell that it has failed, and without the help of the thread
  ///   that draws: on a modelled time line that waits for it, for ever where nothing is delivered.
  /// - Complexity: O(1), on a modelled time line O(those that are under way).
  @discardableResult
  public func startOperation<Value: Sendable>(
    modelledDuration duration: FrameDuration? = nil,
    _ begin: (_ deliver: @escaping @Sendable (Value) -> Void) -> (any Cancellable)?,
    completion: @escaping @MainActor (Value) -> Void
  ) -> any Cancellable {
    guard let modelledCompletions, let duration else {
      let errand = ExternalOperation(completion: completion) {}
      let inbox = mailbox
      errand.setOperation(begin { value in inbox.postWork { errand.finish(value) } })
      return errand
    }
    let number = modelledCompletions.addCompletion(at: now + max(.zero, duration))
    let errand = ExternalOperation(completion: completion) { modelledCompletions.removeCompletion(number) }
    errand.setOperation(begin { value in modelledCompletions.complete(number) { errand.finish(value) } })
    return errand
  }
}
