import DecodingProtocol
import FramePacing
import Geometry
import Glibc

/// Opens files and has its decoding process decode them; starts another process when one is lost.
final class ProcessDecoder: PictureDecoder {
  /// The pictures after which a process is replaced, so that what it leaks stays small.
  private static let longestService = 10_000
  /// The pictures after which a process's memory is looked at.
  private static let picturesBetweenLooks = 16
  /// How often a file that changes while it is read is read again.
  private static let readings = 3

  private let setup: @Sendable () -> DecodingProcess.Setup?
  private let delay: FrameDuration
  private let stop: StopSignal
  private let health: DecoderHealth
  private let interrupter: DecodeInterrupter
  private var process: DecodingProcess?

  /// Makes a decoder without a process, which ``prepare()`` starts.
  ///
  /// - Parameters:
  ///   - setup: tells what a process is started with, each time one is; nothing when there is no executable to start.
  ///   - delay: time added to each decode.
  ///   - stop: what makes every wait end early.
  ///   - health: what is known of files and processes.
  ///   - interrupter: what may stop a decode from another thread.
  init(
    setup: @escaping @Sendable () -> DecodingProcess.Setup?, delay: FrameDuration, stop: StopSignal,
    health: DecoderHealth = DecoderHealth(), interrupter: DecodeInterrupter = DecodeInterrupter()
  ) {
    self.setup = setup
    self.delay = delay
    self.stop = stop
    self.health = health
    self.interrupter = interrupter
  }

  /// The kernel's number of the process; nothing while there is none.
  var processNumber: pid_t? { process?.number }

  func prepare() {
    retireSwollenProcess()
    _ = try? readyProcess()
  }

  func decode(_ request: ImageRequest) -> ImageOutcome {
    var reading = read(request)
    for _ in 1..<ProcessDecoder.readings where reading.hasChanged { reading = read(request) }
    // Of a file that does not come to rest, what was seen last is shown: half of the old and half of the new, maybe.
    return reading.hasChanged ? reading.outcome.map(\.markedDamaged) : reading.outcome
  }

  private func read(_ request: ImageRequest) -> (outcome: ImageOutcome, hasChanged: Bool) {
    do throws(ImageFailure) {
      let file = try PictureFile(request.source)
      if let failure = health.refusal(of: file.version.identity) { throw failure }
      let outcome = decode(file, request)
      return (outcome, file.currentVersion != file.version)
    } catch {
      return (.failure(error), false)
    }
  }

  private func decode(_ file: borrowing PictureFile, _ request: ImageRequest) -> ImageOutcome {
    do throws(ImageFailure) {
      let process = try readyProcess()
      let identity = file.version.identity
      do throws(DecodingProcessError) {
        let image = try process.decode(
          file: file.number, fileBytes: identity.byteCount, request, delay: delay, interrupter: interrupter)
        health.notePicture(of: identity)
        return .success(image)
      } catch {
        if error.endsService { lose(process, error, of: identity) }
        return .failure(error.failure)
      }
    } catch {
      return .failure(error)
    }
  }

  private func lose(_ process: DecodingProcess, _ error: DecodingProcessError, of file: FileIdentity) {
    health.noteLoss(error, error == .died ? process.ending : nil, of: file)
    self.process = nil
  }

  /// A decoder that keeps what it took is replaced while nobody waits for it.
  private func retireSwollenProcess() {
    guard let process, process.served > 0, process.served.isMultiple(of: ProcessDecoder.picturesBetweenLooks),
      process.hasSwollen
    else { return }
    self.process = nil
    health.noteRetirement()
  }

  /// The process, a fresh one where there is none, it has ended, or it has served for long enough.
  private func readyProcess() throws(ImageFailure) -> DecodingProcess {
    guard !health.isStopped else {
      process = nil
      throw .decodingStopped
    }
    if let process {
      if process.hasEnded {
        health.noteLoss(.died, process.ending, of: nil)
      } else if process.served < ProcessDecoder.longestService {
        return process
      } else {
        health.noteRetirement()
      }
    }
    process = nil
    guard let setup = setup() else { throw .decoderUnavailable }
    let started: DecodingProcess
    do throws(DecodingProcessError) {
      started = try start(setup)
    } catch {
      throw error.failure
    }
    process = started
    health.noteStart(started)
    return started
  }

  /// Starts a process; tries once more where the system had none to give for a moment.
  private func start(_ setup: DecodingProcess.Setup) throws(DecodingProcessError) -> DecodingProcess {
    do throws(DecodingProcessError) {
      return try begin(setup)
    } catch .interrupted {
      throw .interrupted
    } catch {
      return try begin(setup)
    }
  }

  private func begin(_ setup: DecodingProcess.Setup) throws(DecodingProcessError) -> DecodingProcess {
    do throws(DecodingProcessError) {
      return try DecodingProcess(setup, stop: stop)
    } catch {
      // A process that the system did not give is none that was lost.
      if error == .neverReady { health.noteLoss(error, nil, of: nil) }
      throw error
    }
  }
}
