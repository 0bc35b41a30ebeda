/// A path that a user gave and that no library can be made of.
public struct LibraryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Why.
  public enum Reason: Hashable, Sendable {
    /// Nothing stands there.
    case notFound
    /// The user's rights do not suffice.
    case permissionDenied
    /// A file that is no picture.
    case notAPicture
    /// The system failed otherwise.
    case system(FileError)
  }

  /// The path's bytes as the user gave them.
  public var input: [UInt8]
  /// Why.
  public var reason: Reason

  /// Makes an error.
  public init(input: [UInt8], reason: Reason) {
    self.input = input
    self.reason = reason
  }

  /// One line that names the path and says what is wrong.
  public var description: String {
    let name = PhotoPath.printable(input)
    return switch reason {
    case .notFound where input.isEmpty: "\"\": an empty path; give a folder or a picture that exists"
    case .notFound where isAddress: "\(name): no such file or folder; addresses that are opened are http and https"
    case .notFound: "\(name): no such file or folder; give a folder or a picture that exists"
    case .permissionDenied: "\(name): no permission to read it; give a folder or a picture that you may read"
    case .notAPicture: "\(name): neither a folder nor a picture"
    case .system(let error): "\(name): \(error)"
    }
  }

  /// Whether it begins as an address does, such as `http://` (RFC 3986, section 3.1).
  private var isAddress: Bool {
    let scheme = input.prefix { $0 != UInt8(ascii: ":") }
    guard input.dropFirst(scheme.count).starts(with: "://".utf8), let first = scheme.first else { return false }
    func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }
    return isLetter(first)
      && scheme.allSatisfy {
        isLetter($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || "+-.".utf8.contains($0)
      }
  }
}
