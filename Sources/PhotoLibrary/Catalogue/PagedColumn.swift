/// A list that only grows, in pages: growing it never moves what is there already.
///
/// An array of a million records is copied each time it outgrows its memory, which costs the main thread a frame.
struct PagedColumn<Element: Sendable>: Sendable {
  /// Elements in a page.
  static var pageSize: Int { 4096 }

  private var pages: [[Element]] = []
  /// How many elements there are.
  private(set) var count = 0

  /// Adds an element at the end.
  mutating func append(_ element: Element) {
    if count % Self.pageSize == 0 {
      var page: [Element] = []
      // The first page grows by itself, so that a small library stays small.
      if count > 0 { page.reserveCapacity(Self.pageSize) }
      pages.append(page)
    }
    pages[pages.count - 1].append(element)
    count += 1
  }

  /// An element.
  subscript(index: Int) -> Element {
    get { pages[index / Self.pageSize][index % Self.pageSize] }
    _modify { yield &pages[index / Self.pageSize][index % Self.pageSize] }
  }

  /// The memory that is held, in bytes.
  var memoryBytes: Int {
    pages.reduce(0) { $0 + $1.capacity * MemoryLayout<Element>.stride + 32 }
  }
}
