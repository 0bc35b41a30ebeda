import DataStructures
import Geometry

/// What a frame showed, back to front, in a buffer that is kept from frame to frame.
final class DrawnFrame {
  private let buffer = TrivialBuffer<DrawnItem>(capacity: 256)
  /// The items that showed, until the frame is next changed.
  var items: UnsafeBufferPointer<DrawnItem> { UnsafeBufferPointer(buffer.elements) }
  /// The colour behind them.
  private(set) var background = Color.black
  /// The extent in pixels; empty before the first frame.
  private(set) var output = PixelRect.zero
  /// Whether a texture is not copied pixel for pixel.
  private(set) var hasStretchedItems = false

  /// Takes another frame.
  /// - Complexity: O(commands).
  func setContents(_ list: DisplayList, background: Color, output: PixelRect) {
    buffer.removeAll()
    self.background = background
    self.output = output
    var clip = output
    var isStretched = false
    for command in list.commands {
      switch command.kind {
      case .clip: clip = output.intersection(command.destination)
      case .endClip: clip = output
      case .fill, .texture:
        guard let item = DrawnItem(command, clip: clip) else { continue }
        if item.isStretched { isStretched = true }
        buffer.append(item)
      }
    }
    hasStretchedItems = isStretched
  }

  /// Forgets the frame.
  func removeAll() {
    buffer.removeAll()
    output = .zero
  }

  /// Whether another frame has the same pixels for certain.
  /// - Complexity: O(items), less where they differ early.
  func isSame(as other: DrawnFrame) -> Bool {
    let (mine, theirs) = (items, other.items)
    guard mine.count == theirs.count else { return false }
    for place in 0..<mine.count where !mine[place].isSame(as: theirs[place]) { return false }
    return true
  }
}
