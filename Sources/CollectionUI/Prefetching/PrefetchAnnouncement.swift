/// What there is to tell about what is wanted ahead.
struct PrefetchAnnouncement {
  /// How many items are wanted.
  let requested: Int
  /// How many are given up.
  let cancelled: Int
  /// The numbers of items that were on screen under other ones.
  let seen: [Int]
  /// Tells it: the client's code runs.
  let deliver: () -> Void
}
