/// Sides of an item.
struct MeasuredSides: OptionSet, Hashable, Sendable {
  let rawValue: UInt8
  static let width = MeasuredSides(rawValue: 1)
  static let height = MeasuredSides(rawValue: 2)
}
