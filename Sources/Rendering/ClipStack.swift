package import VitrineDataStructures
package import VitrineGeometry

/// The clip rectangle in force while the commands of a list are drawn, and those that enclose it.
package struct ClipStack {
  private let outer: TrivialBuffer<PixelRect>
  /// The rectangle that commands are drawn within.
  package private(set) var current: PixelRect

  /// Creates a stack without clips.
  ///
  /// - Parameters:
  ///   - whole: The rectangle within which everything is drawn.
  ///   - buffer: A buffer to reuse, so that drawing allocates nothing.
  package init(within whole: PixelRect, reusing buffer: TrivialBuffer<PixelRect>) {
    buffer.removeAll()
    outer = buffer
    current = whole
  }

  /// Clips to a rectangle within the current one.
  package mutating func push(_ rect: PixelRect) {
    outer.append(current)
    current = current.intersection(rect)
  }

  /// Ends the last clip; does nothing if there is none.
  package mutating func pop() {
    guard outer.count > 0 else { return }
    current = outer[outer.count - 1]
    outer.truncate(to: outer.count - 1)
  }
}

// MARK: - Layers

/// The shape and opacity of a layer.
///
/// The pixels behind a layer are kept when it begins; its commands are then drawn over them as any others. When it ends,
/// each pixel becomes a mixture of what it was before and what it is now. For opaque pixels this equals drawing the layer
/// apart and blending it.
package struct LayerMask: BitwiseCopyable {
  /// The rectangle of the layer in pixels.
  package let rect: PixelRect
  /// The opacity, 0 to 255.
  package let opacity: UInt8
  /// The corner radius in pixels.
  package let radius: Int32

  /// The maximum number of nested layers; deeper ones are drawn as if they were none.
  package static let maximumDepth = 8

  /// Creates the mask of a command that begins or ends a layer.
  package init(_ command: DrawCommand) {
    rect = command.destination
    opacity = command.color.alpha
    radius = max(0, min(command.source.width, min(rect.width, rect.height) / 2))
  }

  /// Returns the coverage of a pixel, 0 to 255, by its column and row from the outer corner of a rounded corner.
  package static func coverage(column: Int32, row: Int32, radius: Int32) -> UInt8 {
    let across = Double(radius - column) - 0.5
    let down = Double(radius - row) - 0.5
    let inside = Double(radius) - (across * across + down * down).squareRoot() + 0.5
    return UInt8((max(0, min(1, inside)) * 255).rounded())
  }

  /// Returns the weight of the layer in a pixel, 0 to 255.
  package func weight(x: Int32, y: Int32) -> Int {
    let column = min(x &- rect.x, rect.maxX &- 1 &- x)
    let row = min(y &- rect.y, rect.maxY &- 1 &- y)
    guard column < radius, row < radius else { return Int(opacity) }
    return (Int(LayerMask.coverage(column: column, row: row, radius: radius)) * Int(opacity) + 127) / 255
  }

  /// The number of the rectangles in which pixels are mixed: the four corners of an opaque layer, otherwise one.
  package var regionCount: Int { opacity == 255 ? (radius > 0 ? 4 : 0) : 1 }

  /// Returns a rectangle in which pixels are mixed.
  package func region(_ index: Int) -> PixelRect {
    guard opacity == 255 else { return rect }
    return PixelRect(
      x: index & 1 == 0 ? rect.x : rect.maxX &- radius, y: index & 2 == 0 ? rect.y : rect.maxY &- radius,
      width: radius, height: radius)
  }
}
