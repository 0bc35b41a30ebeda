/// A factory whose decoders are processes that the system may not let run, as others want its cores.
protocol PrioritizedDecoderFactory: DecoderFactory {
  /// Whether its decoders take only what others leave, so that one more is needed that does not.
  var takesWhatIsLeft: Bool { get }

  /// Makes the decoder of a worker, on that worker's thread.
  ///
  /// - Parameters:
  ///   - worker: the worker.
  ///   - isForScreen: whether its process gets its share of a core that others want too.
  ///   - whenStarved: called on the worker's thread when a decode has got no core for a while, once for each.
  func makeDecoder(worker: Int, isForScreen: Bool, whenStarved: @escaping () -> Void) -> any PictureDecoder
}
