/// Which items a list of what is to be prepared holds.
package enum PreparationScope: Hashable, Sendable {
  /// All that may wait, those that are seen first before others.
  case everything
  /// The row that comes on screen next alone.
  case nextRow
}
