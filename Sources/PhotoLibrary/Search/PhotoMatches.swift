import VitrineGeometry
import VitrineImageMetadata

/// The photographs of a library that a filter finds, as a set of identifiers.
///
/// It is updated for the photographs that are new or have changed.
package struct PhotoMatches: Hashable, Sendable {
  private var bits = PhotoBits()
  /// The number of tested photographs: those with the numbers 1 to this one.
  package var testedCount: Int { bits.count }

  /// Creates an empty set, for which no photograph has been tested.
  package init() {}

  /// Returns whether a photograph was tested and found.
  package func contains(_ item: PhotoID) -> Bool { bits[Int(item.rawValue) - 1] }

  /// Tests the photographs that have not been tested yet, and those that have changed.
  ///
  /// - Parameters:
  ///   - filter: The filter, which must be the same in all calls.
  ///   - changed: The tested photographs whose data has changed.
  ///   - records: The records of the photographs.
  ///   - shouldContinue: A closure called once for each few thousand photographs, which returns false to stop. Default:
  ///     always true.
  /// - Returns: False if it was stopped. The set is then of no use.
  /// - Complexity: O(*n*) tests for *n* photographs.
  package mutating func update(
    with filter: PhotoFilter, changed: [PhotoID] = [], in records: any PhotoRecords,
    shouldContinue: () -> Bool = { true }
  ) -> Bool {
    let new = testedCount..<max(testedCount, records.count)
    bits.grow(to: new.upperBound)
    let again = changed.map { Int($0.rawValue) - 1 }.filter { (0..<new.lowerBound).contains($0) }
    let catalogueSearch = (records as? PhotoCatalogue).map { CatalogueSearch(filter, in: $0) }
    for run in PhotoMatches.pieces(of: new) + again.map({ $0..<($0 + 1) }) {
      guard shouldContinue() else { return false }
      if let catalogueSearch {
        catalogueSearch.search(run) { bits[$0] = $1 }
      } else {
        for row in run { bits[row] = filter.finds(RecordedPhoto(filter, records, row: row)) }
      }
    }
    return true
  }

  private static func pieces(of rows: Range<Int>) -> [Range<Int>] {
    stride(from: rows.lowerBound, to: rows.upperBound, by: 4_096).map { $0..<min(rows.upperBound, $0 + 4_096) }
  }

}

/// A photograph of any records.
struct RecordedPhoto: SearchedPhoto {
  private let filter: PhotoFilter
  private let records: any PhotoRecords
  private let item: PhotoID

  init(_ filter: PhotoFilter, _ records: any PhotoRecords, row: Int) {
    self.filter = filter
    self.records = records
    item = PhotoID(rawValue: UInt32(row) + 1)
  }

  var time: Int64? { records.time(of: item) }
  var format: ImageFormat? { records.format(of: item) }
  var byteCount: Int64 { Int64(records.byteCount(of: item)) }
  var size: PixelSize? { records.size(of: item) }
  var rating: Int { records.rating(of: item) }
  var hasLocation: Bool { records.hasLocation(item) }

  func isText(_ number: Int, in places: PhotoTest.Places) -> Bool {
    let text = filter.texts[number]
    return (places.contains(.name) && records.name(of: item).map { text.occurs(in: $0) } ?? false)
      || (places.contains(.folder)
        && records.folder(of: item).map { text.occurs(in: filter.searchedPart(of: $0)) } ?? false)
      || (places.contains(.camera) && records.camera(of: item).map { text.occurs(in: $0.utf8) } ?? false)
  }
}

/// A set of photographs, as a bit for each number.
struct PhotoBits: Hashable, Sendable {
  private var words: [UInt64] = []
  /// The number of photographs for which there is a bit: those with the numbers 1 to this one.
  private(set) var count = 0

  /// Adds bits that are not set, up to a number of photographs.
  mutating func grow(to count: Int) {
    guard count > self.count else { return }
    self.count = count
    words += repeatElement(0, count: (count + 63) / 64 - words.count)
  }

  /// Removes the bits after the last photograph in the set, so that sets of the same photographs are equal.
  mutating func trim() {
    while words.last == 0 { words.removeLast() }
    count = min(count, words.count * 64)
  }

  /// Whether the photograph of a row, which is its number less 1, is in the set.
  ///
  /// - Precondition: To set it, there must be a bit for the row.
  subscript(row: Int) -> Bool {
    get { row >= 0 && row < count && words[row >> 6] >> UInt64(row & 63) & 1 == 1 }
    set {
      let bit = UInt64(1) << UInt64(row & 63)
      if newValue { words[row >> 6] |= bit } else { words[row >> 6] &= ~bit }
    }
  }
}
