import CVitrinePlatform
import Synchronization
package import VitrineDecodingProtocol
import VitrineFramePacing
package import VitrineRendering
import VitrineThreads

/// A factory that gives each worker a decoding process.
struct ProcessDecoderFactory: DecoderFactory {
  private let workers: Int
  private let helperPath: String?
  private let slotBytes: Int
  private let pixels: PixelStorage
  let usesBackgroundPriority: Bool
  private let delay: FrameDuration
  private var storage: (any ImageStorage)?
  private let stop: StopSignal
  private let health: DecoderHealth
  /// Crashes during idle work must not cause requests to be refused.
  private let idleHealth: DecoderHealth
  private let interrupters = Lock<[Int: DecodeInterrupter]>([:])
  private let times: DecodingProcessTimes
  private let demand = ImageDemand()
  private let opener = FileOpener()

  /// Creates a factory.
  ///
  /// A missing executable is no error: each request then fails with ``ImageFailure/decoderUnavailable``, which the
  /// program shows at the items. The executable is located again for each process that is started.
  ///
  /// - Parameters:
  ///   - workers: The maximum number of decoders.
  ///   - helperPath: The path of the executable; nil to locate it next to the program.
  ///   - slotBytes: The maximum size of a bitmap in bytes.
  ///   - usesBackgroundPriority: Whether processes that prefetch use only idle processors.
  ///   - delay: The real time added to each decode.
  ///   - pixels: The layout of pixels in memory.
  ///   - storage: The storage of thumbnails on disk.
  /// - Throws: ``DecodingProcessError/system(call:error:)`` if the system has no descriptor available.
  init(
    workers: Int, helperPath: String?, slotBytes: Int, usesBackgroundPriority: Bool, delay: FrameDuration,
    pixels: PixelStorage = PixelStorage(), storage: (any ImageStorage)? = nil
  ) throws(DecodingProcessError) {
    times = DecodingProcessTimes(workers: workers + 1)
    self.workers = workers
    self.helperPath = helperPath
    self.slotBytes = slotBytes
    self.pixels = pixels
    self.usesBackgroundPriority = usesBackgroundPriority
    self.delay = delay
    self.storage = storage
    health = DecoderHealth()
    idleHealth = DecoderHealth(parent: health)
    stop = try StopSignal()
  }

  func makeDecoder(worker: Int) -> any PipelineImageDecoder {
    makeDecoder(worker: worker, isForScreen: false, onStarvation: {})
  }

  func makeDecoder(worker: Int, isForScreen: Bool, onStarvation: @escaping () -> Void) -> any PipelineImageDecoder {
    let interrupter = DecodeInterrupter()
    interrupters.withLock { $0[worker] = interrupter }
    let priority: ProcessPriority = !usesBackgroundPriority ? .normal : isForScreen ? .screen : .background
    return ProcessDecoder(
      setup: { makeSetup(priority, pixels) }, delay: delay, stop: stop, health: health, interrupter: interrupter,
      opener: opener, storage: storage, onStarvation: priority == .background ? onStarvation : nil,
      times: times.entry(of: worker), demand: demand)
  }

  /// The same factory without storage, for idle work of the storage itself.
  var withoutStorage: ProcessDecoderFactory {
    var factory = self
    factory.storage = nil
    return factory
  }

  /// Returns a decoder for idle work, created on the thread that uses it, or nil if the system has no descriptor
  /// available.
  func makeIdleDecoder() -> IdleDecoder? {
    try? IdleDecoder { stop, onStarvation in
      let priority = usesBackgroundPriority ? ProcessPriority.background : .normal
      return ProcessDecoder(
        setup: { makeSetup(priority, PixelStorage()) }, delay: .zero, stop: stop, health: idleHealth,
        opener: opener, onStarvation: usesBackgroundPriority ? onStarvation : nil)
    }
  }

  func makeAnimationReader(_ request: ImageRequest) -> (any AnimationReader)? {
    // An animation is on screen.
    let priority: ProcessPriority = usesBackgroundPriority ? .screen : .normal
    return try? ProcessAnimationReader(
      request, setup: { makeSetup(priority, pixels) }, health: health, times: times.entry(of: workers))
  }

  var status: DecoderStatus { health.status }

  var processorTime: FrameDuration { times.total }

  func resume() { health.resume() }

  func setImagesWait(_ areWaiting: Bool) { demand.areWaiting.store(areWaiting, ordering: .relaxed) }

