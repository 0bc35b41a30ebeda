/// Makes pictures, one at a time, on the worker thread that it belongs to.
///
/// The pipeline's own has a decoding process do it. A program that paints its pictures, or brings a decoder of its own,
/// gives the pipeline a ``DecoderFactory`` instead.
public protocol PictureDecoder {
  /// Gets ready for the next request, where that takes time; called while the worker has nothing to do.
  func prepare()

  /// Makes a picture; waits as long as it takes.
  func decode(_ request: ImageRequest) -> ImageOutcome
}

/// Gives each worker its decoder.
public protocol DecoderFactory: Sendable {
  /// Makes the decoder of a worker, on that worker's thread.
  func makeDecoder(worker: Int) -> any PictureDecoder

  /// Makes every decode that runs, and every later one, end soon; called once, on any thread.
  func interrupt()
}
