import Foundation
import Geometry
import TestSupport

/// An X server of a test's own, in memory, whose screen lies in a file that can be looked at.
///
/// There is no window manager: windows stand where they are put, and keys go to the one under the pointer.
final class XServer {
  /// What it needs.
  static let isInstalled = BuiltProgram.has("Xvfb", "xdotool")

  /// The display's name, such as `:7`.
  let name: String
  private let process: ChildProcess
  private let folder: TemporaryFolder

  /// Starts a server on a number of its own choice.
  ///
  /// - Parameter sharesMemory: whether programs may hand it pixels in memory.
  init(width: Int = 1_000, height: Int = 800, sharesMemory: Bool = true) throws {
    let folder = try TemporaryFolder()
    let process = try ChildProcess(
      [
        "sh", "-c",
        "exec Xvfb -displayfd 3 -screen 0 \(width)x\(height)x24 -noreset -nolisten tcp -fbdir \"$1\" \"$2\" MIT-SHM"
          + " 3>\"$1/number\"",
        "sh", folder.path, sharesMemory ? "+extension" : "-extension",
      ].map { Array($0.utf8) }, environment: BuiltProgram.environment(home: folder.path))
    let number = try process.wait(for: "Xvfb's display number") {
      let text = (try? String(contentsOfFile: folder.path(of: "number"), encoding: .utf8)) ?? ""
      return text.hasSuffix("\n") ? Int(text.dropLast()) : nil
    }
    name = ":\(number)"
    self.process = process
    self.folder = folder
  }

  /// What is on the screen.
  func screen() throws -> Screen {
    try Screen(xwd: Data(contentsOf: URL(fileURLWithPath: folder.path(of: "Xvfb_screen0"))))
  }

  /// What the server does: a program that waits for it is not at rest.
  var look: ProcessLook { ProcessLook(number: process.number) }

  /// Ends the server at once, as a crash would.
  func crash() { process.signal(SIGKILL) }

  /// The window that a program shows; nothing while there is none.
  ///
  /// - Parameter title: what its title contains.
  func window(titled title: String = "Vitrine") throws -> String? {
    let end = try tool(["search", "--onlyvisible", "--name", title])
    return end.status == 0 ? end.text.split(separator: "\n").last.map(String.init) : nil
  }

  /// Where a window stands, in pixels.
  func frame(of window: String) throws -> PixelRect {
    let end = try tool(["getwindowgeometry", "--shell", window])
    var numbers: [Substring: Int32] = [:]
    for line in end.text.split(separator: "\n") {
      let pieces = line.split(separator: "=")
      if pieces.count == 2 { numbers[pieces[0]] = Int32(pieces[1]) }
    }
    guard let x = numbers["X"], let y = numbers["Y"], let width = numbers["WIDTH"], let height = numbers["HEIGHT"]
    else {
      throw WaitTimeoutError(what: "the geometry of a window: \(end)")
    }
    return PixelRect(x: x, y: y, width: width, height: height)
  }

  /// Lets xdotool do something.
  func xdotool(_ words: String...) throws { try xdotool(words) }

  /// Lets xdotool do something.
  func xdotool(_ words: [String]) throws {
    let end = try tool(words)
    guard end.status == 0 else { throw WaitTimeoutError(what: "xdotool \(words.joined(separator: " ")): \(end)") }
  }

  private func tool(_ words: [String]) throws -> ProcessEnd {
    var environment = BuiltProgram.environment(home: folder.path)
    environment["DISPLAY"] = name
    return try ChildProcess((["xdotool"] + words).map { Array($0.utf8) }, environment: environment)
      .waitForEnd()
  }
}
