/// For each handle the key of the leaf that holds it, or a negative number.
///
/// Pages of 512 numbers in groups of 128 pages: a write to a copy copies one page, one group's list of pages and the list
/// of groups, and 200 numbers of 4 bytes stand beside each number of overhead.
struct PlaceMap: Sendable {
  /// The place of a handle that is in no leaf.
  static let none: Int32 = -1
  /// The place of a handle that is about to be put into one.
  static let awaited: Int32 = -2

  private typealias Page = ContiguousArray<Int32>
  private typealias Group = ContiguousArray<Page>

  private static let pageBits = 9
  private static let groupBits = 16
  private static let emptyPage = Page(repeating: none, count: 1 << pageBits)

  private var groups: ContiguousArray<Group> = []
  /// How many handles have a place, that one included which says that they have none.
  private var room = 0

  /// The key of the leaf that holds a handle; negative for a handle that is in none or was never given out.
  ///
  /// - Complexity: O(1), and a copy of 2 KiB for the first write to a page after a copy.
  subscript(handle: Handle) -> Int32 {
    get {
      let index = Int(handle)
      guard index < room else { return PlaceMap.none }
      return groups[index >> PlaceMap.groupBits][PlaceMap.page(index)][PlaceMap.slot(index)]
    }
    set {
      let index = Int(handle)
      groups[index >> PlaceMap.groupBits][PlaceMap.page(index)][PlaceMap.slot(index)] = newValue
    }
  }

  /// Makes room for the handles below a number.
  mutating func grow(to count: Int) {
    while room < count {
      if room & ((1 << PlaceMap.groupBits) - 1) == 0 { groups.append([]) }
      groups[groups.count - 1].append(PlaceMap.emptyPage)
      room += 1 << PlaceMap.pageBits
    }
  }

  /// Gives all handles of a leaf one place.
  ///
  /// - Complexity: O(k) for k handles.
  mutating func set(_ handles: some Sequence<Handle>, to key: Int32) {
    for handle in handles { self[handle] = key }
  }

  private static func page(_ index: Int) -> Int { (index >> pageBits) & ((1 << (groupBits - pageBits)) - 1) }

  private static func slot(_ index: Int) -> Int { index & ((1 << pageBits) - 1) }
}
