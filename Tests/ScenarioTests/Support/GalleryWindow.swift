import Geometry
import Glibc
import Rendering

/// The gallery in a window of an X server of its own, on photographs of one colour each.
final class GalleryWindow {
  /// The bar above the photographs, in points; the scale is 1.
  static let barHeight = 48
  /// The caption under each.
  static let captionHeight = 28

  /// The server.
  let server: XServer
  /// The program.
  let run: VitrineRun
  /// The photographs' folder.
  let folder: TemporaryFolder
  /// The window's number.
  let window: String

  /// Opens the gallery and waits until it has shown itself and come to rest.
  ///
  /// - Parameters:
  ///   - options: of the command line.
  ///   - server: where it is shown; on one of its own unless told.
  ///   - name: what a photograph's file is called before its ending, by its number.
  init(_ options: [String], on server: XServer? = nil, name: (Int) -> String = { "\($0)" }) throws {
    let folder = try TemporaryFolder()
    let maker = try PictureMaker()
    for number in 0..<ShownItems.count {
      try folder.write(maker.jpeg(ShownItems.color(of: number)), to: "\(name(number)).jpg")
    }
    let server = try server ?? XServer()
    let run = try VitrineRun(["--no-cache", "--report", "-"] + options, on: folder, display: server)
    window = try run.process.wait(for: "the window") { try server.window() }
    _ = try run.waitForRest()
    self.folder = folder
    self.server = server
    self.run = run
    let frame = try server.frame(of: window)
    try server.xdotool("mousemove", "\(frame.x + frame.width / 2)", "\(frame.y + frame.height / 2)")
    _ = try run.waitForRest()
  }

  /// What is seen now.
  func look() throws -> (screen: Screen, frame: PixelRect, items: ShownItems) {
    let frame = try server.frame(of: window)
    let screen = try server.screen()
    return (screen, frame, ShownItems(screen, in: frame))
  }

  /// Waits until the scroll indicator has gone, which stands still for a second after content moved.
  func waitForFading() throws { _ = try run.waitForRest(still: .milliseconds(1_200)) }

  /// Lets a hand do something, waits until it shows and the window has come to rest again.
  func act(_ words: String...) throws { try act(words) }

  /// Lets a hand do something, waits until it shows and the window has come to rest again.
  func act(_ words: [String]) throws {
    let before = try server.screen()
    try server.xdotool(words)
    _ = try run.process.wait(for: "an effect of \(words)") { try server.screen() == before ? nil : () }
    _ = try run.waitForRest()
  }
}
