public import DecodingProtocol
import Glibc

/// Why a decoding process did not do what it was asked.
public enum DecodingProcessError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The executable is not where it is looked for.
  case executableMissing
  /// A call to the system failed, with this `errno`.
  case system(call: String, error: Int32)
  /// The process did not say "ready".
  case notReady
  /// The process ended before it answered.
  case exited
  /// The process did not answer in time.
  case timedOut
  /// The process answered what cannot be true.
  case invalidReply
  /// The caller's ``StopSignal`` was raised.
  case interrupted
  /// The process looked at the request and refused it.
  case refused(DecodingStatus)
  /// The picture has more of something than is shown here.
  case tooLarge(ExceededLimit)
  /// This process has not the memory for the result.
  case outOfMemory

  /// What happened, in one line.
  public var description: String {
    switch self {
    case .executableMissing: "vitrine-decode is not beside the program; build it or say where it is"
    case .system(let call, let error):
      "the decoding process could not be started: \(call): \(String(cString: strerror(error)))"
    case .notReady: "the decoding process started and did not get ready"
    case .exited: "the decoding process ended before it answered"
    case .timedOut: "the decoding process did not answer in time"
    case .invalidReply: "the decoding process answered what cannot be true"
    case .interrupted: "interrupted"
    case .refused(let status): "the decoding process refused: \(status)"
    case .tooLarge(let excess): "\(excess)"
    case .outOfMemory: "not enough memory for the result"
    }
  }
}

extension DecodingProcessError {
  /// Whether the process is of no further use.
  var invalidatesProcess: Bool {
    switch self {
    case .refused, .tooLarge, .outOfMemory: false
    default: true
    }
  }

  /// What it means for the picture that was asked for.
  var failure: ImageFailure {
    switch self {
    case .executableMissing, .system, .notReady: .decoderUnavailable
    case .exited: .decoderCrashed
    case .timedOut: .decoderTimedOut
    case .invalidReply: .invalidDecoderReply
    case .interrupted: .interrupted
    case .refused(.interrupted): .interrupted
    case .refused(let status): .refused(status)
    case .tooLarge(let excess): .tooLarge(excess)
    case .outOfMemory: .outOfMemory
    }
  }
}
