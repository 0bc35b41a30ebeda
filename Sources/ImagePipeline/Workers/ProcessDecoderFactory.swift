import FramePacing
import Rendering
import Threads

/// Gives each worker a decoding process of its own.
struct ProcessDecoderFactory: PrioritizedDecoderFactory, JobDecoderFactory {
  private let helperPath: String?
  private let slotBytes: Int
  private let pixels: PixelStorage
  let usesBackgroundPriority: Bool
  private let delay: FrameDuration
  private let store: ThumbnailStore?
  private let sharing: SharingCoordinator?
  private let stop: StopSignal
  private let health: DecoderHealth
  /// What comes of work that nobody waits for is no reason to refuse anybody a picture.
  private let idleHealth: DecoderHealth
  private let interrupters = Lock<[Int: DecodeInterrupter]>([:])
  /// The processor time of all workers' processes.
  let times: DecodingProcessTimes

  /// Makes a factory.
  ///
  /// An executable that is not there is no error here: each request then fails with ``ImageFailure/decoderUnavailable``,
  /// and the program says so beside the items. It is looked for again with each process that is started.
  ///
  /// - Parameters:
  ///   - workers: how many decoders will be made at most.
  ///   - helperPath: the executable; where nothing is told it is looked for beside the program.
  ///   - slotBytes: the largest bitmap in bytes.
  ///   - takesWhatIsLeft: whether the processes that decode ahead run only when nothing else wants the processor.
  ///   - delay: time really added to each decode.
  ///   - pixels: how pictures' pixels stand in memory.
  ///   - store: where prepared pictures are kept on disk.
  ///   - sharing: where it is noted what was decoded.
  /// - Throws: ``DecodingProcessError/system(call:error:)`` where the system has no descriptor to give.
  init(
    workers: Int, helperPath: String?, slotBytes: Int, takesWhatIsLeft: Bool, delay: FrameDuration,
    pixels: PixelStorage = PixelStorage(), store: ThumbnailStore? = nil, sharing: SharingCoordinator? = nil
  ) throws(DecodingProcessError) {
    times = DecodingProcessTimes(workers: workers)
    self.helperPath = helperPath
    self.slotBytes = slotBytes
    self.pixels = pixels
    self.usesBackgroundPriority = takesWhatIsLeft
    self.delay = delay
    self.store = store
    self.sharing = sharing
    health = DecoderHealth()
    idleHealth = DecoderHealth(consulting: health)
    stop = try StopSignal()
  }

  func makeDecoder(worker: Int) -> any PictureDecoder {
    makeDecoder(worker: worker, isForScreen: false, whenStarved: {})
  }

  func makeDecoder(worker: Int, isForScreen: Bool, whenStarved: @escaping () -> Void) -> any PictureDecoder {
    let interrupter = DecodeInterrupter()
    interrupters.withLock { $0[worker] = interrupter }
    let priority: ProcessPriority = !usesBackgroundPriority ? .normal : isForScreen ? .screen : .background
    return ProcessDecoder(
      setup: { makeSetup(priority, pixels) }, delay: delay, stop: stop, health: health, interrupter: interrupter,
      store: store, sharing: sharing, whenStarved: priority == .background ? whenStarved : nil,
      times: times.entry(of: worker))
  }

  /// Makes a decoder for what nobody waits for, on the thread that will use it; nothing where the system has no descriptor
  /// to give.
  func makeIdleDecoder() -> IdleDecoder? {
    try? IdleDecoder { stop, whenStarved in
      let priority = usesBackgroundPriority ? ProcessPriority.background : .normal
      return ProcessDecoder(
        setup: { makeSetup(priority, PixelStorage()) }, delay: .zero, stop: stop, health: idleHealth,
        whenStarved: usesBackgroundPriority ? whenStarved : nil)
    }
  }

  var condition: DecoderCondition { health.condition }

  func resume() { health.resume() }

  func interrupt(_ key: ImageKey, of worker: Int) { interrupters.withLock { $0[worker] }?.interrupt(key) }

  func interrupt(job: UInt64, of worker: Int) { interrupters.withLock { $0[worker] }?.interrupt(job: job) }

  /// What a process is started with now.
  @Sendable private func makeSetup(_ priority: ProcessPriority, _ pixels: PixelStorage) -> DecodingProcess.Setup? {
    (try? DecoderExecutable.locate(explicit: helperPath)).map {
      var setup = DecodingProcess.Setup(executable: $0, slotBytes: slotBytes, priority: priority)
      setup.pixels = pixels
      return setup
    }
  }

  func interrupt() { stop.raise() }
}
