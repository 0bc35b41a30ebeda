import Glibc

/// Where the executable of the decoding process is.
enum DecoderExecutable {
  /// The executable's name.
  static let name = "vitrine-decode"

  /// Finds the executable: where the caller says; else beside this program, or up to three folders above it.
  ///
  /// Beside it is where builds and packages put it; a test bundle may be some folders below. No further up, and nowhere
  /// by the PATH: whoever may write there could have us run what he likes. The C functions are `readlink` and `access`.
  /// - Returns: the path's bytes.
  static func locate(explicit: String?) throws(DecodingProcessError) -> [UInt8] {
    if let explicit {
      let path = Array(explicit.utf8)
      guard isExecutable(path) else { throw .executableMissing }
      return path
    }
    var folder = pathOfThisProgram()
    for _ in 0...3 {
      guard let slash = folder.lastIndex(of: UInt8(ascii: "/")) else { break }
      folder = Array(folder[..<slash])
      let path = folder + [UInt8(ascii: "/")] + Array(name.utf8)
      if isExecutable(path) { return path }
    }
    throw .executableMissing
  }

  private static func pathOfThisProgram() -> [UInt8] {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    return buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
  }

  private static func isExecutable(_ path: [UInt8]) -> Bool {
    access(path.map { CChar(bitPattern: $0) } + [0], X_OK) == 0
  }
}
