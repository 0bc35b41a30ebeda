import CVitrineXCB
import Foundation
import VitrineGeometry
import VitrineImageDecoding
import VitrineRendering
import VitrineTestSupport

/// An X server in memory, whose screen is a file that tests can read.
///
/// There is no window manager: windows stay at their requested positions, and keys go to the window under the pointer.
final class XServer {
  /// Whether the required tools are installed.
  static let isInstalled = BuiltProgram.isInstalled("Xvfb", "xdotool")

  /// The name of the display, such as `:7`.
  let name: String
  private let process: ChildProcess
  private let folder: TemporaryFolder

  /// Starts a server on a free display number.
  ///
  /// - Parameter sharesMemory: Whether clients may pass pixels in shared memory.
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

  /// Returns the pixels of the screen.
  func screen() throws -> Screen {
    try Screen(xwd: Data(contentsOf: URL(fileURLWithPath: folder.path(of: "Xvfb_screen0"))))
  }

  /// An inspector of the server, for error messages.
  var inspector: ProcessInspector { ProcessInspector(processID: process.id) }

  /// Waits until the server has answered a request, and so has handled those that it received before.
  func waitForAnswer() throws { try xdotool("getmouselocation") }

  /// Kills the server.
  func crash() { process.signal(SIGKILL) }

  /// Returns the ID of the visible window of a program, or nil if there is none.
  ///
  /// - Parameter title: A part of the window's title.
  func window(titled title: String = "Vitrine") throws -> String? {
    let result = try runXdotool(["search", "--onlyvisible", "--name", title])
    return result.status == 0 ? result.text.split(separator: "\n").last.map(String.init) : nil
  }

  /// Returns the title of a window, in one line.
  func title(of window: String) throws -> String {
    try String(runXdotool(["getwindowname", window]).text.dropLast())
  }

  /// Returns the frame of a window on the screen, in pixels.
  func frame(of window: String) throws -> PixelRect {
    let result = try runXdotool(["getwindowgeometry", "--shell", window])
    var numbers: [Substring: Int32] = [:]
    for line in result.text.split(separator: "\n") {
      let pieces = line.split(separator: "=")
      if pieces.count == 2 { numbers[pieces[0]] = Int32(pieces[1]) }
    }
    guard let x = numbers["X"], let y = numbers["Y"], let width = numbers["WIDTH"], let height = numbers["HEIGHT"]
    else {
      throw WaitTimeoutError(event: "the geometry of a window: \(result)")
    }
    return PixelRect(x: x, y: y, width: width, height: height)
  }

  /// Runs xdotool with the given arguments.
  func xdotool(_ arguments: String...) throws { try xdotool(arguments) }

  /// Runs xdotool with the given arguments.
  func xdotool(_ arguments: [String]) throws {
    let result = try runXdotool(arguments)
    guard result.status == 0 else {
      throw WaitTimeoutError(event: "xdotool \(arguments.joined(separator: " ")): \(result)")
    }
  }

  /// Sets the color profile of the screen as a desktop does, or removes it.
  func setColorProfile(_ profile: [UInt8]?) throws {
    let connection = xcb_connect(name, nil)
    defer { xcb_disconnect(connection) }
    let property = "_ICC_PROFILE"
    let cookie = xcb_intern_atom(connection, 0, UInt16(property.utf8.count), property)
    guard let setup = xcb_get_setup(connection), let screen = xcb_setup_roots_iterator(setup).data,
      let atom = xcb_intern_atom_reply(connection, cookie, nil)
    else { throw WaitTimeoutError(event: "a connection to \(name)") }
    defer { free(atom) }
    if let profile {
      let (type, mode) = (XCB_ATOM_CARDINAL.rawValue, UInt8(XCB_PROP_MODE_REPLACE.rawValue))
      xcb_change_property(
        connection, mode, screen.pointee.root, atom.pointee.atom, type, 8, UInt32(profile.count), profile)
    } else {
      xcb_delete_property(connection, screen.pointee.root, atom.pointee.atom)
    }
    // The answer follows the change.
    free(xcb_get_input_focus_reply(connection, xcb_get_input_focus(connection), nil))
  }

  private func runXdotool(_ arguments: [String]) throws -> ProcessResult {
    var environment = BuiltProgram.environment(home: folder.path)
    environment["DISPLAY"] = name
    return try ChildProcess((["xdotool"] + arguments).map { Array($0.utf8) }, environment: environment)
      .waitForExit()
  }
}

// MARK: - Wayland

