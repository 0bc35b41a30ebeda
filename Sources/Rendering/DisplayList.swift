import Geometry

/// What a frame draws, back to front, in a buffer that is kept from frame to frame.
///
/// Commands are trivial, so appending and translating neither retain nor, once the buffer has grown to a frame's size,
/// allocate.
public final class DisplayList {
  private var buffer: UnsafeMutablePointer<DrawCommand>
  private var capacity: Int
  /// The number of commands.
  public private(set) var count = 0

  /// Makes an empty list.
  public init(capacity: Int = 256) {
    self.capacity = max(capacity, 16)
    buffer = .allocate(capacity: self.capacity)
  }

  deinit { buffer.deallocate() }

  /// The commands, back to front, until the list is next changed.
  public var commands: UnsafeBufferPointer<DrawCommand> { UnsafeBufferPointer(start: buffer, count: count) }

  /// Forgets the commands and keeps the buffer.
  public func removeAll() { count = 0 }

  /// Adds a command in front of all others.
  /// - Complexity: O(1), amortised.
  public func append(_ command: DrawCommand) {
    if count == capacity { grow(to: count + 1) }
    buffer[count] = command
    count += 1
  }

  /// Adds another list's commands, moved by a number of pixels.
  /// - Complexity: O(commands of the other list).
  public func append(_ other: DisplayList, movedByX x: Int32, y: Int32) {
    let added = other.count
    if count + added > capacity { grow(to: count + added) }
    let source = other.buffer
    let target = buffer + count
    for index in 0..<added {
      var command = source[index]
      command.destination.x &+= x
      command.destination.y &+= y
      target[index] = command
    }
    count += added
  }

  /// Replaces the commands from an index on, for callers that draw first and decide later.
  public func truncate(to length: Int) { count = min(count, max(0, length)) }

  private func grow(to needed: Int) {
    let larger = max(needed, capacity * 2)
    let replacement = UnsafeMutablePointer<DrawCommand>.allocate(capacity: larger)
    replacement.initialize(from: buffer, count: count)
    buffer.deallocate()
    buffer = replacement
    capacity = larger
  }
}
