import Glibc

/// Which pixels of a line make each pixel of the result, and by how much: Lanczos with three lobes.
///
/// The ratio is the true one, of the window to the result. Rounding it to whole pixels, as a decoder's scaled size would
/// suggest, moves a picture by fractions of a pixel and costs ten decibels or more.
struct LanczosWeights {
  /// Where one pixel of the result comes from.
  struct Span {
    /// The first source pixel.
    var first: Int
    /// How many source pixels.
    var count: Int
    /// Where their weights begin.
    var weights: Int
  }

  private(set) var spans: [Span] = []
  private(set) var weights: [Float] = []

  /// Whether the result is a run of the source's pixels, as at a window of whole pixels and the same size.
  ///
  /// One weight a pixel is not enough: a source of one pixel makes all of a longer result.
  var isCopy: Bool {
    guard let start = spans.first?.first, weights.count == spans.count else { return false }
    return spans.indices.allSatisfy { spans[$0].first == start + $0 }
  }

  private static let lobes = 3.0
  /// Weights below this move no byte, and a picture at its own size is then copied exactly.
  private static let negligible = 1e-6

  /// Makes the weights of a line.
  ///
  /// - Parameters:
  ///   - count: the pixels of the source line.
  ///   - start: where the window begins, in source pixels.
  ///   - length: how long the window is, in source pixels.
  ///   - output: the pixels of the result.
  init(count: Int, start: Double, length: Double, output: Int) {
    let ratio = length / Double(output)
    let stretch = max(1, ratio)
    let reach = LanczosWeights.reach(ratio: ratio)
    spans.reserveCapacity(output)
    weights.reserveCapacity(output * (Int(reach * 2) + 2))
    for index in 0..<output {
      let center = start + (Double(index) + 0.5) * ratio
      var first = max(0, min(count - 1, Int((center - reach).rounded(.down))))
      let end = max(first + 1, min(count, Int((center + reach).rounded(.up))))
      var line = (first..<end).map { LanczosWeights.kernel((Double($0) + 0.5 - center) / stretch) }
      let leading = line.prefix { abs($0) < LanczosWeights.negligible }.count
      if leading < line.count {
        line.removeFirst(leading)
        first += leading
        while let last = line.last, abs(last) < LanczosWeights.negligible { line.removeLast() }
      }
      let sum = line.reduce(0, +)
      spans.append(Span(first: first, count: line.count, weights: weights.count))
      weights.append(contentsOf: line.map { Float(sum == 0 ? 1 / Double(line.count) : $0 / sum) })
    }
  }

  /// How far to either side a pixel of the result looks, at a ratio of source pixels to one of the result.
  static func reach(ratio: Double) -> Double { lobes * max(1, ratio) }

  /// The kernel at a distance in pixels.
  static func kernel(_ x: Double) -> Double {
    if x == 0 { return 1 }
    if abs(x) >= lobes { return 0 }
    let angle = Double.pi * x
    return lobes * sin(angle) * sin(angle / lobes) / (angle * angle)
  }
}
