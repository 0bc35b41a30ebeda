import VitrineDataStructures

// MARK: - Columns

/// An append-only array in pages: appending never moves existing elements.
///
/// A contiguous array of a million records is copied whenever it outgrows its capacity, which costs the main thread a
/// frame.
struct PagedColumn<Element: Sendable>: Sendable {
  /// The number of elements per page.
  static var pageSize: Int { 4096 }

  private var pages: [[Element]] = []
  /// The number of elements.
  private(set) var count = 0

  /// Appends an element.
  mutating func append(_ element: Element) {
    if count % Self.pageSize == 0 {
      var page: [Element] = []
      // The first page grows on demand, so that a small library uses little memory.
      if count > 0 { page.reserveCapacity(Self.pageSize) }
      pages.append(page)
    }
    pages[pages.count - 1].append(element)
    count += 1
  }

  /// Accesses the element at the given index.
  subscript(index: Int) -> Element {
    get { pages[index / Self.pageSize][index % Self.pageSize] }
    _modify { yield &pages[index / Self.pageSize][index % Self.pageSize] }
  }

  /// Calls a closure with the elements from an index to the end of their page.
  ///
  /// - Precondition: There is an element with this index.
  func withElements(from index: Int, _ body: (UnsafeBufferPointer<Element>.SubSequence) -> Void) {
    pages[index / Self.pageSize].withUnsafeBufferPointer { body($0[(index % Self.pageSize)...]) }
  }

  /// The memory used, in bytes.
  var memoryBytes: Int {
    pages.reduce(0) { $0 + $1.capacity * MemoryLayout<Element>.stride + 32 }
  }
}

/// A column with one value per photograph of a catalogue, with access in constant time.
///
/// Values are stored in pages: growing moves nothing, and a copy shares all unmodified pages with the original.
package struct PhotoColumn<Value: Sendable>: Sendable {
  private var values = PagedColumn<Value>()
  private let unset: Value

  /// Creates a column.
  ///
  /// - Parameter unset: The value of photographs without a value.
  package init(unset: Value) { self.unset = unset }

  /// Accesses the value of the given photograph.
  ///
  /// - Precondition: To set a value, the photograph's number must be at least 1. Catalogues number from 1.
  /// - Complexity: O(1) to read. Setting is amortized O(1) for photographs in ascending order, and O(page) once per
  ///   page after a copy.
  package subscript(id: PhotoID) -> Value {
    get {
      let row = Int(id.rawValue) - 1
      return row >= 0 && row < values.count ? values[row] : unset
    }
    set {
      let row = Int(id.rawValue) - 1
      checkPrecondition(row >= 0, "A value was set for photograph \(id.rawValue); a catalogue's numbers begin at 1.")
      while values.count <= row { values.append(unset) }
      values[row] = newValue
    }
  }
}

// MARK: - Names and folders

/// Names and addresses stored one after the other in large pages, without an allocation for each.
struct NameArena: Sendable {
  /// The maximum length of a name, in bytes; file systems allow 255 or a little more, and web addresses have at most this
  /// length.
  static let maximumNameBytes = 8_192

  private static let pageBytes = 1 << 16
  private var pages: [[UInt8]] = []

  /// Appends a name and returns its offset.
  ///
  /// - Complexity: O(*n*) in the length of the name.
  mutating func append(_ name: some Collection<UInt8>) -> UInt32 {
    checkPrecondition(name.count <= NameArena.maximumNameBytes, "a name of \(name.count) bytes is too long")
    if pages.last.map({ $0.count + 2 + name.count > NameArena.pageBytes }) ?? true {
      var page: [UInt8] = []
      if !pages.isEmpty { page.reserveCapacity(NameArena.pageBytes) }
      pages.append(page)
    }
    let last = pages.count - 1
    let offset = UInt32(last) << 16 | UInt32(pages[last].count)
    pages[last].append(UInt8(name.count >> 8))
    pages[last].append(UInt8(name.count & 0xFF))
    pages[last].append(contentsOf: name)
    return offset
  }

  /// Returns the name at the given offset.
  subscript(offset: UInt32) -> ArraySlice<UInt8> {
    let page = pages[Int(offset >> 16)]
    let start = Int(offset & 0xFFFF)
    let count = Int(page[start]) << 8 | Int(page[start + 1])
    return page[(start + 2)..<(start + 2 + count)]
  }

