import Glibc
public import VitrineDecodingProtocol

/// The reason why an image could not be made: a state of its item, not an error of the program.
public enum ImageFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file could not be opened. The associated value is an `errno`.
  case cannotOpen(Int32)
  /// The path names a directory, a FIFO, a device or a socket.
  case notAFile
  /// The decoding process examined the file and refused it.
  case refused(DecodingStatus)
  /// The image exceeds one of the limits of this package.
  case tooLarge(ExceededLimit)
  /// The file crashed the decoding process more than once.
  case decoderCrashed
  /// The decoding process did not finish before its timeout and was killed.
  case decoderTimedOut
  /// The decoding process sent an invalid reply more than once.
  case invalidDecoderReply
  /// No decoding process could be started.
  case decoderUnavailable
  /// Too many decoding processes ended recently, so none is started for a while.
  case decodingStopped
  /// This process has too little memory for the pixels.
  case outOfMemory
  /// The request was cancelled, or the pipeline was shut down.
  case interrupted
  /// The pipeline's decoder cannot make images of this source.
  case unsupportedSource

  /// The image could not be downloaded: a short reason for users, and whether another attempt may succeed.
  case download(reason: String, isTransient: Bool)

  /// A short text for a caption.
  public var description: String {
    switch self {
    case .cannotOpen(ENOENT), .cannotOpen(ENOTDIR): "file is gone"
    case .cannotOpen(EACCES), .cannotOpen(EPERM): "not allowed to read"
    case .cannotOpen(ETIMEDOUT): "the disk or server does not answer"
    case .cannotOpen: "cannot be read"
    case .notAFile: "not a file"
    case .refused(let status): status.description
    case .tooLarge(let excess): excess.description
    case .decoderCrashed: "crashes the decoder"
    case .decoderTimedOut: "takes too long to decode"
    case .invalidDecoderReply: "invalid reply from the decoder"
    case .decoderUnavailable: "no decoder could be started"
    case .decodingStopped: "decoding stopped: too many crashes"
    case .outOfMemory: "not enough memory to show"
    case .interrupted: "interrupted"
    case .unsupportedSource: "no preview"
    case .download(let reason, _): reason
    }
  }

  /// Whether the decoding process may be to blame, so that a new process tries the file once more.
  var crashedDecoder: Bool { self == .decoderCrashed || self == .invalidDecoderReply }

  /// The requests that the failure is remembered for.
  var scope: Scope {
    switch self {
    case .interrupted: .request
    // Requests for a single picture have higher limits.
    case .outOfMemory, .tooLarge, .refused(.slotTooSmall), .refused(.outOfMemory), .refused(.badRequest): .size
    default: .file
    }
  }

  /// Whether the same request may succeed later.
  package var persistence: Persistence {
    switch self {
    case .cannotOpen, .decoderUnavailable, .decodingStopped, .outOfMemory, .interrupted, .refused(.unreadable),
      .refused(.changed):
      .transient
    case .decoderCrashed, .decoderTimedOut, .invalidDecoderReply: .uncertain
    case .notAFile, .refused, .tooLarge, .unsupportedSource: .permanent
    case .download(_, let isTransient): isTransient ? .transient : .permanent
    }
  }

  /// Whether the image could not be downloaded.
  package var isOfDownload: Bool { if case .download = self { true } else { false } }

  /// The requests that a failure applies to.
  enum Scope: Sendable {
    /// This request alone.
    case request
    /// All requests for the file at this size. Another size may succeed.
    case size
    /// All requests for this version of the file.
    case file
  }

  /// The duration of a failure.
  package enum Persistence: Sendable {
    /// The failure persists until the file changes.
    case permanent
    /// The cause is unknown: either the file, or a machine that kills or starves processes.
    case uncertain
    /// The system lacks a resource, or the file is out of reach. The image itself is not to blame.
    case transient
  }
}
