/// A factory whose decoders are processes that the system may not let run, as others want its cores.
protocol PrioritizedDecoderFactory: DecoderFactory {
  /// Whether its decoders differ: those for the screen get a fair share of the processors, the others take what all programs
  /// leave.
  var usesBackgroundPriority: Bool { get }

  /// Makes the decoder of a worker, on that worker's thread.
  ///
  /// - Parameters:
  ///   - worker: the worker.
  ///   - isForScreen: whether its process gets a fair share of the processors.
  ///   - whenStarved: called on the worker's thread when a decode has got no core for a while, once for each.
  func makeDecoder(worker: Int, isForScreen: Bool, whenStarved: @escaping () -> Void) -> any PictureDecoder
}
