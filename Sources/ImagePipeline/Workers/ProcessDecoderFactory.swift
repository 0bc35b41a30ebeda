import FramePacing
import Threads

/// Gives each worker a decoding process of its own.
struct ProcessDecoderFactory: DecoderFactory {
  private let helperPath: String?
  private let slotBytes: Int
  private let isLowPriority: Bool
  private let delay: FrameDuration
  private let store: ThumbnailStore?
  private let stop: StopSignal
  private let health = DecoderHealth()
  private let interrupters = Lock<[Int: DecodeInterrupter]>([:])

  /// Makes a factory.
  ///
  /// An executable that is not there is no error here: each request then fails with ``ImageFailure/decoderUnavailable``,
  /// and the program says so beside the items. It is looked for again with each process that is started.
  ///
  /// - Parameters:
  ///   - helperPath: the executable; where nothing is told it is looked for beside the program.
  ///   - slotBytes: the largest bitmap in bytes.
  ///   - isLowPriority: whether the processes run only when nothing else wants the core.
  ///   - delay: time really added to each decode.
  ///   - store: where prepared pictures are kept on disk.
  /// - Throws: ``DecodingProcessError/system(call:error:)`` where the system has no descriptor to give.
  init(
    helperPath: String?, slotBytes: Int, isLowPriority: Bool, delay: FrameDuration, store: ThumbnailStore? = nil
  ) throws(DecodingProcessError) {
    self.helperPath = helperPath
    self.slotBytes = slotBytes
    self.isLowPriority = isLowPriority
    self.delay = delay
    self.store = store
    stop = try StopSignal()
  }

  func makeDecoder(worker: Int) -> any PictureDecoder {
    let interrupter = DecodeInterrupter()
    interrupters.withLock { $0[worker] = interrupter }
    return ProcessDecoder(
      setup: { setup }, delay: delay, stop: stop, health: health, interrupter: interrupter, store: store)
  }

  var condition: DecoderCondition { health.condition }

  func resume() { health.resume() }

  func interrupt(_ key: ImageKey, of worker: Int) { interrupters.withLock { $0[worker] }?.interrupt(key) }

  /// What a process is started with now.
  private var setup: DecodingProcess.Setup? {
    (try? DecoderExecutable.locate(explicit: helperPath)).map {
      DecodingProcess.Setup(executable: $0, slotBytes: slotBytes, isLowPriority: isLowPriority)
    }
  }

  func interrupt() { stop.raise() }
}
