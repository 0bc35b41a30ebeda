import DecodingProtocol
import FramePacing
import Geometry
import Glibc

/// Opens files and has its decoding process decode them; starts another process when one is lost.
final class ProcessDecoder: PictureDecoder {
  /// The pictures after which a process is replaced, so that what it leaks stays small.
  private static let longestService = 10_000
  /// How often a file that changes while it is read is read again.
  private static let readings = 3

  private let setup: @Sendable () -> DecodingProcess.Setup?
  private let delay: FrameDuration
  private let stop: StopSignal
  private var process: DecodingProcess?

  /// Makes a decoder without a process, which ``prepare()`` starts.
  ///
  /// - Parameters:
  ///   - setup: tells what a process is started with, each time one is; nothing when there is no executable to start.
  ///   - delay: time added to each decode.
  ///   - stop: what makes every wait end early.
  init(setup: @escaping @Sendable () -> DecodingProcess.Setup?, delay: FrameDuration, stop: StopSignal) {
    self.setup = setup
    self.delay = delay
    self.stop = stop
  }

  /// The kernel's number of the process; nothing while there is none.
  var processNumber: pid_t? { process?.number }

  func prepare() { _ = try? readyProcess() }

  func decode(_ request: ImageRequest) -> ImageOutcome {
    guard case .file(let path) = request.source else { return .failure(.cannotPaint) }
    var reading = read(path, request)
    for _ in 1..<ProcessDecoder.readings where reading.hasChanged { reading = read(path, request) }
    // Of a file that does not come to rest, what was seen last is shown: half of the old and half of the new, maybe.
    return reading.hasChanged ? reading.outcome.map(\.markedDamaged) : reading.outcome
  }

  private func read(_ path: [UInt8], _ request: ImageRequest) -> (outcome: ImageOutcome, hasChanged: Bool) {
    do throws(ImageFailure) {
      let file = try PictureFile(path: path)
      let outcome = decode(file, request)
      return (outcome, file.currentVersion != file.version)
    } catch {
      return (.failure(error), false)
    }
  }

  private func decode(_ file: borrowing PictureFile, _ request: ImageRequest) -> ImageOutcome {
    do throws(ImageFailure) {
      let process = try readyProcess()
      do throws(DecodingProcessError) {
        return .success(
          try process.decode(
            file: file.number, fileBytes: file.version.byteCount, size: request.key.size, fit: request.key.fit,
            background: request.background, delay: delay))
      } catch {
        if error.endsService { self.process = nil }
        return .failure(error.failure)
      }
    } catch {
      return .failure(error)
    }
  }

  /// The process, a fresh one where there is none, it has ended, or it has served for long enough.
  private func readyProcess() throws(ImageFailure) -> DecodingProcess {
    if let process, !process.hasEnded, process.served < ProcessDecoder.longestService { return process }
    process = nil
    guard let setup = setup() else { throw .decoderUnavailable }
    let started: DecodingProcess
    do throws(DecodingProcessError) {
      started = try start(setup)
    } catch {
      throw error.failure
    }
    process = started
    return started
  }

  /// Starts a process; tries once more where the system had none to give for a moment.
  private func start(_ setup: DecodingProcess.Setup) throws(DecodingProcessError) -> DecodingProcess {
    do throws(DecodingProcessError) {
      return try DecodingProcess(setup, stop: stop)
    } catch .interrupted {
      throw .interrupted
    } catch {
      return try DecodingProcess(setup, stop: stop)
    }
  }
}
