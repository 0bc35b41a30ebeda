import BenchmarkSupport
import Glibc

/// This program once more, in a process of its own: what one run leaves in memory is not the next one's.
enum OwnProgram {
  /// Runs it with arguments and returns what it wrote; nothing where it could not be run or failed.
  ///
  /// The C function is `realpath`.
  static func output(_ arguments: [String]) -> String? {
    guard let path = realpath("/proc/self/exe", nil) else { return nil }
    defer { free(path) }
    return ChildProgram.output([String(cString: path)] + arguments)
  }
}
