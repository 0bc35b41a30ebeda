/// A file of results that cannot be read, written or understood.
public struct ResultError: Error, Hashable, CustomStringConvertible {
  /// The line that names the file and says why.
  public let description: String

  /// Makes an error from its line.
  public init(_ description: String) { self.description = description }

  /// What a decoder of JSON says, in one line.
  init(_ place: String, _ error: any Error) {
    guard let error = error as? DecodingError else {
      self.init("\(place): \(error)")
      return
    }
    let context: DecodingError.Context? =
      switch error {
      case .dataCorrupted(let context), .keyNotFound(_, let context), .typeMismatch(_, let context),
        .valueNotFound(_, let context):
        context
      @unknown default: nil
      }
    let path = (context?.codingPath ?? []).map { $0.intValue.map { "\($0)" } ?? $0.stringValue }
    let reason = context?.debugDescription ?? "\(error)"
    self.init("\(place): " + (path.isEmpty ? reason : "at \(path.joined(separator: ".")): \(reason)"))
  }
}
