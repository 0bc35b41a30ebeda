import VitrineFramePacing

/// The text typed to find a photograph by name, on the clock of the frames.
///
/// Letters typed in quick succession form one prefix.
nonisolated struct TypeAhead: Hashable, Sendable {
  /// The typed text.
  ///
  /// It is empty after a timeout or when the search is cancelled.
  private(set) var text = ""
  /// The time at which the text expires, or nil if it does not.
  private(set) var expiry: FrameInstant?
  /// The maximum time between two letters.
  static let timeout = FrameDuration.milliseconds(1_500)
  private static let maximumLength = 64

  /// Whether there is typed text.
  var isActive: Bool { !text.isEmpty }

  /// The prefix to search for, and whether the focused photograph may match.
  ///
  /// Typing the same letter repeatedly cycles through the names that start with it.
  var query: (prefix: String, includesCurrent: Bool) {
    let letters = Set(text.lowercased())
    return letters.count == 1 ? (String(text.prefix(1)), false) : (text, true)
  }

  /// Appends a typed letter.
  mutating func appendLetter(_ letter: Character, at instant: FrameInstant) {
    if text.count < TypeAhead.maximumLength { text.append(letter) }
    expiry = instant + TypeAhead.timeout
  }

  /// Deletes the last letter.
  mutating func deleteLastLetter(at instant: FrameInstant) {
    if !text.isEmpty { text.removeLast() }
    expiry = text.isEmpty ? nil : instant + TypeAhead.timeout
  }

  /// Suspends the expiry during a search, until ``restartExpiry(from:)``.
  mutating func suspendExpiry() { expiry = nil }

  /// Restarts the expiry after a search.
  mutating func restartExpiry(from instant: FrameInstant) {
    if isActive { expiry = instant + TypeAhead.timeout }
  }

  /// Clears the text.
  mutating func clear() { self = TypeAhead() }

  /// Clears the text if it has expired.
  ///
  /// - Returns: Whether it expired.
  mutating func expire(at instant: FrameInstant) -> Bool {
    guard let expiry, expiry <= instant else { return false }
    clear()
    return true
  }
}

/// A search for a name with a given prefix, in steps, from a start index through all names and around the end.
///
/// The comparison is case-insensitive.
nonisolated struct NameSearch: Hashable, Sendable {
  /// The state of a search.
  enum State: Hashable {
    /// The name at this index matches.
    case found(Int)
    /// The search is not finished.
    case searching
    /// No name matches.
    case notFound
  }

  private let prefix: [UInt8]
  private let count: Int
  private var nextIndex: Int
  private var remainingCount: Int

  /// Creates a search.
  ///
  /// - Parameters:
  ///   - text: The prefix.
  ///   - start: The first index to examine.
  ///   - count: The number of names.
  init(for text: String, from start: Int, of count: Int) {
    prefix = Array(text.lowercased().utf8)
    self.count = max(0, count)
    nextIndex = count > 0 ? max(0, start) % count : 0
    remainingCount = self.count
  }

  /// Examines more names.
  ///
  /// - Parameters:
  ///   - most: The maximum number of names.
  ///   - name: Returns the bytes of the name at an index.
  mutating func advance(atMost most: Int, name: (Int) -> ArraySlice<UInt8>?) -> State {
    guard !prefix.isEmpty else { return .notFound }
    for _ in 0..<min(most, remainingCount) {
      let index = nextIndex
      nextIndex = nextIndex + 1 == count ? 0 : nextIndex + 1
      remainingCount -= 1
      if let name = name(index), matchesPrefix(name) { return .found(index) }
    }
    return remainingCount == 0 ? .notFound : .searching
  }

  private func matchesPrefix(_ name: ArraySlice<UInt8>) -> Bool {
    var rest = name
    for byte in prefix {
      guard let other = rest.popFirst() else { return false }
      if byte == other || (NameSearch.isCapital(other) && byte == other | 0x20) { continue }
      // Outside ASCII, the other case has different bytes and may be longer.
      guard byte >= 0x80 || other >= 0x80 else { return false }
      return String(decoding: name, as: UTF8.self).lowercased().utf8.starts(with: prefix)
    }
    return true
  }

  private static func isCapital(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }
}
