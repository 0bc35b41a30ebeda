import Geometry
import Rendering
import TestSupport

/// A line of type in a frame: which of some texts it is, and where it stands.
struct DrawnText: Hashable {
  var text: String
  var place: PixelRect
}

extension Stage {
  /// The lines of type in the last frame that are one of some texts in some style, in the order of drawing.
  func drawn(_ texts: [String], in style: TextStyle) -> [DrawnText] {
    let rasterizer = BlockTextRasterizer()
    let scale = display.info.scale
    var names: [UInt64: String] = [:]
    for text in texts {
      if let bitmap = rasterizer.bitmap(for: text, style: style, scale: scale) { names[bitmap.contentDigest] = text }
    }
    guard let frame = display.frames.last else { return [] }
    return frame.commands.compactMap { command in
      guard command.kind == .texture, let bitmap = display.bitmap(of: command.texture) else { return nil }
      return names[bitmap.contentDigest].map { DrawnText(text: $0, place: command.destination) }
    }
  }
}
