import VitrineDataStructures
import VitrineGeometry
import VitrineImageMetadata

/// A filter that decides which photographs a query finds.
package struct PhotoFilter: Sendable {
  /// A condition, whose tests are ranges of the filter's, so that a test of a photograph retains nothing.
  fileprivate struct Condition: Sendable {
    let isExclusion: Bool
    let properties: Range<Int>
    let textTests: Range<Int>
  }

  /// A test for a text of ``texts``.
  fileprivate struct TextTest: Sendable {
    let number: Int
    let places: PhotoTest.Places
  }

  /// The tests of a filter, valid during a call of ``withTests(_:)``.
  struct Tests {
    fileprivate let conditions: UnsafeBufferPointer<Condition>
    fileprivate let properties: UnsafeBufferPointer<PropertyTest>
    fileprivate let textTests: UnsafeBufferPointer<TextTest>

    /// Returns whether the query finds a photograph.
    ///
    /// - Complexity: O(*c*) tests for *c* conditions, each O(*n*) in the length of a name at most.
    @inline(__always)
    func find(_ photo: some SearchedPhoto) -> Bool {
      for condition in conditions {
        // Properties are the fastest.
        let holds =
          condition.properties.contains { PhotoFilter.passes(properties[$0], photo) }
          || condition.textTests.contains { photo.isText(textTests[$0].number, in: textTests[$0].places) }
        if holds == condition.isExclusion { return false }
      }
      return true
    }
  }

  private var conditions: [Condition] = []
  private var properties: [PropertyTest] = []
  private var textTests: [TextTest] = []
  /// The texts of the query, each once.
  let texts: [SearchText]
  private let roots: [PhotoPath]

  /// Creates a filter.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - roots: The roots of the library. The path of a root is not searched, only its name if there are several.
  ///     Default: none.
  package init(_ query: PhotoQuery, roots: [PhotoPath] = []) {
    var texts: [SearchText] = []
    var conditions: [Condition] = []
    for source in query.conditions {
      let starts = (properties.count, textTests.count)
      for test in source.tests {
        switch test {
        case .property(let test): properties.append(test)
        case .text(let text, let places):
          let number = texts.firstIndex(of: text) ?? texts.count
          if number == texts.count { texts.append(text) }
          textTests.append(TextTest(number: number, places: places))
        }
      }
      conditions.append(
        Condition(
          isExclusion: source.isExclusion, properties: starts.0..<properties.count,
          textTests: starts.1..<textTests.count))
    }
    // Conditions of numbers first: they rule out photographs whose names are not read.
    self.conditions = conditions.filter(\.textTests.isEmpty) + conditions.filter { !$0.textTests.isEmpty }
    self.texts = texts
    self.roots = roots
  }

  /// Returns whether the query finds a photograph.
  func finds(_ photo: some SearchedPhoto) -> Bool { withTests { $0.find(photo) } }

  /// Calls a closure with the tests, which retain nothing.
  func withTests<Result>(_ body: (Tests) -> Result) -> Result {
    conditions.withUnsafeBufferPointer { conditions in
      properties.withUnsafeBufferPointer { properties in
        textTests.withUnsafeBufferPointer { textTests in
          body(Tests(conditions: conditions, properties: properties, textTests: textTests))
        }
      }
    }
  }

  @inline(__always)
  fileprivate static func passes(_ test: PropertyTest, _ photo: some SearchedPhoto) -> Bool {
    switch test {
    case .date(let period): photo.time.map(period.contains) ?? false
    case .monthOfYear(let month): photo.time.map { CalendarMonth(containing: $0).month == month } ?? false
    case .format(let format): photo.format == format
    case .byteCount(let range): range.contains(photo.byteCount)
    case .pixelCount(let range): photo.size.map { range.contains(Int64($0.width) * Int64($0.height)) } ?? false
    case .rating(let range): range.contains(photo.rating)
    case .hasLocation: photo.hasLocation
    case .shape(let shape): photo.size.map { hasShape(shape, $0) } ?? false
    }
  }

  private static func hasShape(_ shape: PropertyTest.Shape, _ size: PixelSize) -> Bool {
    switch shape {
    case .portrait: size.height > size.width
    case .landscape: size.width > size.height
    case .square: size.width == size.height
    case .panorama: size.width >= 2 * size.height
    }
  }

  /// Returns the part of a folder's path that is searched.
  func searchedPart(of folder: PhotoPath) -> ArraySlice<UInt8> {
    guard let root = roots.first(where: { folder.isWithin($0) }) else { return folder.bytes[...] }
    return folder.bytes[(roots.count > 1 ? root.bytes.count - root.lastComponent.count : root.bytes.count)...]
  }
}

/// A photograph whose properties a filter reads.
protocol SearchedPhoto {
  var time: Int64? { get }
  var format: ImageFormat? { get }
  var byteCount: Int64 { get }
  var size: PixelSize? { get }
  var rating: Int { get }
  var hasLocation: Bool { get }

  /// Returns whether a text occurs in one of the places.
  ///
  /// - Parameters:
  ///   - number: The number of the text in the filter.
  ///   - places: The places.
  func isText(_ number: Int, in places: PhotoTest.Places) -> Bool
}
