internal import FoundationEssentials

/// The thresholds that the tree keeps: JSON, `{"thresholds": [...]}`, in the order in which a table shows them.
public struct ThresholdTable: Hashable, Decodable, Sendable {
  /// The thresholds.
  public let thresholds: [FigureThreshold]

  /// Makes a table.
  public init(_ thresholds: [FigureThreshold]) { self.thresholds = thresholds }

  /// Reads a table's text.
  ///
  /// - Throws: ``ResultError`` that names the place, also where two thresholds have the same name.
  public init(_ text: String, from place: String) throws(ResultError) {
    do { self = try JSONDecoder().decode(ThresholdTable.self, from: Data(text.utf8)) } catch {
      throw ResultError(place, error)
    }
    var names: Set<String> = []
    for threshold in thresholds where !names.insert(threshold.figure).inserted {
      throw ResultError("\(place): \(threshold.figure) stands there twice")
    }
  }

  /// The place of the threshold that a figure is held against: the first that is of its name; nothing where none is.
  ///
  /// - Complexity: O(t) for t thresholds.
  public func place(of name: String) -> Int? { thresholds.firstIndex { $0.matches(name) } }
}
