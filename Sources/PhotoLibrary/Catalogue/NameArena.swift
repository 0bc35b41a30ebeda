import DataStructures

/// Names one behind the other in large pages: no name has memory of its own.
struct NameArena: Sendable {
  /// The longest name, in bytes; file systems allow 255 or a little more.
  static let maximumNameBytes = 4096

  private static let pageBytes = 1 << 16
  private var pages: [[UInt8]] = []

  /// Keeps a name and tells where; O(its length).
  mutating func append(_ name: some Collection<UInt8>) -> UInt32 {
    checkPrecondition(name.count <= NameArena.maximumNameBytes, "a file name of \(name.count) bytes is no file name")
    if pages.last.map({ $0.count + 2 + name.count > NameArena.pageBytes }) ?? true {
      var page: [UInt8] = []
      if !pages.isEmpty { page.reserveCapacity(NameArena.pageBytes) }
      pages.append(page)
    }
    let last = pages.count - 1
    let place = UInt32(last) << 16 | UInt32(pages[last].count)
    pages[last].append(UInt8(name.count >> 8))
    pages[last].append(UInt8(name.count & 0xFF))
    pages[last].append(contentsOf: name)
    return place
  }

  /// The name at a place.
  subscript(place: UInt32) -> ArraySlice<UInt8> {
    let page = pages[Int(place >> 16)]
    let start = Int(place & 0xFFFF)
    let count = Int(page[start]) << 8 | Int(page[start + 1])
    return page[(start + 2)..<(start + 2 + count)]
  }

  /// The memory that is held, in bytes.
  var memoryBytes: Int { pages.reduce(0) { $0 + $1.capacity + 32 } }
}
