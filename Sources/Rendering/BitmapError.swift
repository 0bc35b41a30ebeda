/// A bitmap could not be made.
public enum BitmapError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The system has not that much memory.
  case outOfMemory(bytes: Int)

  /// What happened.
  public var description: String {
    switch self {
    case .outOfMemory(let bytes): "out of memory: a picture needs \(bytes) bytes"
    }
  }
}