  func interrupt(job: UInt64, of worker: Int) { interrupters.withLock { $0[worker] }?.interrupt(job: job) }

  /// Returns the configuration of a process to start now.
  @Sendable private func makeSetup(_ priority: ProcessPriority, _ pixels: PixelStorage) -> DecodingProcess.Setup? {
    (try? DecoderExecutable.locate(explicit: helperPath)).map {
      var setup = DecodingProcess.Setup(executable: $0, slotBytes: slotBytes, priority: priority)
      setup.pixels = pixels
      return setup
    }
  }

  func interrupt() { stop.raise() }
}

/// What the workers of a pipeline know about its other requests.
final class ImageDemand: Sendable {
  /// Whether images on screen wait for a worker.
  let areWaiting = Atomic(false)
}

/// The processor times of the decoding processes, read without a lock by the render thread.
final class DecodingProcessTimes: Sendable {
  /// The picture processes of one worker.
  final class Entry: Sendable {
    private let process = Atomic<Int32>(0)
    private let ended = Atomic<Int64>(0)

    /// The identifier of the picture process that runs or ran last; 0 if there was none.
    var current: pid_t { process.load(ordering: .relaxed) }

    /// Records the process that decodes from now on.
    func record(_ number: pid_t) { process.store(number, ordering: .relaxed) }

    /// Records that the process has ended.
    ///
    /// - Parameter time: The processor time that it used.
    func add(_ time: FrameDuration) {
      process.store(0, ordering: .relaxed)
      ended.add(time.nanoseconds, ordering: .relaxed)
    }

    /// The processor time used by the processes.
    ///
    /// The C functions are `clock_getcpuclockid` and `clock_gettime`.
    fileprivate var used: FrameDuration {
      let number = process.load(ordering: .relaxed)
      let running = number == 0 ? 0 : max(0, platform_processor_time(number))
      return FrameDuration(nanoseconds: ended.load(ordering: .relaxed) + running)
    }
  }

  private let entries: [Entry]

  /// Creates entries for workers numbered from 0.
  init(workers: Int) { entries = (0..<workers).map { _ in Entry() } }

  /// Returns the entry of a worker, or nil if there is no such worker.
  func entry(of worker: Int) -> Entry? { entries.indices.contains(worker) ? entries[worker] : nil }

  /// The sum over all processes that decode or have decoded pictures.
  ///
  /// - Complexity: O(workers), two system calls each; allocates nothing.
  var total: FrameDuration {
    var total = FrameDuration.zero
    for index in entries.indices { total += entries[index].used }
    return total
  }
}

/// A decoder for idle work, with a process of the lowest priority.
///
/// The process is killed when a request arrives, or when other programs occupy all cores, as the machine is not idle
/// then. The decoder belongs to the thread that created it.
package struct IdleDecoder {
  /// The signal that ends the process and every wait for it.
  package let stop: StopSignal
  private let decoder: ProcessDecoder
  private let starved: Lock<Bool>

  /// Creates a decoder without a process.
  ///
  /// - Parameter make: A closure that returns the underlying decoder, which ends with the signal and reports
  ///   starvation.
  /// - Throws: ``DecodingProcessError/system(call:error:)`` if the system has no descriptor available.
  init(
    _ make: (_ stop: StopSignal, _ onStarvation: @escaping () -> Void) -> ProcessDecoder
  ) throws(DecodingProcessError) {
    let (stop, starved) = (try StopSignal(), Lock(false))
    self.stop = stop
    self.starved = starved
    decoder = make(stop) {
      starved.withLock { $0 = true }
      stop.raise()
    }
  }

  /// Whether the process was starved, and therefore stopped.
  package var isStarved: Bool { starved.withLock { $0 } }

  /// Decodes a file.
  package func decode(_ file: borrowing ImageFile, _ request: ImageRequest) -> ImageOutcome {
    decoder.decode(file, request)
  }

  /// Encodes a bitmap as an opaque PNG file with texts.
  package func encodePNG(_ bitmap: Bitmap, texts: PNGTexts) -> Result<[UInt8], ImageFailure> {
    decoder.encodePNG(bitmap, texts: texts)
  }

  /// Encodes a bitmap as a JPEG file.
  ///
  /// - Parameter quality: The quality, 1 to 100.
  package func encodeJPEG(_ bitmap: Bitmap, quality: Int) -> Result<[UInt8], ImageFailure> {
    decoder.encodeJPEG(bitmap, quality: quality)
  }
}