  /// Returns the number of the page with the name at an offset.
  static func page(of offset: UInt32) -> Int { Int(offset >> 16) }

  /// Calls a closure with the bytes of a page.
  func withPage(_ page: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    pages[page].withUnsafeBufferPointer(body)
  }

  /// Returns the name at an offset, given the bytes of its page.
  static func name(at offset: UInt32, in page: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    let start = Int(offset & 0xFFFF)
    let count = Int(page[start]) << 8 | Int(page[start + 1])
    return UnsafeBufferPointer(rebasing: page[(start + 2)..<(start + 2 + count)])
  }

  /// The memory used, in bytes.
  var memoryBytes: Int { pages.reduce(0) { $0 + $1.capacity + 32 } }
}

/// A table of the folders that contain photographs, each path once.
struct FolderTable: Sendable {
  private var paths = PagedColumn<PhotoPath>()
  private var numbersByPath: [PhotoPath: UInt32] = [:]
  private var last: UInt32?
  /// The rows of each folder's photographs, as runs because photographs come folder by folder.
  private var rowRuns: [[Range<UInt32>]] = []

  /// Returns the number of a folder, and adds the folder if it is new.
  mutating func intern(_ path: PhotoPath) -> UInt32 {
    // Photographs arrive folder by folder.
    if let last, paths[Int(last)] == path { return last }
    let number = numbersByPath[path] ?? UInt32(paths.count)
    if number == paths.count {
      paths.append(path)
      rowRuns.append([])
      numbersByPath[path] = number
    }
    last = number
    return number
  }

  /// Records that a row belongs to a folder.
  ///
  /// - Parameter row: A row with a larger number than all before.
  mutating func addRow(_ row: UInt32, to folder: UInt32) { addRows(row..<row + 1, to: folder) }

  /// Records that rows belong to a folder.
  ///
  /// - Parameter rows: Rows with larger numbers than all before; nothing is recorded if there are none.
  mutating func addRows(_ rows: Range<UInt32>, to folder: UInt32) {
    guard !rows.isEmpty else { return }
    let last = rowRuns[Int(folder)].count - 1
    if last >= 0, rowRuns[Int(folder)][last].upperBound == rows.lowerBound {
      rowRuns[Int(folder)][last] = rowRuns[Int(folder)][last].lowerBound..<rows.upperBound
    } else {
      rowRuns[Int(folder)].append(rows)
    }
  }

  /// Returns the rows of a folder's photographs, in ascending order.
  func rows(of folder: UInt32) -> [Range<UInt32>] { rowRuns[Int(folder)] }

  /// Returns a folder and those within it, in no particular order.
  ///
  /// - Complexity: O(*n*) in the number of folders.
  func folders(within path: PhotoPath) -> [(number: UInt32, path: PhotoPath)] {
    (0..<paths.count).lazy.filter { paths[$0].isWithin(path) }.map { (UInt32($0), paths[$0]) }
  }

  /// Removes the index of paths and the rows of the folders.
  ///
  /// ``number(of:)`` returns nil afterwards.
  mutating func removeNumbers() {
    numbersByPath = [:]
    rowRuns = []
  }

  /// The number of folders.
  var count: Int { paths.count }

  /// Returns the number of a known folder, or nil.
  func number(of path: PhotoPath) -> UInt32? { numbersByPath[path] }

  /// Returns the path of the folder with the given number.
  subscript(number: UInt32) -> PhotoPath { paths[Int(number)] }

  /// The memory used, in bytes.
  var memoryBytes: Int {
    let table = numbersByPath.capacity * (MemoryLayout<PhotoPath>.stride + MemoryLayout<UInt32>.stride + 1)
    let runs = rowRuns.reduce(0) { $0 + $1.capacity * MemoryLayout<Range<UInt32>>.stride + 40 }
    return (0..<paths.count).reduce(paths.memoryBytes + table + runs) { $0 + paths[$1].bytes.capacity + 32 }
  }
}

// MARK: - Devices

/// A table that maps the numbers of file systems, of which a library has few, to two bytes.
struct DeviceTable: Sendable {
  /// The maximum number of file systems.
  private let capacity: Int
  private var devices: [UInt64] = []

  /// Creates an empty table.
  init(capacity: Int = Int(UInt16.max)) { self.capacity = capacity }

