/// Makes pictures, one at a time, on the worker thread that it belongs to.
///
/// The pipeline's own has a decoding process do it. A program that paints its pictures, or brings a decoder of its own,
/// gives the pipeline a ``DecoderFactory`` instead.
public protocol PictureDecoder {
  /// Gets ready for the next request, where that takes time; called while the worker has nothing to do.
  func prepare()

  /// Makes a picture; waits as long as it takes.
  func decode(_ request: ImageRequest) -> ImageOutcome

  /// Lets go of what it keeps for the next picture, as none is expected for a while; on the worker's thread.
  func releaseIdleResources()

  /// The kernel's number of the process that decodes; nothing where there is none.
  var processNumber: Int32? { get }
}

extension PictureDecoder {
  /// Nothing is kept.
  public func releaseIdleResources() {}

  /// None: this decoder works in the program's own.
  public var processNumber: Int32? { nil }
}

/// Gives each worker its decoder.
public protocol DecoderFactory: Sendable {
  /// Makes the decoder of a worker, on that worker's thread.
  func makeDecoder(worker: Int) -> any PictureDecoder

  /// Makes every decode that runs, and every later one, end soon; called once, on any thread.
  func interrupt()

  /// Has a worker's decode end soon with ``ImageFailure/interrupted``, where it is of this key; on any thread.
  ///
  /// A decoder that cannot do that goes on, and so does one that works on something else.
  func interrupt(_ key: ImageKey, of worker: Int)

  /// How the decoders are; from any thread.
  var condition: DecoderCondition { get }

  /// Begins again after decoding was stopped; from any thread.
  func resume()
}

extension DecoderFactory {
  /// Does nothing: these decodes are too short to be stopped.
  public func interrupt(_ key: ImageKey, of worker: Int) {}

  /// Decoders without a process, which nothing confines and nothing ends.
  public var condition: DecoderCondition { DecoderCondition() }

  /// Does nothing: these decoders are never stopped.
  public func resume() {}
}
