/// The cosines of a transform along one side: a row of up to 32 places for each frequency.
///
/// Sums and products of IEEE numbers alone, so that a preview has equal pixels on every machine.
struct CosineRows {
  /// One number for each place along a side.
  typealias Row = SIMD32<Float>

  /// The rows by frequency.
  let rows: [Row]

  /// Makes the rows of a side.
  ///
  /// - Parameters:
  ///   - count: the places along the side, at most 32.
  ///   - highest: the highest frequency.
  ///   - extent: how much of the transform's own extent, the middle of it kept, the side has; beyond 1 the transform
  ///     goes on mirrored.
  init(count: Int, highest: Int, extent: Float = 1) {
    var first = Row.zero
    for place in 0..<min(count, Row.scalarCount) {
      let position = 0.5 + ((Float(place) + 0.5) / Float(count) - 0.5) * extent
      first[place] = CosineRows.cosine(ofHalfTurns: position)
    }
    var rows = [Row(repeating: 1), first]
    // cos((k + 1) a) = 2 cos(a) cos(k a) - cos((k - 1) a)
    while rows.count <= highest { rows.append(2 * first * rows[rows.count - 1] - rows[rows.count - 2]) }
    self.rows = rows
  }

  /// The cosine of so many half turns: by the sine's series near zero, off by less than 4 millionths.
  static func cosine(ofHalfTurns turns: Float) -> Float {
    let folded = turns - 2 * (turns / 2).rounded()
    let offset = 0.5 - abs(folded)
    let square = offset * offset
    let higher: Float = 2.550_164 + square * (-0.599_264_5 + square * 0.082_145_89)
    return offset * (3.141_592_7 + square * (-5.167_713 + square * higher))
  }
}
