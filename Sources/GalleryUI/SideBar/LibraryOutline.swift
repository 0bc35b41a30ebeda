import VitrineImageMetadata
import VitrinePhotoLibrary

/// The folders and months of a library, with the number of photographs in each.
nonisolated struct LibraryOutline: Hashable, Sendable {
  /// The maximum number of folders.
  static let maximumFolders = 1_000

  /// A folder with the number of photographs in it and the folders within.
  struct Folder: Hashable, Sendable {
    let path: PhotoPath
    let count: Int
  }

  /// A month with the number of photographs.
  struct Month: Hashable, Sendable {
    let month: CalendarMonth
    let count: Int
  }

  /// The folders directly within the roots, in the order in which they are listed.
  private(set) var folders: [Folder] = []
  /// The months, latest first.
  private(set) var months: [Month] = []

  /// Creates an outline of folders and months, by default of an empty library.
  init(folders: [Folder] = [], months: [Month] = []) { (self.folders, self.months) = (folders, months) }

  /// Creates the outline of photographs.
  ///
  /// - Parameters:
  ///   - items: The photographs.
  ///   - records: Their records.
  ///   - roots: The folders of the library. The folders within them are counted.
  ///   - isCancelled: A closure that returns whether the result is no longer needed. It is called every few thousand
  ///     photographs.
  /// - Complexity: O(*n*) in the number of photographs.
  init?(
    _ items: some Sequence<PhotoID>, of records: any PhotoRecords, roots: [PhotoPath],
    isCancelled: () -> Bool = { false }
  ) {
    var counts: [PhotoPath: Int] = [:]
    var monthCounts: [CalendarMonth: Int] = [:]
    // Neighbours are mostly in the same folder and month.
    var last: (folder: PhotoPath, count: Int)?
    var visited = 0
    for item in items {
      visited += 1
      if visited & 0xFFF == 0, isCancelled() { return nil }
      if let folder = records.folder(of: item) {
        if last?.folder == folder {
          last?.count += 1
        } else {
          if let last { counts[last.folder, default: 0] += last.count }
          last = (folder, 1)
        }
      }
      if let time = records.time(of: item) { monthCounts[CalendarMonth(containing: time), default: 0] += 1 }
    }
    if let last { counts[last.folder, default: 0] += last.count }
    var sums: [PhotoPath: Int] = [:]
    for (folder, count) in counts {
      if let child = LibraryOutline.child(containing: folder, of: roots) { sums[child, default: 0] += count }
    }
    let order = ListingOrder(roots: roots)
    folders = sums.map { Folder(path: $0.key, count: $0.value) }.sorted { order.precedes($0.path, $1.path) }
    if folders.count > LibraryOutline.maximumFolders {
      folders.removeLast(folders.count - LibraryOutline.maximumFolders)
    }
    months = monthCounts.map { Month(month: $0.key, count: $0.value) }.sorted { $0.month > $1.month }
  }

  /// The years, latest first, with the number of photographs.
  var years: [(year: Int, count: Int)] {
    var years: [(year: Int, count: Int)] = []
    for month in months {
      if years.last?.year == month.month.year {
        years[years.count - 1].count += month.count
      } else {
        years.append((month.month.year, month.count))
      }
    }
    return years
  }

  /// Returns the folder directly within a root that contains a folder, or nil if the folder is a root.
  private static func child(containing folder: PhotoPath, of roots: [PhotoPath]) -> PhotoPath? {
    guard let root = roots.first(where: { folder.isWithin($0) }), folder != root else { return nil }
    let start = root.bytes.last == UInt8(ascii: "/") ? root.bytes.count : root.bytes.count + 1
    let end = folder.bytes[start...].firstIndex(of: UInt8(ascii: "/")) ?? folder.bytes.endIndex
    return PhotoPath(folder.bytes[..<end])
  }
}
