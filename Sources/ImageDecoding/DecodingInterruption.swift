/// The question, asked between rows, whether a picture is still wanted.
///
/// The answer may come from another thread or process, so whoever asks pays for a look at memory and no more.
public struct DecodingInterruption: Sendable {
  private let isRaised: (@Sendable () -> Bool)?

  /// Nobody interrupts.
  public static let none = DecodingInterruption(asking: nil)

  /// Interrupts once a closure says so; it is called often, and must be quick.
  public init(_ isRaised: @escaping @Sendable () -> Bool) {
    self.init(asking: isRaised)
  }

  private init(asking isRaised: (@Sendable () -> Bool)?) {
    self.isRaised = isRaised
  }

  /// Goes on, or ends the work.
  ///
  /// - Throws: ``DecodingError/interrupted``.
  public func check() throws(DecodingError) {
    if let isRaised, isRaised() { throw .interrupted }
  }
}
