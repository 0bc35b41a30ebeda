import Foundation
import Testing

/// A library that counts a run's calls into SDL, FreeType and SDL2_image from within, and can let one of SDL's fail.
struct DoorShim {
  /// How often a function was called.
  struct Calls: Equatable {
    /// On the thread that draws.
    var drawing = 0
    /// On all others.
    var others = 0
  }

  private static let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "scripts/observe.d/door_shim.c").path
  private let folder: TemporaryFolder

  /// Whether a compiler is installed.
  static var isBuildable: Bool { BuiltProgram.has("gcc") }

  /// Compiles the library.
  init() throws {
    folder = try TemporaryFolder()
    let end = try ChildProcess(
      [
        "gcc", "-O1", "-Wall", "-Werror", "-shared", "-fPIC", "-o", folder.path(of: "shim.so"), DoorShim.source, "-ldl",
      ].map { Array($0.utf8) }, environment: BuiltProgram.environment(home: folder.path)
    ).waitForEnd(within: .seconds(120))
    try #require(end.status == 0, "\(end)")
  }

  /// Runs the program to its end.
  ///
  /// - Parameter failure: a function and its first call that fails, such as `SDL_RenderCopy:200`; none by default.
  /// - Returns: how it ended, and its calls by the function's name.
  func end(
    _ options: [String], on pictures: TemporaryFolder? = nil, display: XServer? = nil, failure: String? = nil
  ) throws -> (end: ProcessEnd, calls: [String: Calls]) {
    var settings = ["LD_PRELOAD": folder.path(of: "shim.so"), "VITRINE_DOOR_LOG": folder.path(of: "log")]
    settings["VITRINE_DOOR_FAIL"] = failure
    let end = try VitrineRun(options, on: pictures, display: display, settings: settings).end()
    var calls: [String: Calls] = [:]
    let log = try String(contentsOfFile: folder.path(of: "log"), encoding: .utf8)
    for line in log.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count == 3, let drawing = Int(words[1]), let others = Int(words[2]) else { continue }
      calls[String(words[0])] = Calls(drawing: drawing, others: others)
    }
    return (end, calls)
  }
}
