public import DecodingProtocol
import Glibc

/// Why there is no picture: a state of its item, not an error of the program.
public enum ImageFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file could not be opened; the number is `errno`'s.
  case cannotOpen(Int32)
  /// A directory, a FIFO, a device, a socket: nothing that holds a picture.
  case notAFile
  /// The decoding process looked at the file and refused it.
  case refused(DecodingStatus)
  /// The picture has more of something than is shown here: a limit of ours.
  case tooLarge(ExceededLimit)
  /// The file ended the decoding process, more than once.
  case decoderCrashed
  /// The decoding process was not done by its deadline and was ended.
  case decoderTimedOut
  /// The decoding process answered what cannot be true, more than once.
  case invalidDecoderReply
  /// No decoding process could be started.
  case decoderUnavailable
  /// Too many decoding processes ended of late, so none is started for a while.
  case decodingStopped
  /// The pixels do not fit into this process's memory.
  case outOfMemory
  /// The pipeline was shut down first.
  case interrupted
  /// The request names something that this pipeline's decoder cannot make.
  case unsupportedSource

  /// It could not be had from the web.
  case remote(RemoteFailure)

  /// A few words for a caption.
  public var description: String {
    switch self {
    case .cannotOpen(ENOENT), .cannotOpen(ENOTDIR): "file is gone"
    case .cannotOpen(EACCES), .cannotOpen(EPERM): "not allowed to read"
    case .cannotOpen: "cannot be read"
    case .notAFile: "not a file"
    case .refused(let status): status.description
    case .tooLarge(let excess): excess.description
    case .decoderCrashed: "crashes the decoder"
    case .decoderTimedOut: "takes too long to decode"
    case .invalidDecoderReply: "confuses the decoder"
    case .decoderUnavailable: "no decoder could be started"
    case .decodingStopped: "decoding stopped: too many crashes"
    case .outOfMemory: "not enough memory to show"
    case .interrupted: "interrupted"
    case .unsupportedSource: "no preview"
    case .remote(let failure): failure.caption
    }
  }

  /// Whether the decoding process is to blame as much as the file, so that a fresh one may try once more.
  var crashedDecoder: Bool { self == .decoderCrashed || self == .invalidDecoderReply }

  /// What the failure is said of, and so for which requests it is remembered.
  var scope: Scope {
    switch self {
    case .interrupted: .request
    case .outOfMemory, .refused(.slotTooSmall), .refused(.outOfMemory), .refused(.badRequest): .size
    default: .file
    }
  }

  /// Whether the same request may end otherwise later.
  var persistence: Persistence {
    switch self {
    case .cannotOpen, .decoderUnavailable, .decodingStopped, .outOfMemory, .interrupted, .refused(.unreadable),
      .refused(.changed):
      .transient
    case .decoderCrashed, .decoderTimedOut, .invalidDecoderReply: .uncertain
    case .notAFile, .refused, .tooLarge, .unsupportedSource: .permanent
    case .remote(let failure): failure.isTransient ? .transient : .permanent
    }
  }

  /// What a failure is said of.
  enum Scope: Sendable {
    /// This request alone: the next one knows nothing of it.
    case request
    /// The file at this size: another size may succeed.
    case size
    /// The file in this version.
    case file
  }

  /// How long a failure holds.
  enum Persistence: Sendable {
    /// As long as the file is what it is.
    case permanent
    /// Nobody knows: the file's fault, or that of a machine that ends or starves processes.
    case uncertain
    /// As long as the system is short of something, or the file out of reach; the picture itself is not to blame.
    case transient
  }
}
