import Testing
import VitrineGeometry
import VitrineRendering
import VitrineSDLBackend

/// The suites that start SDL, serialized because a process has one display at a time.
@Suite("SDL", .serialized)
struct SDLTests {}

/// Opens a headless display, calls a closure with it, and closes it.
///
/// Default renderer: painting in memory.
func withDisplay(
  _ width: Double = 32, _ height: Double = 24, _ renderer: RendererPreference = .memory,
  _ body: (SDLDisplay) throws -> Void
) throws {
  let size = Size(width: width, height: height)
  let display = try SDLDisplay(
    configuration: SDLDisplayConfiguration(title: "Tests", size: size, isHeadless: true, renderer: renderer))
  defer { display.close() }
  try body(display)
}

extension SDLDisplay {
  /// Draws commands over a background color and reads the pixels.
  func painted(_ commands: [DrawCommand], background: Color = .black) throws -> Bitmap {
    let list = DisplayList()
    commands.forEach(list.append)
    draw(list, background: background)
    return try readPixels()
  }
}
