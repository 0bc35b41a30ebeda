/// A layout to measure, by its name on the command line.
public enum LayoutKind: String, CaseIterable, Sendable {
  /// Columns that fill the width, all items alike.
  case grid
  /// The same as a compositional group that repeats.
  case groups
  /// A pattern of nested groups with a hero.
  case mosaic
  /// Rows of one height.
  case list
  /// Rows whose cells tell their height.
  case estimated
  /// Two cells beside each other, as high as the higher of them tells.
  case cards
  /// Rows of pictures that keep their aspect ratios.
  case justified

  /// Whether places follow from the numbers of items alone.
  public var isUniform: Bool { !asksCells && self != .justified }

  /// Whether cells tell their height.
  public var asksCells: Bool { self == .estimated || self == .cards }
}
