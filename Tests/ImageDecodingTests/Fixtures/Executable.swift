import Glibc
import Testing

/// Executables that the package builds beside the tests.
enum Executable {
  /// An executable's path: beside the tests, or above them.
  static func path(_ name: String) throws -> String {
    var path = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &path, path.count)
    var parts = String(decoding: path.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
      .split(separator: "/")
    while !parts.isEmpty {
      parts.removeLast()
      let candidate = "/" + (parts + [Substring(name)]).joined(separator: "/")
      if access(candidate, X_OK) == 0 { return candidate }
    }
    return try #require(nil, "\(name) was not built")
  }
}
