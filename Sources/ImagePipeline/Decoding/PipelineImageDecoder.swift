import Glibc
public import VitrineFramePacing
import VitrineThreads

/// A decoder that makes one image at a time on the worker thread that it belongs to.
///
/// The pipeline's own decoder uses a decoding process. A program that generates images, or has its own decoder, gives
/// the pipeline a ``DecoderFactory`` instead.
public protocol PipelineImageDecoder {
  /// Prepares for the next request; called while the worker is idle.
  func prepare()

  /// Makes an image; blocks until it is done.
  func decode(_ request: ImageRequest) -> ImageOutcome

  /// Makes the image of a job; blocks until it is done.
  ///
  /// A decoder that can be interrupted implements this method, so that ``DecoderFactory/interrupt(job:of:)`` finds the job
  /// as soon as it is taken. Default: makes the image of the job's request.
  func decode(_ job: ImageJob) -> ImageOutcome

  /// Releases resources retained for the next image, as none is expected for a while; called on the worker's thread.
  func releaseIdleResources()

  /// The identifier of the decoding process; nil if there is none.
  var processNumber: Int32? { get }
}

extension PipelineImageDecoder {
  /// Makes the image of the job's request.
  public func decode(_ job: ImageJob) -> ImageOutcome { decode(job.request) }

  /// Does nothing.
  public func releaseIdleResources() {}

  /// Nil, as the decoder runs in the program's process.
  public var processNumber: Int32? { nil }
}

/// A factory of the workers' decoders.
public protocol DecoderFactory: Sendable {
  /// Whether decoders differ in priority: those for the screen get a fair share of the processors, the others only idle
  /// ones.
  ///
  /// If true, the pipeline has as many workers again for images on screen. Default: false.
  var usesBackgroundPriority: Bool { get }

  /// Creates the decoder of a worker, on that worker's thread.
  func makeDecoder(worker: Int) -> any PipelineImageDecoder

  /// Creates the decoder of a worker, on that worker's thread.
  ///
  /// Default: the result of ``makeDecoder(worker:)``.
  ///
  /// - Parameters:
  ///   - worker: The worker.
  ///   - isForScreen: Whether the decoder makes images on screen, and gets a fair share of the processors.
  ///   - onStarvation: A closure called on the worker's thread when a decode gets no core for a while, once per decode.
  func makeDecoder(worker: Int, isForScreen: Bool, onStarvation: @escaping () -> Void) -> any PipelineImageDecoder

  /// Creates a reader of the frames of an animation, or returns nil if these decoders know no animations.
  ///
  /// It must not block. Default: nil.
  ///
  /// - Parameter request: The file, and the size, the background and the limits of its frames.
  func makeAnimationReader(_ request: ImageRequest) -> (any AnimationReader)?

  /// Interrupts all running and later decodes; called once, on any thread.
  func interrupt()

  /// Interrupts a worker's job, so that it ends with ``ImageFailure/interrupted``; called on any thread.
  ///
  /// The worker has taken the job but may not have started it. Has no effect on a finished job. Default: does nothing,
  /// for decodes that are too short to be interrupted.
  ///
  /// - Parameters:
  ///   - job: The ``ImageJob/number`` of the job.
  ///   - worker: The worker.
  func interrupt(job: UInt64, of worker: Int)

  /// Records whether images on screen wait for a worker; called on any thread, often, and must not block.
  ///
  /// A decoder may then give up sooner on a file that hangs. Default: does nothing.
  func setImagesWait(_ areWaiting: Bool)

  /// The status of the decoders; callable from any thread.
  var status: DecoderStatus { get }

  /// The processor time used by the decoding processes; callable from any thread.
  ///
  /// Default: zero, for decoders without processes.
  var processorTime: FrameDuration { get }

  /// Resumes decoding after it was stopped; callable from any thread.
  func resume()
}

extension DecoderFactory {
  /// False, as all decoders have the same priority.
  public var usesBackgroundPriority: Bool { false }

  /// Creates the decoder of a worker, whatever it is for.
  public func makeDecoder(
    worker: Int, isForScreen: Bool, onStarvation: @escaping () -> Void
  ) -> any PipelineImageDecoder {
    makeDecoder(worker: worker)
  }

  /// Nil: these decoders know no animations.
  public func makeAnimationReader(_ request: ImageRequest) -> (any AnimationReader)? { nil }

  /// Does nothing: these decodes are too short to be interrupted.
  public func interrupt(job: UInt64, of worker: Int) {}

  /// Does nothing: these decodes do not hang.
  public func setImagesWait(_ areWaiting: Bool) {}

  /// The status of decoders without a process.
  public var status: DecoderStatus { DecoderStatus() }

  /// Zero, as these decoders have no processes.
  public var processorTime: FrameDuration { .zero }

  /// Does nothing: these decoders are never stopped.
  public func resume() {}
}

/// A factory of artificially slow decoders, for demonstrations and tests.
struct DelayedDecoderFactory: DecoderFactory {
  private let decoders: any DecoderFactory
  private let delay: FrameDuration
  private let stop: StopSignal

  /// Creates a factory that slows down the decoders of another one.
  ///
  /// - Parameter delay: The time to wait before each decode.
  /// - Throws: ``DecodingProcessError/system(call:error:)`` if the system has no descriptor available.
  init(_ decoders: any DecoderFactory, by delay: FrameDuration) throws(DecodingProcessError) {
    self.decoders = decoders
    self.delay = delay
    stop = try StopSignal()
  }

  func makeDecoder(worker: Int) -> any PipelineImageDecoder {
    DelayedDecoder(decoder: decoders.makeDecoder(worker: worker), delay: delay, stop: stop)
  }

  func interrupt() {
    stop.raise()
    decoders.interrupt()
  }

  func interrupt(job: UInt64, of worker: Int) { decoders.interrupt(job: job, of: worker) }

  func setImagesWait(_ areWaiting: Bool) { decoders.setImagesWait(areWaiting) }

  func makeAnimationReader(_ request: ImageRequest) -> (any AnimationReader)? { decoders.makeAnimationReader(request) }

  var status: DecoderStatus { decoders.status }

  var processorTime: FrameDuration { decoders.processorTime }

  func resume() { decoders.resume() }

  private struct DelayedDecoder: PipelineImageDecoder {
    let decoder: any PipelineImageDecoder
    let delay: FrameDuration
    let stop: StopSignal

    var processNumber: Int32? { decoder.processNumber }

    func prepare() { decoder.prepare() }

    func releaseIdleResources() { decoder.releaseIdleResources() }

    func decode(_ request: ImageRequest) -> ImageOutcome {
      waitForDelay()
      return decoder.decode(request)
    }

    /// Waits for the delay, or until all decodes are interrupted.
    ///
    /// The C function is `poll`.
    private func waitForDelay() {
      let watch = Stopwatch()
      while watch.elapsed < delay {
        let remaining = Int32(clamping: Int64((delay - watch.elapsed).milliseconds.rounded(.up)))
        var watched = pollfd(fd: stop.number, events: Int16(POLLIN), revents: 0)
        if poll(&watched, 1, remaining) > 0 { return }
      }
    }
  }
}