/// A Wayland compositor in a window of an X server, with one output that every program fills.
///
/// The window is required: Weston's headless backend has no seat, and SDL 2.26 exits without one.
final class Weston {
  /// Whether the required tools are installed.
  static let isInstalled = XServer.isInstalled && BuiltProgram.isInstalled("weston")

  /// The X server that shows the compositor.
  let server: XServer
  private let folder: TemporaryFolder
  private let process: ChildProcess
  private static let socket = "wayland-test"

  /// Starts a compositor and waits until it listens.
  ///
  /// - Parameter scale: The number of pixels per point of the output.
  init(width: Int = 640, height: Int = 480, scale: Int = 1) throws {
    let server = try XServer()
    let folder = try TemporaryFolder()
    // Weston refuses a folder that other users can access.
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
    var environment = BuiltProgram.environment(home: folder.path)
    environment["DISPLAY"] = server.name
    let arguments = [
      "weston", "--no-config", "--backend=x11-backend.so", "--use-pixman", "--shell=kiosk-shell.so", "--idle-time=0",
      "--socket=\(Weston.socket)", "--width=\(width)", "--height=\(height)", "--scale=\(scale)",
      "--log=\(folder.path(of: "log"))",
    ]
    let process = try ChildProcess(arguments.map { Array($0.utf8) }, environment: environment)
    let path = folder.path(of: Weston.socket)
    try process.wait(for: "Weston's socket") { FileManager.default.fileExists(atPath: path) ? () : nil }
    self.server = server
    self.folder = folder
    self.process = process
  }

  /// The environment variables with which a program opens a window here.
  var environment: [String: String] { ["WAYLAND_DISPLAY": Weston.socket, "XDG_RUNTIME_DIR": folder.path] }

  /// An inspector of the compositor: a program that waits for the compositor is not idle.
  var inspector: ProcessInspector { ProcessInspector(processID: process.id) }

  /// Kills the compositor.
  func crash() { process.signal(SIGKILL) }
}

// MARK: - Pixels

/// The pixels of a screen, read from the server's file in `xwd` format.
struct Screen: Equatable {
  /// An error that is thrown if the file has another format.
  struct FormatError: Error {}

  /// The size in pixels.
  let width: Int
  let height: Int
  /// The whole file: 32-bit numbers, a colour table, then blue, green, red and an unused byte for each pixel.
  private let file: Data
  private let start: Int
  private let rowBytes: Int

  /// Reads the bytes of a file.
  init(xwd file: Data) throws {
    func number(_ index: Int) -> Int { (0..<4).reduce(0) { $0 << 8 | Int(file[index * 4 + $1]) } }
    guard file.count > 100, number(11) == 32, number(7) == 0 else { throw FormatError() }
    self.file = file
    (width, height) = (number(4), number(5))
    start = number(0) + number(19) * 12
    rowBytes = number(12)
    guard rowBytes >= width * 4, file.count >= start + rowBytes * height else { throw FormatError() }
  }

  /// Returns the colour of a pixel.
  func color(_ x: Int, _ y: Int) -> Color {
    let offset = start + y * rowBytes + x * 4
    return Color(red: file[offset + 2], green: file[offset + 1], blue: file[offset])
  }

  /// Returns the pixels of a row in a range of columns.
  func row(_ y: Int, from left: Int, to right: Int) -> Data {
    file[(start + y * rowBytes + left * 4)..<(start + y * rowBytes + right * 4)]
  }
}

/// A screenshot that the program wrote as PNG.
enum Screenshot {
  /// Reads a screenshot of the given size, in pixels.
  static func read(_ path: String, width: Int, height: Int) throws -> Bitmap {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    guard let size = PixelSize(width: width, height: height) else { throw CocoaError(.fileReadCorruptFile) }
    return try data.withUnsafeBytes {
      let (bitmap, image) = try ImageDecoder().bitmap($0, target: DecodingTarget(size: size))
      // An image of another size would be scaled, and would differ for that reason alone.
      guard image.sourceSize == size else { throw CocoaError(.fileReadCorruptFile) }
      return bitmap
    }
  }

  /// Returns the largest difference in any channel of two images, and the number of pixels that differ.
  static func difference(_ first: Bitmap, _ second: Bitmap) -> (largest: Int, pixels: Int) {
    first.withPixels { left in
      second.withPixels { right in
        var largest = 0
        var pixels = 0
        for pixel in stride(from: 0, to: min(left.count, right.count), by: 4) {
          let difference = (0..<3).reduce(0) { max($0, abs(Int(left[pixel + $1]) - Int(right[pixel + $1]))) }
          largest = max(largest, difference)
          pixels += difference > 0 ? 1 : 0
        }
        return (largest, pixels)
      }
    }
  }
}
