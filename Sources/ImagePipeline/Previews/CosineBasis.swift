/// The cosines of a transform along one side: a row of up to 32 samples for each frequency.
///
/// It is computed by sums and products of IEEE numbers alone, so that a preview has equal pixels on every machine.
struct CosineBasis {
  /// The rows, one after another, by frequency.
  let parts: [PreviewRow.Part]

  /// Creates the rows of a side.
  ///
  /// - Parameters:
  ///   - count: The number of samples along the side, at most ``PreviewRow/longest``.
  ///   - highest: The highest frequency.
  ///   - extent: The extent of the side relative to the transform's, around the same centre; beyond 1 the transform is
  ///     mirrored.
  init(count: Int, highest: Int = PreviewFrequencies.highest, extent: Float = 1) {
    var parts = [PreviewRow.Part](repeating: .zero, count: (max(1, highest) + 1) * PreviewRow.parts)
    for index in 0..<min(count, PreviewRow.longest) {
      let position = 0.5 + ((Float(index) + 0.5) / Float(count) - 0.5) * extent
      PreviewRow.set(index, ofRow: 1, in: &parts, to: CosineBasis.cosine(ofHalfTurns: position))
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

  /// Returns the cached rows of a side with the transform's full extent.
  static func fullExtent(count: Int) -> CosineBasis { all[min(max(0, count), PreviewRow.longest)] }

  private static let all: [CosineBasis] = (0...PreviewRow.longest).map {
    CosineBasis(count: $0, highest: PreviewFrequencies.highest)
  }

  /// Returns the cosine of a frequency at a sample.
  @inline(__always)
  func cosine(_ frequency: Int, at index: Int) -> Float { PreviewRow.number(index, ofRow: frequency, in: parts) }

  /// Returns a part of a frequency's row.
  @inline(__always)
  func part(_ part: Int, of frequency: Int) -> PreviewRow.Part { parts[frequency * PreviewRow.parts + part] }

  /// Returns the cosine of an angle in half turns, using the sine's series near zero, with an error below 4 millionths.
  static func cosine(ofHalfTurns turns: Float) -> Float {
    let folded = turns - 2 * (turns / 2).rounded()
    let offset = 0.5 - abs(folded)
    let square = offset * offset
    let higher: Float = 2.550_164 + square * (-0.599_264_5 + square * 0.082_145_89)
    return offset * (3.141_592_7 + square * (-5.167_713 + square * higher))
  }
}

/// The layout of rows of up to 32 numbers: in vectors that fit into the processor's registers.
enum PreviewRow {
  /// A vector of eight numbers of a row.
  typealias Part = SIMD8<Float>

  /// The number of vectors in a row.
  static let parts = 4
  /// The maximum number of elements in a row.
  static let longest = parts * Part.scalarCount

  /// Returns a number of consecutive rows.
  @inline(__always)
  static func number(_ index: Int, ofRow row: Int, in rows: [Part]) -> Float {
    rows.withUnsafeBytes {
      $0.load(fromByteOffset: (row * longest + index) * MemoryLayout<Float>.stride, as: Float.self)
    }
  }

  /// Sets a number of consecutive rows.
  @inline(__always)
  static func set(_ index: Int, ofRow row: Int, in rows: inout [Part], to number: Float) {
    rows.withUnsafeMutableBytes {
      $0.storeBytes(of: number, toByteOffset: (row * longest + index) * MemoryLayout<Float>.stride, as: Float.self)
    }
  }
}

/// The stored frequencies of an image: the lowest ones as seen on screen, for any aspect ratio.
struct PreviewFrequencies: Sendable {
  /// The number of half waves in each direction.
  struct Frequency: Hashable, Sendable {
    let horizontal: Int
    let vertical: Int
  }

  /// The highest frequency in each direction.
  static let highest = 11

  /// The frequencies, lowest first.
  let list: [Frequency]

  /// Returns the frequencies of a shape.
  static func forShape(_ shape: PreviewShape) -> PreviewFrequencies { all[shape.code / 16] }

  /// The frequencies of sixteen groups of shapes, each half an octave wide.
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
