import VitrineGeometry
import VitrineRendering
import VitrineSDLBackend
import Testing

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

/// Creates a bitmap whose pixels a closure returns by column and row.
func bitmap(_ width: Int, _ height: Int, isOpaque: Bool = true, _ pixel: (Int, Int) -> Color) throws -> Bitmap {
  let size = try #require(PixelSize(width: width, height: height))
  return try Bitmap(size: size, isOpaque: isOpaque) { memory in
    let words = memory.bindMemory(to: UInt32.self)
    for y in 0..<height {
      for x in 0..<width { words[y * width + x] = pixel(x, y).packed }
    }
  }
}

/// Creates a bitmap of one color.
func plain(_ width: Int, _ height: Int, _ color: Color) throws -> Bitmap {
  try bitmap(width, height, isOpaque: color.alpha == 255) { _, _ in color }
}

extension Bitmap {
  /// Returns the pixel at a column and row.
  func color(_ x: Int, _ y: Int) -> Color {
    withPixels { Color(packed: $0.bindMemory(to: UInt32.self)[y * size.width + x]) }
  }

  /// Returns the largest difference of any channel of any pixel to a bitmap of the same size.
  func largestDifference(to other: Bitmap) -> Int {
    withPixels { mine in
      other.withPixels { theirs in
        zip(mine, theirs).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
      }
    }
  }
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

extension DrawCommand {
  /// Creates a copy from a part of a texture to a part of the display.
  static func copy(
    _ texture: TextureID, from source: PixelRect, to destination: PixelRect, tint: Color = .white,
    isBlended: Bool = false
  ) -> DrawCommand {
    DrawCommand(
      kind: .texture, isBlended: isBlended, texture: texture, color: tint, destination: destination, source: source)
  }
}

extension PixelRect {
  /// Creates a rectangle with the given origin and size.
  static func at(_ x: Int32, _ y: Int32, _ width: Int32, _ height: Int32) -> PixelRect {
    PixelRect(x: x, y: y, width: width, height: height)
  }
}
