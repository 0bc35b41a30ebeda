extension ImagePipeline {
  /// Whether the caller is on the thread that made the pipeline, which is the one that draws.
  nonisolated var isOnDrawingThread: Bool { witness.isHere }

  /// Counts a decode that the calling thread makes by itself, past the pipeline.
  ///
  /// Where that thread is the one that draws it counts in ``ImageStatistics/decodedOnRenderThread``, which stays 0 in a
  /// program that leaves decoding to its pipeline; elsewhere it changes nothing. Callable from any thread.
  public nonisolated func noteDecode() { witness.noteDecode() }
}
