import Geometry

/// The shape of a rectangle in eight bits: width for height from 1:16 to 16:1, to about 1 %.
struct PreviewShape: Hashable, Sendable {
  /// 0 to 255; 128 is a square, and 32 more double the width.
  let code: Int

  /// Takes a number, the nearest from 0 to 255.
  init(code: Int) { self.code = min(255, max(0, code)) }

  /// The nearest shape of a size.
  init(_ size: PixelSize) {
    // By comparing with the shapes themselves: no logarithm, which differs from machine to machine.
    let wanted = Double(size.width) / Double(size.height)
    var (low, high) = (0, 255)
    while low < high {
      let middle = (low + high) / 2
      let between = PreviewShape.ratios[middle] * PreviewShape.ratios[middle + 1]
      if wanted * wanted <= between { high = middle } else { low = middle + 1 }
    }
    code = low
  }

  /// The width for the height.
  var ratio: Double { PreviewShape.ratios[code] }

  /// Every shape's ratio: powers of the 32nd root of two, by five square roots, which are exact everywhere.
  private static let ratios: [Double] = {
    var root = 2.0
    for _ in 0..<5 { root = root.squareRoot() }
    var ratios = Array(repeating: 1.0, count: 256)
    for code in 129..<256 { ratios[code] = ratios[code - 1] * root }
    for code in (0..<128).reversed() { ratios[code] = ratios[code + 1] / root }
    return ratios
  }()
}
