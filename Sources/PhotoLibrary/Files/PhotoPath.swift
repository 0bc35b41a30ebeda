/// A file path as a sequence of bytes, which need not be valid text.
///
/// Two paths are equal if their bytes are equal. Names that look the same (é as one code point or as two) are different
/// files, and names that are not UTF-8 are allowed.
public struct PhotoPath: Hashable, Sendable {
  /// The bytes of the path, without a terminating zero, repeated slashes or a trailing slash.
  public let bytes: [UInt8]

  /// Creates a path from bytes.
  public init(_ bytes: some Sequence<UInt8>) {
    var normalized: [UInt8] = []
    normalized.reserveCapacity(bytes.underestimatedCount)
    for byte in bytes where byte != PhotoPath.slash || normalized.last != PhotoPath.slash { normalized.append(byte) }
    if normalized.count > 1, normalized.last == PhotoPath.slash { normalized.removeLast() }
    self.bytes = normalized
  }

  /// Creates a path from the UTF-8 bytes of a string, without Unicode normalization.
  public init(_ text: String) { self.init(text.utf8) }

  /// Creates a path from a C string.
  ///
  /// Use it for command line arguments: `CommandLine.arguments` replaces invalid UTF-8.
  public init(cString: UnsafePointer<CChar>) {
    var bytes: [UInt8] = []
    var next = cString
    while next.pointee != 0 {
      bytes.append(UInt8(bitPattern: next.pointee))
      next += 1
    }
    self.init(bytes)
  }

  /// Creates a path from normalized bytes.
  private init(normalized bytes: [UInt8]) { self.bytes = bytes }

  /// Returns the path of a file with the given name in this folder.
  public func appending(_ name: some Collection<UInt8>) -> PhotoPath {
    guard !bytes.isEmpty else { return PhotoPath(name) }
    var joined: [UInt8] = []
    joined.reserveCapacity(bytes.count + 1 + name.count)
    joined += bytes
    if joined.last != PhotoPath.slash { joined.append(PhotoPath.slash) }
    joined += name
    return PhotoPath(normalized: joined)
  }

  /// Returns the path of a file with the given name in this folder.
  public func appending(_ name: String) -> PhotoPath { appending(Array(name.utf8)) }

  /// The bytes after the last slash: the whole path if there is no slash, and empty for the root.
  public var lastComponent: ArraySlice<UInt8> {
    guard let slash = bytes.lastIndex(of: PhotoPath.slash) else { return bytes[...] }
    return bytes[(slash + 1)...]
  }

  /// The path of the containing folder: "." for a name without a slash, and the root for the root.
  public var parent: PhotoPath {
    guard let slash = bytes.lastIndex(of: PhotoPath.slash) else { return PhotoPath(".") }
    return PhotoPath(normalized: slash == 0 ? [PhotoPath.slash] : Array(bytes[..<slash]))
  }

  /// The folders that contain this one, from the outermost below the root of the file system.
  public var ancestors: [PhotoPath] {
    var ancestors: [PhotoPath] = []
    var folder = parent
    while folder.parent != folder {
      ancestors.append(folder)
      folder = folder.parent
    }
    return ancestors.reversed()
  }

  /// Returns whether this is the path of the given folder or of something inside it, judged by the bytes alone.
  public func isWithin(_ folder: PhotoPath) -> Bool {
    guard bytes.starts(with: folder.bytes) else { return false }
    return bytes.count == folder.bytes.count || folder.bytes.last == PhotoPath.slash
      || bytes[folder.bytes.count] == PhotoPath.slash
  }

  /// Returns the name of the entry of a folder that contains this path or is it.
  ///
  /// - Parameter folder: A folder that this path is within, other than itself.
  func component(behind folder: PhotoPath) -> [UInt8] {
    Array(bytes.dropFirst(folder.bytes.count).drop { $0 == PhotoPath.slash }.prefix { $0 != PhotoPath.slash })
  }

