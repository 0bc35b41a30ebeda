/// A path as the bytes that the file system knows, which need not be text.
///
/// Two paths are equal when their bytes are: names that look alike (é in one code point or in two) are two files, and
/// names that are not UTF-8 are names like any other.
public struct PhotoPath: Hashable, Sendable {
  /// The path's bytes, without a terminating zero, without repeated slashes or one at the end.
  public let bytes: [UInt8]

  /// Makes a path from bytes.
  public init(_ bytes: some Sequence<UInt8>) {
    var tidy: [UInt8] = []
    tidy.reserveCapacity(bytes.underestimatedCount)
    for byte in bytes where byte != PhotoPath.slash || tidy.last != PhotoPath.slash { tidy.append(byte) }
    if tidy.count > 1, tidy.last == PhotoPath.slash { tidy.removeLast() }
    self.bytes = tidy
  }

  /// Makes a path from text, as UTF-8 and not normalised.
  public init(_ text: String) { self.init(text.utf8) }

  /// Makes a path from a C string, such as an argument of the command line, whose bytes `CommandLine.arguments` repairs.
  public init(cString: UnsafePointer<CChar>) {
    var bytes: [UInt8] = []
    var next = cString
    while next.pointee != 0 {
      bytes.append(UInt8(bitPattern: next.pointee))
      next += 1
    }
    self.init(bytes)
  }

  /// Joins bytes that are known to be tidy.
  private init(normalized bytes: [UInt8]) { self.bytes = bytes }

  /// The path of a name in this folder.
  public func appending(_ name: some Collection<UInt8>) -> PhotoPath {
    guard !bytes.isEmpty else { return PhotoPath(name) }
    var joined: [UInt8] = []
    joined.reserveCapacity(bytes.count + 1 + name.count)
    joined += bytes
    if joined.last != PhotoPath.slash { joined.append(PhotoPath.slash) }
    joined += name
    return PhotoPath(normalized: joined)
  }

  /// The path of a name in this folder, from text.
  public func appending(_ name: String) -> PhotoPath { appending(Array(name.utf8)) }

  /// What stands after the last slash; the whole path where there is none, and nothing for the root.
  public var lastComponent: ArraySlice<UInt8> {
    guard let slash = bytes.lastIndex(of: PhotoPath.slash) else { return bytes[...] }
    return bytes[(slash + 1)...]
  }

  /// The folder that holds it: "." for a bare name, the root for the root.
  public var parent: PhotoPath {
    guard let slash = bytes.lastIndex(of: PhotoPath.slash) else { return PhotoPath(".") }
    return PhotoPath(normalized: slash == 0 ? [PhotoPath.slash] : Array(bytes[..<slash]))
  }

  /// Whether it is a folder's path or one of something within, by their bytes alone.
  public func isWithin(_ folder: PhotoPath) -> Bool {
    guard bytes.starts(with: folder.bytes) else { return false }
    return bytes.count == folder.bytes.count || folder.bytes.last == PhotoPath.slash
      || bytes[folder.bytes.count] == PhotoPath.slash
  }

  /// Whether it starts at the root.
  public var isAbsolute: Bool { bytes.first == PhotoPath.slash }

  /// The path from the root, given the folder that a relative one starts from.
  ///
  /// Takes out "." but leaves ".." in, which means another folder where links lead.
  public func absolute(from folder: PhotoPath) -> PhotoPath {
    let whole = isAbsolute ? self : folder.appending(bytes)
    var joined: [UInt8] = []
    for component in whole.bytes.split(separator: PhotoPath.slash) where !component.elementsEqual(".".utf8) {
      joined.append(PhotoPath.slash)
      joined += component
    }
    return PhotoPath(normalized: joined.isEmpty ? [PhotoPath.slash] : joined)
  }

  /// The path from the root, from the process's working folder.
  ///
  /// The C function is `getcwd`.
  public var absolute: PhotoPath {
    guard !isAbsolute, let folder = SystemCalls.workingFolder() else { return absolute(from: PhotoPath("/")) }
    return absolute(from: folder)
  }

  static let slash = UInt8(ascii: "/")
}
