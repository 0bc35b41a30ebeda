extension ImagePipeline {
  /// Counts a decode that the calling thread makes by itself, past the pipeline.
  ///
  /// Where that thread is the one that draws it counts in ``ImageStatistics/decodedOnRenderThread``, which stays 0 in a
  /// program that leaves decoding to its pipeline; elsewhere it changes nothing. Callable from any thread.
  public nonisolated func noteDecode() { witness.noteDecode() }
}
