/// An item whose cell the client's code is preparing right now.
struct ItemInProgress {
  /// Its flat index.
  let index: Int
  /// Whether that code asked for the very item to be configured again.
  var needsReconfigure = false
}
