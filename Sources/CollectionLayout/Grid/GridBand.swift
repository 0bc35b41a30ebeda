/// The rows of one section of a grid.
struct GridBand: Hashable, Sendable {
  /// The index of the section's first item.
  let firstItem: Int
  /// How many items there are, at least 1.
  let itemCount: Int
  /// The pixel at which the first row begins.
  let top: Int
  /// How many rows there are, at least 1.
  let rowCount: Int
}
