/// The location of each item of a snapshot: its leaf, the leaf's block and the block's section.
struct HandleRegistry: Sendable {
  var leafKeys = LeafKeyMap()
  /// The block of each leaf.
  var leaves = KeyRegistry()
  /// The section of each block.
  var blocks = KeyRegistry()

  /// Returns the key of the section that contains a leaf.
  func section(ofLeaf leaf: Int32) -> Int32 { blocks[leaves[leaf]] }
}

/// A map from handles to the keys of the leaves that contain them, or to negative numbers.
///
/// The numbers are stored in pages of 512, in groups of 128 pages. A write after a copy copies one page, the page list
/// of its group and the list of groups. The overhead is about one number in 200.
struct LeafKeyMap: Sendable {
  /// The value of a handle that is in no leaf.
  static let none: Int32 = -1
  /// The value of a handle that is about to be inserted.
  static let pending: Int32 = -2

  private typealias Page = ContiguousArray<Int32>
  private typealias Group = ContiguousArray<Page>

  /// The logarithm of the number of handles in a page, which is that of the handles in a full leaf.
  static let pageBits = 9
  private static let groupBits = 16
  // An empty page stands for one whose handles are in the leaf with the page's number, as in a snapshot that was filled
  // in one call. It needs no memory of its own.
  private static let emptyPage = Page(repeating: none, count: 1 << pageBits)

  private var groups: ContiguousArray<Group> = []
  /// The number of handles that have a value, including those with the value ``none``.
  private var capacity = 0

  /// The key of the leaf that contains a handle.
  ///
  /// Negative if the handle is in no leaf or is unknown.
  ///
  /// - Complexity: O(1), and a copy of 2 KiB for the first write to a page after a copy.
  subscript(handle: Handle) -> Int32 {
    get {
      let index = Int(handle)
      guard index < capacity else { return LeafKeyMap.none }
      let group = index >> LeafKeyMap.groupBits
      let page = LeafKeyMap.page(index)
      return groups[group][page].isEmpty
        ? Int32(truncatingIfNeeded: index >> LeafKeyMap.pageBits) : groups[group][page][LeafKeyMap.slot(index)]
    }
    set {
      let index = Int(handle)
      LeafKeyMap.set(newValue, at: index, in: &groups[index >> LeafKeyMap.groupBits][LeafKeyMap.page(index)])
    }
  }

  /// Extends the map to all handles below a number.
  mutating func grow(to count: Int) {
    while capacity < count {
      if capacity & ((1 << LeafKeyMap.groupBits) - 1) == 0 { groups.append([]) }
      groups[groups.count - 1].append(LeafKeyMap.emptyPage)
      capacity += 1 << LeafKeyMap.pageBits
    }
  }

  /// Fills the empty map with handles of which each 512 are in a leaf of their own, from the leaf 0 on.
  ///
  /// - Complexity: O(n / 512).
  mutating func fill(count: Int) {
    let whole = count >> LeafKeyMap.pageBits
    while capacity < whole << LeafKeyMap.pageBits {
      let pages = min(1 << (LeafKeyMap.groupBits - LeafKeyMap.pageBits), whole - capacity >> LeafKeyMap.pageBits)
      groups.append(Group(repeating: [], count: pages))
      capacity += pages << LeafKeyMap.pageBits
    }
    grow(to: count)
    for handle in whole << LeafKeyMap.pageBits..<count { self[Handle(handle)] = Int32(truncatingIfNeeded: whole) }
  }

  /// Sets the leaf of several handles.
  ///
  /// - Complexity: O(k) for k handles.
  mutating func set(_ handles: some Sequence<Handle>, to key: Int32) {
    var rest = handles.makeIterator()
    var next = rest.next()
    while let first = next {
      let index = Int(first)
      next = LeafKeyMap.set(
        key, from: first, &rest, in: &groups[index >> LeafKeyMap.groupBits][LeafKeyMap.page(index)])
    }
  }

  /// Sets the leaf of consecutive handles that share a page.
  ///
  /// - Returns: The first handle of another page, or nil if there is none.
  @inline(__always)
  private static func set(
    _ key: Int32, from first: Handle, _ rest: inout some IteratorProtocol<Handle>, in page: inout Page
  ) -> Handle? {
    let number = first >> Int32(pageBits)
    if page.isEmpty { page = Page(repeating: number, count: 1 << pageBits) }
    return page.withUnsafeMutableBufferPointer { keys in
      var handle = first
      repeat {
        keys[slot(Int(handle))] = key
        guard let next = rest.next() else { return nil }
        handle = next
      } while handle >> Int32(pageBits) == number
      return handle
    }
  }

  @inline(__always)
  private static func set(_ key: Int32, at index: Int, in page: inout Page) {
    if page.isEmpty { page = Page(repeating: Int32(truncatingIfNeeded: index >> pageBits), count: 1 << pageBits) }
    page[slot(index)] = key
  }

  private static func page(_ index: Int) -> Int { (index >> pageBits) & ((1 << (groupBits - pageBits)) - 1) }

  private static func slot(_ index: Int) -> Int { index & ((1 << pageBits) - 1) }
}

/// The keys of the parts of a list in one snapshot, and the owner of each part.
///
/// Keys are consecutive numbers and are reused, so that the registry grows only with the snapshot.
struct KeyRegistry: Sendable {
  private var owners: ContiguousArray<Int32> = []
  private var freeKeys: ContiguousArray<Int32> = []

  /// Returns a key for a new part of an owner.
  ///
  /// - Complexity: O(1) amortised, without the first copy of the registry after a copy of the snapshot.
  mutating func makeKey(ownedBy owner: Int32) -> Int32 {
    if let key = freeKeys.popLast() {
      owners[Int(key)] = owner
      return key
    }
    owners.append(owner)
    return Int32(owners.count - 1)
  }

  /// Releases a key for reuse.
  mutating func release(_ key: Int32) { freeKeys.append(key) }

  /// The key of a part's owner.
  ///
  /// - Complexity: O(1).
  subscript(key: Int32) -> Int32 {
    get { owners[Int(key)] }
    set { owners[Int(key)] = newValue }
  }
}