  /// The path without "." and ".." components, for a file or folder that exists.
  ///
  /// The file system resolves what precedes the last "..", as it may contain symbolic links. The rest keeps its links. A
  /// path whose part before ".." does not exist stays as it is. The C function is `realpath`.
  public var withoutDotComponents: PhotoPath {
    let components = bytes.split(separator: PhotoPath.slash)
    let dots = components.filter { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }
    guard !dots.isEmpty, self != PhotoPath(".") else { return self }
    var folder = isAbsolute ? PhotoPath("/") : PhotoPath("")
    var rest = components[...]
    if let last = components.lastIndex(where: { $0.elementsEqual("..".utf8) }) {
      for component in components[...last] { folder = folder.appending(component) }
      guard let resolved = SystemCalls.resolvedPath(folder) else { return self }
      folder = resolved
      rest = components[(last + 1)...]
    }
    for component in rest where !component.elementsEqual(".".utf8) { folder = folder.appending(component) }
    return folder.bytes.isEmpty ? PhotoPath(".") : folder
  }

  /// Whether the path is absolute.
  public var isAbsolute: Bool { bytes.first == PhotoPath.slash }

  /// Returns the absolute path, with a relative path resolved against the given folder.
  ///
  /// Removes "." components, but keeps "..", which may refer to a different folder after a symbolic link.
  public func absolute(from folder: PhotoPath) -> PhotoPath {
    let whole = isAbsolute ? self : folder.appending(bytes)
    var joined: [UInt8] = []
    for component in whole.bytes.split(separator: PhotoPath.slash) where !component.elementsEqual(".".utf8) {
      joined.append(PhotoPath.slash)
      joined += component
    }
    return PhotoPath(normalized: joined.isEmpty ? [PhotoPath.slash] : joined)
  }

  /// The absolute path, resolved against the working folder of the process.
  ///
  /// If there is no working folder any more, it is resolved against `/`. The C function is `getcwd`.
  public var absolute: PhotoPath {
    guard !isAbsolute, let folder = SystemCalls.workingFolder() else { return absolute(from: PhotoPath("/")) }
    return absolute(from: folder)
  }

  /// The absolute path under which a folder is stored between runs, or nil if it has none that is reliable: if it
  /// contains "..", or is relative to a working folder that was deleted.
  var stored: PhotoPath? {
    guard isAbsolute || SystemCalls.workingFolder() != nil else { return nil }
    let path = absolute
    let hasParent = path.bytes.split(separator: PhotoPath.slash).contains { $0.elementsEqual("..".utf8) }
    return hasParent ? nil : path
  }

  static let slash = UInt8(ascii: "/")
}

extension PhotoPath {
  /// The path in ASCII for reports and tables.
  ///
  /// Every byte except letters, digits, "-", ".", "_", "~" and "/" is encoded as %XX.
  public var escaped: String {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    for byte in bytes {
      if PhotoPath.isUnreserved(byte) { text.append(byte) } else { text += PhotoPath.percentEncoded(byte) }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Creates a path from its ``escaped`` form, or returns nil if a % is not followed by two hexadecimal digits.
  public init?(escaped: String) {
    var bytes: [UInt8] = []
    var rest = Array(escaped.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(PhotoPath.hexValue),
        let low = rest.popFirst().flatMap(PhotoPath.hexValue)
      else { return nil }
      bytes.append(high << 4 | low)
    }
    self.init(bytes)
  }

  /// The path for display on a terminal.
  ///
  /// Control characters, characters that change the text direction, and invalid UTF-8 are encoded as %XX.
  public var printable: String { PhotoPath.printable(bytes) }

  /// Returns the printable form of the bytes, with repeated slashes preserved.
  static func printable(_ bytes: [UInt8]) -> String {
    var text = ""
    var rest = bytes[...]
    while !rest.isEmpty {
      var decoder = UTF8()
      var iterator = rest.makeIterator()
      if case .scalarValue(let scalar) = decoder.decode(&iterator), !PhotoPath.isUnprintable(scalar) {
        text.unicodeScalars.append(scalar)
        rest = rest.dropFirst(UTF8.width(scalar))
      } else {
        text += String(decoding: PhotoPath.percentEncoded(rest[rest.startIndex]), as: UTF8.self)
        rest = rest.dropFirst()
      }
    }
    return text
  }

  /// The last component for display, decoded as UTF-8 with U+FFFD in place of invalid bytes.
  ///
  /// Do not compare or store it: two files may have the same label. Control characters are preserved.
  public var label: String { String(decoding: lastComponent, as: UTF8.self) }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"), slash:
      true
    default: false
    }
  }

  private static func isUnprintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  private static func percentEncoded(_ byte: UInt8) -> [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    return [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
  }

  private static func hexValue(_ byte: UInt8) -> UInt8? {
    Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) }
  }
}
