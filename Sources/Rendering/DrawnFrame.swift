import VitrineDataStructures
import VitrineGeometry

/// The visible items of a frame, back to front, in a buffer that is reused from frame to frame.
final class DrawnFrame {
  private let buffer = TrivialBuffer<DrawnItem>(capacity: 256)
  private let clips = TrivialBuffer<PixelRect>(capacity: 8)
  /// The visible items.
  ///
  /// The buffer is valid until the frame is changed.
  var items: UnsafeBufferPointer<DrawnItem> { UnsafeBufferPointer(buffer.elements) }
  /// The background colour.
  private(set) var background = Color.black
  /// The extent of the output in pixels, empty before the first frame.
  private(set) var output = PixelRect.zero
  /// Whether the frame has a texture that is not copied pixel for pixel.
  private(set) var hasStretchedItems = false

  /// Replaces the contents by those of another frame.
  /// - Complexity: O(commands).
  func setContents(_ list: DisplayList, background: Color, output: PixelRect) {
    buffer.removeAll()
    self.background = background
    self.output = output
    var clip = ClipStack(within: output, reusing: clips)
    var isStretched = false
    var depth = 0
    // The clip of a layer moves with its content, so it is not the region in which that moves.
    var region = output
    for command in list.commands {
      switch command.kind {
      case .clip: clip.push(command.destination)
      case .endClip: clip.pop()
      case .fill, .texture:
        guard let item = DrawnItem(command, clip: clip.current, region: depth > 0 ? region : clip.current) else {
          continue
        }
        if item.isStretched { isStretched = true }
        buffer.append(item)
      case .beginLayer:
        if depth == 0 { region = clip.current }
        depth += 1
        if let item = DrawnItem(command, clip: clip.current, region: region) { buffer.append(item) }
        clip.push(command.destination)
      case .endLayer:
        guard depth > 0 else { continue }
        clip.pop()
        if let item = DrawnItem(command, clip: clip.current, region: region) { buffer.append(item) }
        depth -= 1
      }
    }
    hasStretchedItems = isStretched
  }

  /// Removes the contents.
  func removeAll() {
    buffer.removeAll()
    output = .zero
  }

  /// Whether another frame certainly has the same pixels.
  /// - Complexity: O(items), less if the frames differ early.
  func isSame(as other: DrawnFrame) -> Bool {
    let (mine, theirs) = (items, other.items)
    guard mine.count == theirs.count else { return false }
    for index in 0..<mine.count where !mine[index].isSame(as: theirs[index]) { return false }
    return true
  }
}

/// A visible drawing command with the clip in force, so that its pixels do not depend on other commands.
struct DrawnItem: BitwiseCopyable {
  /// The command: a fill, a texture, or the begin or end of a layer.
  let command: DrawCommand
  /// The clip rectangle outside of layers, within the output.
  let clip: PixelRect
  /// The pixels that the item covers, never empty.
  let visible: PixelRect

  /// Creates an item, or returns nil if the command is not visible.
  init?(_ command: DrawCommand, clip: PixelRect, region: PixelRect) {
    let visible = clip.intersection(command.destination)
    guard !visible.isEmpty else { return nil }
    self.command = command
    self.clip = region
    self.visible = visible
  }

  /// Whether all pixels of the destination look the same.
  var isUniform: Bool { command.kind == .fill }

  /// Whether the texture is not copied pixel for pixel.
  ///
  /// The look of such a copy may depend on how it is clipped: painters smooth it, and round what they clip to whole
  /// pixels.
  var isStretched: Bool {
    command.kind == .texture
      && (command.source.width != command.destination.width || command.source.height != command.destination.height)
  }

  /// Whether another item looks the same, regardless of position and clip.
  @inline(__always)
  func looksLike(_ other: DrawnItem) -> Bool {
    command.texture == other.command.texture && command.color == other.command.color
      && command.destination.width == other.command.destination.width
      && command.destination.height == other.command.destination.height && command.kind == other.command.kind
      && command.isBlended == other.command.isBlended && command.showsPixels == other.command.showsPixels
      && command.source == other.command.source
  }

  /// Whether another item paints the same pixels in the same way, with the same visible part.
  @inline(__always)
  func isSame(as other: DrawnItem) -> Bool {
    command.destination.x == other.command.destination.x && command.destination.y == other.command.destination.y
      && looksLike(other) && visible == other.visible
  }

  /// Whether another item shows a different texture at this item's translated position.
  @inline(__always)
  func isReplaced(by other: DrawnItem, movedByX x: Int32, y: Int32) -> Bool {
    command.kind == .texture && other.command.kind == .texture && command.texture != other.command.texture
      && command.destination.x &+ x == other.command.destination.x
      && command.destination.y &+ y == other.command.destination.y
  }
}
