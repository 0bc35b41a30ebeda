/// The cosines of a transform along one side: a row of up to 32 places for each frequency.
///
/// Sums and products of IEEE numbers alone, so that a preview has equal pixels on every machine.
struct CosineBasis {
  /// The rows, one behind the other, by frequency.
  let parts: [PreviewRow.Part]

  /// Makes the rows of a side.
  ///
  /// - Parameters:
  ///   - count: the places along the side, at most ``PreviewRow/longest``.
  ///   - highest: the highest frequency.
  ///   - extent: how much of the transform's own extent, the middle of it kept, the side has; beyond 1 the transform
  ///     goes on mirrored.
  init(count: Int, highest: Int = PreviewFrequencies.highest, extent: Float = 1) {
    var parts = [PreviewRow.Part](repeating: .zero, count: (max(1, highest) + 1) * PreviewRow.parts)
    for place in 0..<min(count, PreviewRow.longest) {
      let position = 0.5 + ((Float(place) + 0.5) / Float(count) - 0.5) * extent
      PreviewRow.set(place, ofRow: 1, in: &parts, to: CosineBasis.cosine(ofHalfTurns: position))
    }
    let row = PreviewRow.parts
    for part in 0..<row {
      let first = parts[row + part]
      parts[part] = PreviewRow.Part(repeating: 1)
      // cos((k + 1) a) = 2 cos(a) cos(k a) - cos((k - 1) a)
      for next in stride(from: 2 * row + part, to: parts.count, by: row) {
        parts[next] = 2 * first * parts[next - row] - parts[next - 2 * row]
      }
    }
    self.parts = parts
  }

  /// The rows of a side that has all of the transform's extent, made once.
  static func fullExtent(count: Int) -> CosineBasis { all[min(max(0, count), PreviewRow.longest)] }

  private static let all: [CosineBasis] = (0...PreviewRow.longest).map {
    CosineBasis(count: $0, highest: PreviewFrequencies.highest)
  }

  /// The cosine of a frequency at a place.
  @inline(__always)
  func cosine(_ frequency: Int, at place: Int) -> Float { PreviewRow.number(place, ofRow: frequency, in: parts) }

  /// A part of a frequency's row.
  @inline(__always)
  func part(_ part: Int, of frequency: Int) -> PreviewRow.Part { parts[frequency * PreviewRow.parts + part] }

  /// The cosine of so many half turns: by the sine's series near zero, off by less than 4 millionths.
  static func cosine(ofHalfTurns turns: Float) -> Float {
    let folded = turns - 2 * (turns / 2).rounded()
    let offset = 0.5 - abs(folded)
    let square = offset * offset
    let higher: Float = 2.550_164 + square * (-0.599_264_5 + square * 0.082_145_89)
    return offset * (3.141_592_7 + square * (-5.167_713 + square * higher))
  }
}
