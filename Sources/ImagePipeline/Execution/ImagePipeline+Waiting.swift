extension ImagePipeline {
  /// Waits for nothing any more on a modelled time line, now and from now on: neither for a decode nor for a download,
  /// whatever is due.
  ///
  /// For a program that is asked to end while its thread waits in ``advance(to:)`` or ``collect(at:atMost:)``. What has not
  /// ended really by then is told in no frame before it has. Callable from any thread; again, or in real time, where nobody
  /// waits, it changes nothing.
  public nonisolated func stopWaiting() {
    execution.stopWaiting()
    downloadCoordinator?.stopWaiting()
    modelledCompletions?.stopWaiting()
  }
}
