/// An emoji, and how well it is liked.
nonisolated struct EmojiRating: Hashable, Sendable {
  /// The most stars.
  static let most = 5

  /// The emoji.
  let emoji: String
  /// From 1 to ``most``.
  let stars: Int

  /// The stars as a line of as many signs, whatever their number.
  var text: String { String(repeating: "★", count: stars) + String(repeating: "☆", count: EmojiRating.most - stars) }
}
