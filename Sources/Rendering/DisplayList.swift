internal import DataStructures
public import Geometry

/// What a frame draws, back to front, in a buffer that is kept from frame to frame.
///
/// Commands are trivial, so appending and translating neither retain nor, once the buffer has grown to a frame's size,
/// allocate.
public final class DisplayList {
  private let buffer: TrivialBuffer<DrawCommand>

  /// The number of commands.
  public var count: Int { buffer.count }

  /// Makes an empty list.
  public init(capacity: Int = 256) { buffer = TrivialBuffer(capacity: max(capacity, 16)) }

  /// The commands, back to front, until the list is next changed.
  public var commands: UnsafeBufferPointer<DrawCommand> { UnsafeBufferPointer(buffer.elements) }

  /// The list without a hold on it, for whoever knows that somebody else holds it.
  public var unretained: Unretained { Unretained(buffer: buffer.unretained) }

  /// Forgets the commands and keeps the buffer.
  public func removeAll() { buffer.removeAll() }

  /// Adds a command in front of all others.
  /// - Complexity: O(1), amortised.
  public func append(_ command: DrawCommand) { buffer.append(command) }

  /// Adds another list's commands, moved by a number of pixels.
  /// - Complexity: O(commands of the other list).
  public func append(_ other: DisplayList, movedByX x: Int32, y: Int32) {
    append(other.unretained, movedByX: x, y: y)
    withExtendedLifetime(other) {}
  }

  /// Adds the commands of a list that somebody else holds, moved by a number of pixels.
  /// - Complexity: O(commands of the other list).
  public func append(_ other: Unretained, movedByX x: Int32, y: Int32) {
    let added = buffer.append(other.buffer)
    for place in 0..<added.count {
      added[place].destination.x &+= x
      added[place].destination.y &+= y
    }
  }

  /// Adds another list's commands, moved by a number of pixels, with an opacity of 0 to 255.
  /// - Complexity: O(commands of the other list).
  public func append(_ other: DisplayList, movedByX x: Int32, y: Int32, opacity: UInt8) {
    let first = count
    append(other, movedByX: x, y: y)
    guard opacity < 255 else { return }
    let commands = buffer.elements
    for index in first..<count where commands[index].kind == .fill || commands[index].kind == .texture {
      commands[index].color.alpha = UInt8((UInt16(commands[index].color.alpha) * UInt16(opacity) + 127) / 255)
      commands[index].isBlended = true
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
    let commands = buffer.elements
    for index in max(0, first)..<max(0, first, count) {
      let from = commands[index].destination
      let (left, top) = (scaled(from.x, middle.x, horizontal), scaled(from.y, middle.y, vertical))
      commands[index].destination = PixelRect(
        x: left, y: top, width: scaled(from.maxX, middle.x, horizontal) &- left,
        height: scaled(from.maxY, middle.y, vertical) &- top)
    }
  }

  /// Replaces the commands from an index on, for callers that draw first and decide later.
  public func truncate(to count: Int) { buffer.truncate(to: count) }

  /// A list that somebody else holds, as a plain value: many are appended without counting references.
  ///
  /// Of use only while the list is held.
  public struct Unretained: BitwiseCopyable {
    fileprivate let buffer: TrivialBuffer<DrawCommand>.Unretained
  }
}
