import FramePacing
import Glibc
import Threads

@testable import ImagePipeline

/// Decoders of another factory whose processes a test can kill at any time.
final class HuntedDecoders: DecoderFactory {
  private let stop: StopSignal
  private let setup: DecodingProcess.Setup
  private let health = DecoderHealth()
  private let processes = Lock<[Int: pid_t]>([:])

  init(_ setup: DecodingProcess.Setup) throws {
    self.setup = setup
    stop = try StopSignal()
  }

  /// Kills every process that is known.
  func killAll() {
    processes.withLock { processes in
      // A number whose process was taken already is nobody's child of ours.
      for process in processes.values where waitid(P_PID, id_t(process), nil, WEXITED | WNOHANG | WNOWAIT) == 0 {
        kill(process, SIGKILL)
      }
    }
  }

  var condition: DecoderCondition { health.condition }

  func makeDecoder(worker: Int) -> any PictureDecoder {
    let decoder = ProcessDecoder(setup: { [setup] in setup }, delay: .milliseconds(2), stop: stop, health: health)
    return Hunted(decoder: decoder) { [processes] number in processes.withLock { $0[worker] = number } }
  }

  func interrupt() { stop.raise() }

  private struct Hunted: PictureDecoder {
    let decoder: ProcessDecoder
    /// Told which process there is.
    let report: (pid_t?) -> Void

    func prepare() {
      report(nil)
      decoder.prepare()
      report(decoder.processNumber)
    }

    func decode(_ request: ImageRequest) -> ImageOutcome {
      let outcome = decoder.decode(request)
      report(nil)
      return outcome
    }
  }
}
