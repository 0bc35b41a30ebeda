import Glibc
import Hosting

/// An example that the gallery can be replaced by: a program of its own, beside this one.
enum DemoProgram: String, CaseIterable {
  /// The destinations of the talk, and the steps that lead to them.
  case destinations
  /// The emoji of the tutorial, with ratings that take their time.
  case emoji
  /// Regions that open, close, and are put elsewhere.
  case outline

  /// The example that a command line asks for; nothing where it asks for none.
  ///
  /// - Returns: the example, and what it is to be told.
  /// - Throws: `UsageError` where it is not known.
  static func requestedDemo(in arguments: [[UInt8]]) throws(UsageError) -> (demo: DemoProgram, arguments: [[UInt8]])? {
    guard let (settings, rest) = try GalleryOptions.table.extractOption("--demo", arguments, into: GalleryOptions()),
      let demo = settings.demo
    else { return nil }
    return (demo, rest)
  }

  /// The example's executable.
  var executableName: String { "vitrine-\(rawValue)" }

  /// Makes this process the example's; the C functions are `readlink` and `execv`.
  ///
  /// No thread but the first may have been started. Signals that are blocked stay so, as the example wants them.
  ///
  /// - Parameter arguments: what the example is told.
  /// - Returns: why it could not be; otherwise never.
  func replaceProcess(_ arguments: [[UInt8]]) -> UsageError {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    guard count > 0 else {
      return UsageError("--demo \(rawValue): where this program is cannot be told: \(String(cString: strerror(errno)))")
    }
    let own = buffer.prefix(count).map { UInt8(bitPattern: $0) }
    let folder = own[...(own.lastIndex(of: UInt8(ascii: "/")) ?? own.startIndex)]
    let path = Array(folder) + Array(executableName.utf8)
    let words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { word in
      strdup(word.map { CChar(bitPattern: $0) } + [0])
    }
    defer { for word in words { free(word) } }
    execv(path.map { CChar(bitPattern: $0) } + [0], words + [nil])
    let code = errno
    let accepted = DemoProgram.allCases.map(\.rawValue).joined(separator: ", ")
    let reason =
      code == ENOENT
      ? "\(executableName) is not beside this program; build it with scripts/run, or swift build --product \(executableName)"
      : "\(executableName) cannot be started: \(String(cString: strerror(code)))"
    return UsageError("--demo \(rawValue): \(reason); accepted are \(accepted)")
  }
}
