import Geometry

/// A filter that decides which photographs a query finds.
///
/// It is a value for one thread: it remembers what it found out about the last folder, because photographs are tested
/// folder by folder.
public struct PhotoFilter: Sendable {
  private let query: PhotoQuery
  private let root: PhotoPath?
  private let texts: [SearchText]
  private var lastFolder: PhotoPath?
  /// For each of ``texts``, whether it occurs in the last folder's path.
  private var isInFolder: [Bool] = []

  /// Creates a filter.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - root: The folder that contains the whole library, whose own path is not searched, or nil.
  public init(_ query: PhotoQuery, root: PhotoPath? = nil) {
    self.query = query
    self.root = root
    var texts: [SearchText] = []
    for case .text(let text, let places) in query.conditions.flatMap(\.tests) where places.contains(.folder) {
      if !texts.contains(text) { texts.append(text) }
    }
    self.texts = texts
  }

  /// Returns whether the query finds a photograph.
  ///
  /// - Complexity: O(*c*) tests for *c* conditions, each O(*n*) in the length of a name at most.
  public mutating func finds(_ item: PhotoID, in records: some PhotoRecords) -> Bool {
    for condition in query.conditions {
      var holds = false
      for test in condition.tests where !holds { holds = passes(test, item, records) }
      if holds == condition.isExclusion { return false }
    }
    return true
  }

  private mutating func passes(_ test: PhotoTest, _ item: PhotoID, _ records: some PhotoRecords) -> Bool {
    switch test {
    case .text(let text, let places):
      return (places.contains(.name) && records.name(of: item).map { text.occurs(in: $0) } ?? false)
        || (places.contains(.folder) && isText(text, inFolderOf: item, records))
        || (places.contains(.camera) && records.camera(of: item).map { text.occurs(in: $0.utf8) } ?? false)
    case .date(let period): return records.time(of: item).map(period.contains) ?? false
    case .monthOfYear(let month):
      return records.time(of: item).map { CalendarMonth(containing: $0).month == month } ?? false
    case .format(let format): return records.format(of: item) == format
    case .byteCount(let range): return range.contains(Int64(records.byteCount(of: item)))
    case .pixelCount(let range):
      return records.size(of: item).map { range.contains(Int64($0.width) * Int64($0.height)) } ?? false
    case .rating(let range): return range.contains(records.rating(of: item))
    case .shape(let shape): return records.size(of: item).map { PhotoFilter.hasShape(shape, $0) } ?? false
    }
  }

  private mutating func isText(_ text: SearchText, inFolderOf item: PhotoID, _ records: some PhotoRecords) -> Bool {
    guard let folder = records.folder(of: item), let index = texts.firstIndex(of: text) else { return false }
    if lastFolder != folder {
      lastFolder = folder
      let start = root.map { folder.isWithin($0) ? $0.bytes.count : 0 } ?? 0
      isInFolder = texts.map { $0.occurs(in: folder.bytes[start...]) }
    }
    return isInFolder[index]
  }

  private static func hasShape(_ shape: PhotoTest.Shape, _ size: PixelSize) -> Bool {
    switch shape {
    case .portrait: size.height > size.width
    case .landscape: size.width > size.height
    case .square: size.width == size.height
    case .panorama: size.width >= 2 * size.height
    }
  }
}

extension PhotoRecords {
  /// Returns the photographs that a filter finds, in the given order.
  ///
  /// - Parameters:
  ///   - filter: The filter.
  ///   - items: The photographs to test.
  ///   - shouldContinue: A closure called regularly, which returns false to stop.
  /// - Returns: The found photographs, or nil if it was stopped.
  /// - Complexity: O(*n*) in the number of photographs.
  public func found(
    by filter: PhotoFilter, among items: some Sequence<PhotoID>, shouldContinue: () -> Bool = { true }
  ) -> [PhotoID]? {
    var filter = filter
    var found: [PhotoID] = []
    var untilCheck = 0
    for item in items {
      if untilCheck == 0 {
        guard shouldContinue() else { return nil }
        untilCheck = 4_096
      }
      untilCheck -= 1
      if filter.finds(item, in: self) { found.append(item) }
    }
    return found
  }
}
