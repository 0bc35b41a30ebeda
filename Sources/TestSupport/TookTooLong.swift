/// Something did not happen in time.
public struct WaitTimeoutError: Error, CustomStringConvertible {
  private let what: String

  /// Makes the error.
  ///
  /// - Parameter what: what was waited for.
  public init(what: String) { self.what = what }

  /// What was waited for, in a sentence.
  public var description: String { "waited in vain for \(what)" }
}
