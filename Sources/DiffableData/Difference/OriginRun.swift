/// New items in a row that were old items in a row, or of which none was there.
struct OriginRun: Sendable {
  /// The number of the first new item; the run ends where the next one begins.
  var slot: Int32
  /// The number of the first old item where they may stay, `-1` for items that were not there, and `-2 - n` for items
  /// that move and of which the first was number n.
  var origin: Int32

  /// The origin of items that move.
  static func moved(_ first: Int32) -> Int32 { -2 - first }
}
