/// The sentences about mistakes in the use of the library that a window's views found: what is wrong, and the cure.
///
/// A mistake that would corrupt the view stops the program instead. Each sentence is reported once. A host prints them
/// to standard error.
@MainActor
public final class MisuseLog {
  /// The sentences so far.
  public private(set) var sentences: [String] = []
  /// A closure that is called with each new sentence; nil by default.
  public var onReport: ((_ sentence: String) -> Void)?

  /// The maximum number of sentences; later ones are ignored.
  private static let maximumCount = 100

  init() {}

  /// Reports a mistake, unless its sentence was reported before.
  package func report(_ sentence: String) {
    guard sentences.count < MisuseLog.maximumCount, !sentences.contains(sentence) else { return }
    sentences.append(sentence)
    onReport?(sentence)
  }
}
