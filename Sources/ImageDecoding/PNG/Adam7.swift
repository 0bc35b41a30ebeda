/// Which pixels of an interlaced PNG come in which of its seven passes (ISO/IEC 15948, section 8).
struct Adam7 {
  /// The first column of a pass.
  let startX: Int
  /// The first row of a pass.
  let startY: Int
  /// From a column of a pass to the next.
  let stepX: Int
  /// From a row of a pass to the next.
  let stepY: Int

  /// The passes in order.
  static let passes = [
    Adam7(startX: 0, startY: 0, stepX: 8, stepY: 8), Adam7(startX: 4, startY: 0, stepX: 8, stepY: 8),
    Adam7(startX: 0, startY: 4, stepX: 4, stepY: 8), Adam7(startX: 2, startY: 0, stepX: 4, stepY: 4),
    Adam7(startX: 0, startY: 2, stepX: 2, stepY: 4), Adam7(startX: 1, startY: 0, stepX: 2, stepY: 2),
    Adam7(startX: 0, startY: 1, stepX: 1, stepY: 2),
  ]
}
