import FramePacing

/// What was typed to find a photograph by its name: letters that follow each other soon are one beginning.
///
/// A pure machine on the frames' clock.
nonisolated struct TypeAhead: Hashable, Sendable {
  /// What was typed; nothing after a while, or when it was given up.
  private(set) var text = ""
  /// When that is forgotten.
  private(set) var expiry: FrameInstant?
  /// How long one may think about the next letter.
  static let timeout = FrameDuration.milliseconds(1_500)
  private static let maximumLength = 64

  /// Whether something was typed that counts still.
  var isActive: Bool { !text.isEmpty }

  /// What a name is to begin with, and whether one from the present place on, or the next one.
  ///
  /// One letter again and again goes through the names that begin with it.
  var query: (beginning: String, includesPresent: Bool) {
    let letters = Set(text.lowercased())
    return letters.count == 1 ? (String(text.prefix(1)), false) : (text, true)
  }

  /// A letter was typed.
  mutating func appendLetter(_ letter: Character, at instant: FrameInstant) {
    if text.count < TypeAhead.maximumLength { text.append(letter) }
    expiry = instant + TypeAhead.timeout
  }

  /// The last letter is taken back.
  mutating func deleteLastLetter(at instant: FrameInstant) {
    if !text.isEmpty { text.removeLast() }
    expiry = text.isEmpty ? nil : instant + TypeAhead.timeout
  }

  /// It is looked for: until ``remember(from:)`` it is not forgotten.
  mutating func suspendExpiry() { expiry = nil }

  /// It was looked for: from now on one may think about the next letter.
  mutating func restartExpiry(from instant: FrameInstant) {
    if isActive { expiry = instant + TypeAhead.timeout }
  }

  /// It is given up.
  mutating func clear() { self = TypeAhead() }

  /// Forgets what was typed too long ago.
  ///
  /// - Returns: whether that was just now.
  mutating func expire(at instant: FrameInstant) -> Bool {
    guard let expiry, expiry <= instant else { return false }
    clear()
    return true
  }
}
