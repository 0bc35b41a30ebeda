/// A file in memory, read from its beginning to its end by a library that wants to be handed bytes.
struct ByteStream {
  private let bytes: UnsafeRawBufferPointer
  private var position = 0

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  /// Copies the next bytes and says how many there were.
  mutating func read(into target: UnsafeMutableRawPointer, count: Int) -> Int {
    let count = max(0, min(count, bytes.count - position))
    if count > 0, let start = bytes.baseAddress { target.copyMemory(from: start + position, byteCount: count) }
    position += count
    return count
  }

  /// Goes to a place, which may lie past the end; stays where it is for one before the beginning.
  mutating func seek(to place: Int) -> Bool {
    guard place >= 0 else { return false }
    position = place
    return true
  }

  /// Where the next byte comes from.
  var place: Int { position }

  /// How long the file is.
  var count: Int { bytes.count }

  /// The whole file.
  var all: UnsafeRawBufferPointer { bytes }
}
