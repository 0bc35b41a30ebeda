/// A path that a user gave and that no library can be made of.
public struct LibraryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Why.
  public enum Reason: Hashable, Sendable {
    /// Nothing stands there.
    case absent
    /// The user's rights do not suffice.
    case denied
    /// A file that is no picture.
    case notAPicture
    /// The system failed otherwise.
    case system(FileError)
  }

  /// The path.
  public var path: PhotoPath
  /// Why.
  public var reason: Reason

  /// Makes an error.
  public init(path: PhotoPath, reason: Reason) {
    self.path = path
    self.reason = reason
  }

  /// One line that names the path and says what is wrong.
  public var description: String {
    switch reason {
    case .absent where path.bytes.isEmpty: "\"\": an empty path; give a folder or a picture that exists"
    case .absent: "\(path.printable): no such file or folder; give a folder or a picture that exists"
    case .denied: "\(path.printable): no permission to read it; give a folder or a picture that you may read"
    case .notAPicture: "\(path.printable): neither a folder nor a picture"
    case .system(let error): "\(path.printable): \(error)"
    }
  }
}
