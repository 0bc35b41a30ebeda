import VitrineImageMetadata

/// A search for photographs: conditions that must all hold.
///
/// A query is made from text that the user types, such as `holiday July 2019 >5MB -png`. Every text is a valid query:
/// a word that states nothing else is looked for in names, folders and cameras.
///
/// | Text | Photographs |
/// |---|---|
/// | `beach` | with this text in the name, the folder or the camera |
/// | `"new year"` | with this text, including the space |
/// | `name:beach`, `folder:trip`, `camera:nikon` | with this text in the name, the folder or the camera only |
/// | `2019`, `2019-07`, `2019-07-14`, `July 2019`, `July` | taken in this year, month or day, or with this text |
/// | `date:2017..2019`, `date:>=2019-07` | taken in a period |
/// | `png`, `format:png` | of a format; the word alone also finds it in texts |
/// | `>5MB`, `size:1MB..5MB`, `>12MP` | with a file of this size, or this many pixels |
/// | `***`, `rating:4`, `rating:<=2` | with at least this rating, or with this one |
/// | `has:place` | whose file states where it was taken |
/// | `portrait` (`upright`), `landscape` (`wide`), `square`, `panorama` | of this shape, or with this text |
/// | `-beach` | to which the condition does not apply |
package struct PhotoQuery: Hashable, Sendable {
  /// A condition of a query.
  package struct Condition: Hashable, Sendable {
    /// The text as the user typed it, without surrounding spaces.
    package let text: String
    /// What the condition states, for display, such as `July 2019`, `> 5 MB` or `★ 4 or more`.
    package let title: String
    /// Whether photographs that satisfy a test are left out instead of found.
    let isExclusion: Bool
    /// The tests, one of which must succeed.
    let tests: [PhotoTest]
  }

  /// The maximum length of a query, in bytes of UTF-8; what is beyond it is ignored.
  package static let maximumLength = 1_000
  /// The maximum number of conditions; those beyond it are ignored.
  package static let maximumConditionCount = 32

  /// The conditions, in the order of the text.
  package let conditions: [Condition]

  /// Creates a query from text that a user typed.
  ///
  /// - Complexity: O(*n*) in the length of the text, at most ``maximumLength``.
  package init(_ text: String) {
    var parser = PhotoQueryParser(text)
    conditions = parser.parse()
  }

  /// Whether the query has no conditions, so that it finds all photographs.
  package var isEmpty: Bool { conditions.isEmpty }

  /// Returns whether the query has all conditions of a text, however they are written.
  package func contains(_ text: String) -> Bool {
    let wanted = PhotoQuery(text).conditions
    return !wanted.isEmpty && wanted.allSatisfy { condition in conditions.contains { $0.title == condition.title } }
  }

  /// Returns the text of the query with the conditions of another text, or without them if it has them.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - others: Texts whose conditions exclude those of the text, and are removed.
  package func text(toggling text: String, insteadOf others: [String] = []) -> String {
    let removed = Set(([text] + others).flatMap { PhotoQuery($0).conditions.map(\.title) })
    let rest = conditions.filter { !removed.contains($0.title) }.map(\.text)
    return (contains(text) ? rest : rest + [text]).joined(separator: " ")
  }

  /// Returns the text of the query without one of its conditions.
  package func text(removingConditionAt index: Int) -> String {
    conditions.enumerated().filter { $0.offset != index }.map(\.element.text).joined(separator: " ")
  }
}

/// A test of one property of a photograph.
enum PhotoTest: Hashable, Sendable {
  /// The places in which a text is looked for.
  struct Places: OptionSet, Hashable, Sendable {
    let rawValue: UInt8
    static let name = Places(rawValue: 1)
    static let folder = Places(rawValue: 2)
    static let camera = Places(rawValue: 4)
    static let all: Places = [.name, .folder, .camera]
  }

  /// The text occurs in one of the places.
  case text(SearchText, Places)
  /// A property of the photograph has one of the values.
  case property(PropertyTest)
}

/// A test of a property that is not a text.
enum PropertyTest: Hashable, Sendable {
  /// The shapes of photographs.
  enum Shape: String, Hashable, Sendable, CaseIterable {
    case portrait
    case landscape
    case square
    /// At least twice as wide as high.
    case panorama

    /// Creates the shape of a word, or returns nil if it is not one.
    init?(named word: String) {
      switch word.lowercased() {
      case "upright", "vertical": self = .portrait
      case "wide", "horizontal": self = .landscape
      case let name:
        guard let shape = Shape(rawValue: name) else { return nil }
        self = shape
      }
    }
  }

  /// The photograph was taken in the period, in seconds since 1970 on the camera's clock.
  case date(Range<Int64>)
  /// The photograph was taken in this month of any year, 1 to 12.
  case monthOfYear(Int)
  /// The file has the format.
  case format(ImageFormat)
  /// The size of the file in bytes is in the range.
  case byteCount(ClosedRange<Int64>)
  /// The number of pixels is in the range.
  case pixelCount(ClosedRange<Int64>)
  /// The rating is in the range; photographs without one have 0.
  case rating(ClosedRange<Int>)
  /// The file states where the photograph was taken.
  case hasLocation
  /// The photograph has the shape.
  case shape(Shape)
}
