import Geometry

/// A command that shows, with the clip that was in force: what it paints does not depend on other commands.
struct DrawnItem: BitwiseCopyable {
  /// A fill or a texture.
  let command: DrawCommand
  /// The clip, within the output.
  let clip: PixelRect
  /// The pixels that it covers; never empty.
  let visible: PixelRect

  /// Makes an item, or nothing where the command shows nothing.
  init?(_ command: DrawCommand, clip: PixelRect) {
    let visible = clip.intersection(command.destination)
    guard !visible.isEmpty else { return nil }
    self.command = command
    self.clip = clip
    self.visible = visible
  }

  /// Whether each pixel looks the same, wherever it lies in the destination.
  var isUniform: Bool { command.kind == .fill }

  /// Whether the texture is not copied pixel for pixel.
  ///
  /// How such a copy looks may depend on where it is cut: painters smooth, and round what they cut to whole pixels.
  var isStretched: Bool {
    command.kind == .texture
      && (command.source.width != command.destination.width || command.source.height != command.destination.height)
  }

  /// Whether another item paints the same, apart from where.
  @inline(__always)
  func looksLike(_ other: DrawnItem) -> Bool {
    command.texture == other.command.texture && command.color == other.command.color
      && command.destination.width == other.command.destination.width
      && command.destination.height == other.command.destination.height && command.kind == other.command.kind
      && command.isBlended == other.command.isBlended && command.source == other.command.source
  }

  /// Whether another item paints the same pixels in the same way: how a copy is cut shows in what it covers.
  @inline(__always)
  func isSame(as other: DrawnItem) -> Bool {
    command.destination.x == other.command.destination.x && command.destination.y == other.command.destination.y
      && looksLike(other) && visible == other.visible
  }

  /// Whether another item shows another picture in this one's place, or where that has moved to.
  @inline(__always)
  func isReplaced(by other: DrawnItem, movedByX x: Int32, y: Int32) -> Bool {
    command.kind == .texture && other.command.kind == .texture && command.texture != other.command.texture
      && command.destination.x &+ x == other.command.destination.x
      && command.destination.y &+ y == other.command.destination.y
  }
}
