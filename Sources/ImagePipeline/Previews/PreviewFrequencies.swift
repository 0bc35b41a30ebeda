/// Which frequencies of a picture are kept: the lowest, as they are seen, whatever the picture's shape.
struct PreviewFrequencies: Sendable {
  /// How often brightness goes up and down, across and downwards.
  struct Frequency: Hashable, Sendable {
    let horizontal: Int
    let vertical: Int
  }

  /// No frequency goes up and down more often than this.
  static let highest = 11

  /// In their order, from the lowest.
  let list: [Frequency]

  /// Those of a shape.
  static func forShape(_ shape: PreviewShape) -> PreviewFrequencies { all[shape.code / 16] }

  /// Those of sixteen groups of shapes, each half an octave wide.
  private static let all: [PreviewFrequencies] = (0..<16).map { group in
    let middle = PreviewShape(code: group * 16 + 8).ratio
    return PreviewFrequencies(ratio: middle)
  }

  private init(ratio: Double) {
    var found: [(length: Double, frequency: Frequency)] = []
    for down in 0...PreviewFrequencies.highest {
      for across in 0...PreviewFrequencies.highest where across + down > 0 {
        let length = Double(across * across) / (ratio * ratio) + Double(down * down)
        found.append((length, Frequency(horizontal: across, vertical: down)))
      }
    }
    found.sort { ($0.length, $0.frequency.vertical) < ($1.length, $1.frequency.vertical) }
    list = found.prefix(TinyPreview.lumaCount).map(\.frequency)
  }
}
