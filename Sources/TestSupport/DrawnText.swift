public import Geometry
public import Rendering

/// A line of type in a frame: which of some texts it is, and where it stands.
public struct DrawnText: Hashable {
  /// What it says.
  public var text: String
  /// Where it stands, in pixels.
  public var frame: PixelRect
  /// Its colour.
  public var color: Color
}

extension WindowHarness {
  /// The lines of type in the last frame that are one of some texts in some style, in the order of drawing.
  public func drawnTexts(_ texts: [String], in style: TextStyle) -> [DrawnText] {
    let rasterizer = BlockTextRasterizer()
    let scale = display.info.scale
    var names: [UInt64: String] = [:]
    for text in texts {
      if let bitmap = rasterizer.bitmap(for: text, style: style, scale: scale) { names[bitmap.contentDigest] = text }
    }
    guard let frame = display.frames.last else { return [] }
    return frame.commands.compactMap { command -> DrawnText? in
      guard command.kind == .texture, let bitmap = display.bitmap(of: command.texture),
        let text = names[bitmap.contentDigest]
      else { return nil }
      return DrawnText(text: text, frame: command.destination, color: command.color)
    }
  }
}
