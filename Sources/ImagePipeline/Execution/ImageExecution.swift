import FramePacing

/// How the scheduler's decisions are carried out: in real time, or on a modelled time line.
@MainActor
protocol ImageExecutor: AnyObject, Sendable {
  /// Takes in a request, a new deadline or a cancellation.
  func handle(_ event: ImageScheduler.Event)

  /// Takes what has arrived by the moment of the frame: deliveries, and pictures to keep.
  func collect(at instant: FrameInstant, atMost bytes: Int) -> [ImageScheduler.Effect]

  /// Tells that the clock has come to a moment. In real time that means nothing.
  func advance(to instant: FrameInstant)

  /// Asks the scheduler something.
  func query<Answer: Sendable>(_ question: (inout ImageScheduler) -> Answer) -> Answer

  /// When something will arrive, as far as that can be known.
  var nextArrival: FrameInstant? { get }

  /// Waits for no real result any more, on a modelled time line; from any thread.
  nonisolated func stopWaiting()

  /// Nothing is expected for a while: workers let go of what they keep for the next picture, and then one does the work that
  /// is told, unless something comes first. On a modelled time line nothing happens, as it is to repeat.
  func postIdleWork(_ work: @escaping @Sendable () -> Void)

  /// Stops what the workers do; returns at once.
  func stop()

  /// Ends the workers.
  ///
  /// - Parameter time: how long they are waited for; nil waits for all of them.
  func shutdown(within time: ShutdownBudget?)
}