  /// Returns the short number of a file system, or nil if the table is full.
  mutating func intern(_ device: UInt64) -> UInt16? {
    // The last ones are looked up most often.
    if let index = devices.lastIndex(of: device) { return UInt16(index) }
    guard devices.count < capacity else { return nil }
    devices.append(device)
    return UInt16(devices.count - 1)
  }

  /// Returns the file system with the given short number.
  subscript(number: UInt16) -> UInt64 { devices[Int(number)] }
}

// MARK: - Cameras

/// A table that maps the names of cameras, of which a library has few, to two bytes.
struct CameraTable: Sendable {
  private var names: [String] = []
  private var numbers: [String: UInt16] = [:]

  /// Returns the number of a camera, from 1, or 0 for nil or if the table is full.
  mutating func intern(_ name: String?) -> UInt16 {
    guard let name else { return 0 }
    if let number = numbers[name] { return number }
    guard names.count < Int(UInt16.max) else { return 0 }
    names.append(name)
    numbers[name] = UInt16(names.count)
    return UInt16(names.count)
  }

  /// The number of cameras.
  var count: Int { names.count }

  /// Returns the name of the camera with the given number, or nil for 0.
  subscript(number: UInt16) -> String? { number == 0 ? nil : names[Int(number) - 1] }

  /// The memory used, in bytes.
  var memoryBytes: Int { names.reduce(0) { $0 + 2 * $1.utf8.count + 64 } }
}

// MARK: - Path index

/// A hash table that finds the row of a path, or of another text, in constant time.
///
/// The table is divided into segments that grow one at a time, so that no single insertion into a library of a million
/// photographs rebuilds a table of a million entries. Each entry contains the row and half of the hash, so growing does
/// not read any names.
struct PathIndex: Sendable {
  private struct Segment: Sendable {
    var count = 0
    /// The lower half of the hash in the upper 32 bits, the row plus one in the lower 32 bits; 0 if the slot is free.
    var slots = [UInt64](repeating: 0, count: 16)

    /// Returns the slot at which the search for a hash starts.
    func firstSlot(of hash: UInt64) -> Int {
      // The upper half of a product is distributed evenly over any number of slots.
      Int((UInt64(UInt32(truncatingIfNeeded: hash) &* 0x9E37_79B1) * UInt64(slots.count)) >> 32)
    }

    func slot(after slot: Int) -> Int { slot + 1 == slots.count ? 0 : slot + 1 }

    mutating func insert(entry: UInt64) {
      var slot = firstSlot(of: entry >> 32)
      while slots[slot] != 0 { slot = self.slot(after: slot) }
      slots[slot] = entry
      count += 1
    }

    mutating func grow() {
      let old = slots
      // By a quarter, because half of the slots would be free after doubling.
      slots = [UInt64](repeating: 0, count: old.count + old.count / 4)
      count = 0
      for entry in old where entry != 0 { insert(entry: entry) }
    }
  }

  /// The address of the first segment, which changes when the segment is copied.
  ///
  /// For tests.
  var storageAddress: UnsafeRawPointer? { segments.first?.slots.withUnsafeBytes { $0.baseAddress } }

  private var segments = [Segment](repeating: Segment(), count: 64)

  /// Returns the row with the given hash for which the closure returns true, or nil if there is none.
  func row(hash: UInt64, where matches: (UInt32) -> Bool) -> UInt32? {
    let segment = segments[Int(hash >> 58)]
    var slot = segment.firstSlot(of: hash)
    while segment.slots[slot] != 0 {
      let entry = segment.slots[slot]
      if entry >> 32 == hash & 0xFFFF_FFFF {
        let row = UInt32(truncatingIfNeeded: entry) - 1
        if matches(row) { return row }
      }
      slot = segment.slot(after: slot)
    }
    return nil
  }

  /// Inserts a row that the table does not contain.
  mutating func insert(hash: UInt64, row: UInt32) {
    let number = Int(hash >> 58)
    // The load factor is 7/8: comparing the hash tags makes longer probing cheap.
    if (segments[number].count + 1) * 8 > segments[number].slots.count * 7 { segments[number].grow() }
    segments[number].insert(entry: (hash & 0xFFFF_FFFF) << 32 | UInt64(row + 1))
  }

  /// The memory used, in bytes.
  var memoryBytes: Int {
    segments.reduce(0) { $0 + $1.slots.capacity * MemoryLayout<UInt64>.stride + 32 }
  }
}
