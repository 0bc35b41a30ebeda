/// The grid on which the gallery stands, in points: multiples of four.
nonisolated enum Metrics {
  /// The pixels of a picture in the grid at most; a larger cell shows it enlarged, until there is a viewer for that.
  static let maximumPictureArea = 2 << 20

  /// From the window's edges to the photographs.
  static let margin = 16.0
  /// From photograph to photograph.
  static let spacing = 12.0
  /// From picture to picture where nothing is written between them.
  static let narrowSpacing = 6.0
  /// The height of a section's header.
  static let headerHeight = 48.0
  /// The height of the bar above the photographs.
  static let barHeight = 48.0
  /// The roundness of photographs.
  static let cornerRadius = 8.0
  /// The roundness of small photographs, and of those that stand close to each other.
  static let smallCornerRadius = 4.0
  /// The width of the ring around a selected photograph.
  static let selectionWidth = 3.0
  /// The width of the ring around that which shows where the keyboard is.
  static let focusWidth = 2.0
  /// The width of the line around a row where the keyboard is.
  static let rowFocusWidth = 1.5
  /// The height of a caption under its photograph.
  static let captionHeight = 28.0
  /// A photograph's height for its width.
  static let cellAspect = 3.0 / 4.0
}
