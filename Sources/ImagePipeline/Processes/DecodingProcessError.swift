public import DecodingProtocol
import Glibc

/// Why a decoding process did not do what it was asked.
public enum DecodingProcessError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The executable is not where it is looked for.
  case executableMissing
  /// A call to the system failed, with this `errno`.
  case system(call: String, error: Int32)
  /// The process did not say "ready".
  case neverReady
  /// The process ended before it answered.
  case died
  /// The process did not answer in time.
  case timedOut
  /// The process answered what cannot be true.
  case lied
  /// The caller's ``StopSignal`` was raised.
  case interrupted
  /// The process looked at the request and refused it.
  case refused(DecodingStatus)
  /// The picture has more of something than is shown here.
  case tooLarge(PictureExcess)
  /// This process has not the memory for the result.
  case outOfMemory

  /// What happened, in one line.
  public var description: String {
    switch self {
    case .executableMissing: "vitrine-decode is not beside the program; build it or say where it is"
    case .system(let call, let error):
      "the decoding process could not be started: \(call): \(String(cString: strerror(error)))"
    case .neverReady: "the decoding process started and did not get ready"
    case .died: "the decoding process ended before it answered"
    case .timedOut: "the decoding process did not answer in time"
    case .lied: "the decoding process answered what cannot be true"
    case .interrupted: "interrupted"
    case .refused(let status): "the decoding process refused: \(status)"
    case .tooLarge(let excess): "\(excess)"
    case .outOfMemory: "not enough memory for the result"
    }
  }
}

extension DecodingProcessError {
  /// Whether the process is of no further use.
  var endsService: Bool {
    switch self {
    case .refused, .tooLarge, .outOfMemory: false
    default: true
    }
  }

  /// What it means for the picture that was asked for.
  var failure: ImageFailure {
    switch self {
    case .executableMissing, .system, .neverReady: .decoderUnavailable
    case .died: .decoderDied
    case .timedOut: .decoderTimedOut
    case .lied: .decoderLied
    case .interrupted: .interrupted
    case .refused(.interrupted): .interrupted
    case .refused(let status): .refused(status)
    case .tooLarge(let excess): .tooLarge(excess)
    case .outOfMemory: .outOfMemory
    }
  }
}
