import FramePacing
import Glibc
import Threads

/// Decoders that take longer than they need, for demonstrations and tests.
struct DelayedDecoderFactory: DecoderFactory {
  private let decoders: any DecoderFactory
  private let delay: FrameDuration
  private let stop: StopSignal

  /// Slows decoders down.
  ///
  /// - Parameter delay: added to each decode, before it.
  /// - Throws: ``DecodingProcessError/system(call:error:)`` where the system has no descriptor to give.
  init(_ decoders: any DecoderFactory, by delay: FrameDuration) throws(DecodingProcessError) {
    self.decoders = decoders
    self.delay = delay
    stop = try StopSignal()
  }

  func makeDecoder(worker: Int) -> any PictureDecoder {
    DelayedDecoder(decoder: decoders.makeDecoder(worker: worker), delay: delay, stop: stop)
  }

  func interrupt() {
    stop.raise()
    decoders.interrupt()
  }

  func interrupt(_ key: ImageKey, of worker: Int) { decoders.interrupt(key, of: worker) }

  var condition: DecoderCondition { decoders.condition }

  func resume() { decoders.resume() }

  private struct DelayedDecoder: PictureDecoder {
    let decoder: any PictureDecoder
    let delay: FrameDuration
    let stop: StopSignal

    var processNumber: Int32? { decoder.processNumber }

    func prepare() { decoder.prepare() }

    func releaseIdleResources() { decoder.releaseIdleResources() }

    func decode(_ request: ImageRequest) -> ImageOutcome {
      waitForDelay()
      return decoder.decode(request)
    }

    /// Lets the delay pass, or what is left of it when all decodes are to end.
    ///
    /// The C function is `poll`.
    private func waitForDelay() {
      let watch = Stopwatch()
      while watch.elapsed < delay {
        let rest = Int32(clamping: Int64((delay - watch.elapsed).milliseconds.rounded(.up)))
        var watched = pollfd(fd: stop.number, events: Int16(POLLIN), revents: 0)
        if poll(&watched, 1, rest) > 0 { return }
      }
    }
  }
}
