public import Geometry

/// What a frame draws, back to front, in a buffer that is kept from frame to frame.
///
/// Commands are trivial, so appending and translating neither retain nor, once the buffer has grown to a frame's size,
/// allocate.
public final class DisplayList {
  private var buffer: UnsafeMutablePointer<DrawCommand>
  private var capacity: Int
  /// Private, so that the compiler sees every access and checks none of them at run time.
  private var length = 0

  /// The number of commands.
  public var count: Int { length }

  /// Makes an empty list.
  public init(capacity: Int = 256) {
    self.capacity = max(capacity, 16)
    buffer = .allocate(capacity: self.capacity)
  }

  deinit { buffer.deallocate() }

  /// The commands, back to front, until the list is next changed.
  public var commands: UnsafeBufferPointer<DrawCommand> { UnsafeBufferPointer(start: buffer, count: length) }

  /// Forgets the commands and keeps the buffer.
  public func removeAll() { length = 0 }

  /// Adds a command in front of all others.
  /// - Complexity: O(1), amortised.
  public func append(_ command: DrawCommand) {
    if length == capacity { grow(to: length + 1) }
    buffer[length] = command
    length += 1
  }

  /// Adds another list's commands, moved by a number of pixels.
  /// - Complexity: O(commands of the other list).
  public func append(_ other: DisplayList, movedByX x: Int32, y: Int32) {
    let added = other.length
    if length + added > capacity { grow(to: length + added) }
    let target = buffer + length
    target.update(from: other.buffer, count: added)
    for index in 0..<added {
      target[index].destination.x &+= x
      target[index].destination.y &+= y
    }
    length += added
  }

  /// Adds another list's commands, moved by a number of pixels, with an opacity of 0 to 255.
  /// - Complexity: O(commands of the other list).
  public func append(_ other: DisplayList, movedByX x: Int32, y: Int32, opacity: UInt8) {
    let first = length
    append(other, movedByX: x, y: y)
    guard opacity < 255 else { return }
    for index in first..<length where buffer[index].kind == .fill || buffer[index].kind == .texture {
      buffer[index].color.alpha = UInt8((UInt16(buffer[index].color.alpha) * UInt16(opacity) + 127) / 255)
      buffer[index].isBlended = true
    }
  }

  /// Makes the commands from an index on larger or smaller about a point in pixels; edges stay on whole pixels, and
  /// neighbours stay neighbours.
  /// - Complexity: O(commands from there on).
  public func scale(from first: Int, by factor: Double, about middle: Point) {
    scale(from: first, byX: factor, y: factor, about: middle)
  }

  /// Stretches the commands from an index on about a point in pixels; edges stay on whole pixels, and neighbours stay
  /// neighbours.
  /// - Complexity: O(commands from there on).
  public func scale(from first: Int, byX horizontal: Double, y vertical: Double, about middle: Point) {
    func scaled(_ edge: Int32, _ center: Double, _ factor: Double) -> Int32 {
      Int32(clamping: Int((center + (Double(edge) - center) * factor).rounded()))
    }
    for index in max(0, first)..<max(0, first, length) {
      let from = buffer[index].destination
      let (left, top) = (scaled(from.x, middle.x, horizontal), scaled(from.y, middle.y, vertical))
      buffer[index].destination = PixelRect(
        x: left, y: top, width: scaled(from.maxX, middle.x, horizontal) &- left,
        height: scaled(from.maxY, middle.y, vertical) &- top)
    }
  }

  /// Replaces the commands from an index on, for callers that draw first and decide later.
  public func truncate(to count: Int) { length = min(length, max(0, count)) }

  private func grow(to needed: Int) {
    let larger = max(needed, capacity * 2)
    let replacement = UnsafeMutablePointer<DrawCommand>.allocate(capacity: larger)
    replacement.initialize(from: buffer, count: length)
    buffer.deallocate()
    buffer = replacement
    capacity = larger
  }
}
