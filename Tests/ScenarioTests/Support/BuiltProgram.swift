import Foundation

/// The programs that were built beside these tests, and the tools around them.
enum BuiltProgram {
  /// The gallery.
  static let path = beside("vitrine")
  /// The benchmarks.
  static let benchmarks = beside("Benchmarks")

  /// A program that was built beside these tests.
  private static func beside(_ name: String) -> String {
    let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return tests.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/") + "/" + name
  }

  /// A tool on the PATH; nothing where it is not installed.
  static func tool(_ name: String) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    return folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Whether all of these are installed.
  static func has(_ tools: String...) -> Bool { tools.allSatisfy { tool($0) != nil } }

  /// What every process of a test sees of the environment: no display, no settings of the user's.
  static func environment(home: String) -> [String: String] {
    var environment = ["HOME": home, "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin", "XDG_RUNTIME_DIR": home]
    for name in ["PATH", "LD_LIBRARY_PATH"] {
      if let value = ProcessInfo.processInfo.environment[name] { environment[name] = value }
    }
    return environment
  }

  /// The folder that may stand beside the package, with pictures of many kinds and a table of them.
  static var corpus: URL? {
    var package = URL(fileURLWithPath: #filePath)
    for _ in 0..<4 { package.deleteLastPathComponent() }
    let images = package.deletingLastPathComponent().appending(path: "shared/images")
    return FileManager.default.fileExists(atPath: images.appending(path: "MANIFEST.tsv").path) ? images : nil
  }
}
