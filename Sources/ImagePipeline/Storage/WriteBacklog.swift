import Rendering

/// Thumbnails that wait to be written, bounded in bytes: where they come faster than the disk takes them, the oldest are
/// given up.
struct WriteBacklog: Sendable {
  /// A thumbnail and its name.
  struct Item: Sendable {
    var key: FileFingerprint
    var picture: StoredThumbnail
  }

  /// The bytes of pixels that may wait.
  let byteLimit: Int
  /// How many were given up.
  private(set) var droppedCount = 0
  private var items: [Item] = []
  private var byteCount = 0

  /// Nothing waits.
  init(byteLimit: Int) { self.byteLimit = byteLimit }

  /// Whether nothing waits.
  var isEmpty: Bool { items.isEmpty }

  /// Adds one.
  mutating func append(_ item: Item) {
    items.append(item)
    byteCount += item.picture.bitmap.byteCount
    while byteCount > byteLimit, !items.isEmpty {
      byteCount -= items.removeFirst().picture.bitmap.byteCount
      droppedCount += 1
    }
  }

  /// Takes out some, the oldest first: at least one, and no more than so many bytes.
  mutating func takeItems(atMost bytes: Int) -> [Item] {
    var taken = 0
    var count = 0
    while count < items.count, count == 0 || taken + items[count].picture.bitmap.byteCount <= bytes {
      taken += items[count].picture.bitmap.byteCount
      count += 1
    }
    defer { items.removeFirst(count) }
    byteCount -= taken
    return Array(items[..<count])
  }

  /// Gives up all that wait.
  mutating func dropAll() {
    droppedCount += items.count
    items = []
    byteCount = 0
  }
}
