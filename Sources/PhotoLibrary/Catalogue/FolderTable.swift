/// The folders that photographs lie in, each path once.
struct FolderTable: Sendable {
  private var paths = PagedColumn<PhotoPath>()
  private var numbersByPath: [PhotoPath: UInt32] = [:]
  private var last: UInt32?

  /// The folder's number, a new one for a new folder.
  mutating func intern(_ path: PhotoPath) -> UInt32 {
    // Photographs come folder by folder.
    if let last, paths[Int(last)] == path { return last }
    let number = numbersByPath[path] ?? UInt32(paths.count)
    if number == paths.count {
      paths.append(path)
      numbersByPath[path] = number
    }
    last = number
    return number
  }

  /// Forgets what finds a folder's number.
  mutating func removeNumbers() { numbersByPath = [:] }

  /// The number of a folder that is there.
  func number(of path: PhotoPath) -> UInt32? { numbersByPath[path] }

  /// A folder's path.
  subscript(number: UInt32) -> PhotoPath { paths[Int(number)] }

  /// The memory that is held, in bytes.
  var memoryBytes: Int {
    let table = numbersByPath.capacity * (MemoryLayout<PhotoPath>.stride + MemoryLayout<UInt32>.stride + 1)
    return (0..<paths.count).reduce(paths.memoryBytes + table) { $0 + paths[$1].bytes.capacity + 32 }
  }
}
