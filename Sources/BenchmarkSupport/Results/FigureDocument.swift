internal import FoundationEssentials

/// What one run of a benchmark found out, as a file holds it: JSON, `{"figures": [{"name", "value", "unit", "nature"}]}`.
public struct FigureDocument: Hashable, Codable, Sendable {
  /// The figures.
  public let figures: [BenchmarkFigure]

  /// Makes a document of figures.
  public init(_ figures: [BenchmarkFigure]) { self.figures = figures }

  /// Reads a document's text.
  ///
  /// - Throws: ``ResultError`` that names the place.
  public init(_ text: String, from place: String) throws(ResultError) {
    do { self = try JSONDecoder().decode(FigureDocument.self, from: Data(text.utf8)) } catch {
      throw ResultError(place, error)
    }
  }

  /// Reads a file.
  ///
  /// - Throws: ``ResultError`` where there is none, or none that is understood.
  public static func read(_ path: String) throws(ResultError) -> FigureDocument {
    guard let text = try ResultFile.text(of: path) else { throw ResultError("\(path): there is no such file") }
    return try FigureDocument(text, from: path)
  }

  /// Writes a file.
  ///
  /// - Throws: ``ResultError``.
  public func write(to path: String) throws(ResultError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    do {
      try ResultFile.write(String(decoding: encoder.encode(self), as: UTF8.self) + "\n", to: path)
    } catch { throw error as? ResultError ?? ResultError(path, error) }
  }
}
