/// The overlay's grid, in points.
enum OverlayMetrics {
  /// How many frames are looked at at most for what was last: some seconds.
  static let maximumScannedFrames = 1_000
  /// How many of the last frames are looked at.
  static let frameCount = 240
  /// A frame's width in the graph.
  static let barWidth = 2.0
  /// Around all.
  static let padding = 12.0
  /// How round the panel's corners are, and how wide its border is.
  static let cornerRadius = 10.0
  static let border = 1.0
  /// Above the legend.
  static let legendMargin = 6.0
  /// From one line of type to the next.
  static let rowHeight = 18.0
  /// Where values begin, behind the names.
  static let valueColumn = 72.0
  /// Between what stands at the left of a row and at its right.
  static let gap = 8.0
  /// The graph's height.
  static let graphHeight = 80.0
  /// Above and below the graph.
  static let graphMargin = 6.0
  /// The refreshes that the graph shows from bottom to top.
  static let graphScale = 1.25
  /// The mark of a late frame, at the graph's top.
  static let markHeight = 4.0
  /// The lines that the words of the last hitch may take.
  static let hitchRowCount = 2
  /// The square beside a name in the legend, and the way from it to the name.
  static let swatchSize = 7.0
  static let swatchGap = 11.0
  /// Names in a row of the legend.
  static let legendColumns = 5
}
