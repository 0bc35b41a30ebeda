import Foundation
import Geometry
import TestSupport

/// A Wayland compositor in a window of an X server of a test's own: one output, and every program fills it.
///
/// Not without that window: Weston's backend for no screen has no seat, and SDL 2.26 ends where there is none.
final class Weston {
  /// What it needs.
  static let isInstalled = XServer.isInstalled && BuiltProgram.has("weston")

  /// The server that shows it.
  let server: XServer
  private let folder: TemporaryFolder
  private let process: ChildProcess
  private static let socket = "wayland-test"

  /// Starts a compositor and waits until it listens.
  ///
  /// - Parameter scale: how many pixels a point of its output has.
  init(width: Int = 640, height: Int = 480, scale: Int = 1) throws {
    let server = try XServer()
    let folder = try TemporaryFolder()
    // Weston refuses a folder that others may look into.
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
    var environment = BuiltProgram.environment(home: folder.path)
    environment["DISPLAY"] = server.name
    let words = [
      "weston", "--no-config", "--backend=x11-backend.so", "--use-pixman", "--shell=kiosk-shell.so", "--idle-time=0",
      "--socket=\(Weston.socket)", "--width=\(width)", "--height=\(height)", "--scale=\(scale)",
      "--log=\(folder.path(of: "log"))",
    ]
    let process = try ChildProcess(words.map { Array($0.utf8) }, environment: environment)
    let path = folder.path(of: Weston.socket)
    try process.wait(for: "Weston's socket") { FileManager.default.fileExists(atPath: path) ? () : nil }
    self.server = server
    self.folder = folder
    self.process = process
  }

  /// What a program needs to know to open a window here.
  var environment: [String: String] { ["WAYLAND_DISPLAY": Weston.socket, "XDG_RUNTIME_DIR": folder.path] }

  /// What the compositor does: a program that waits for it is not at rest.
  var look: ProcessLook { ProcessLook(number: process.number) }

  /// Ends the compositor at once, as a crash would.
  func crash() { process.signal(SIGKILL) }
}
