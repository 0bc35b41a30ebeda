import Geometry
import Glibc

/// Lanczos with three lobes, straight from its definition, slow and in double precision.
struct ReferenceResampler {
  let window: Rect
  let width: Int
  let height: Int

  /// The picture's red, green and blue, not rounded.
  func draw(_ picture: TestPicture) -> [Double] {
    let columns = (0..<width).map { weights($0, window.minX, window.width / Double(width), picture.width) }
    let rows = (0..<height).map { weights($0, window.minY, window.height / Double(height), picture.height) }
    // Across first, the other way round than the resampler under test.
    var narrow = [Double](repeating: 0, count: picture.height * width * 3)
    for y in 0..<picture.height {
      for (x, column) in columns.enumerated() {
        for (source, weight) in column {
          for channel in 0..<3 {
            narrow[(y * width + x) * 3 + channel] +=
              weight * Double(picture.bytes[(y * picture.width + source) * 4 + channel])
          }
        }
      }
    }
    var out = [Double](repeating: 0, count: width * height * 3)
    for (y, row) in rows.enumerated() {
      for (source, weight) in row {
        for index in 0..<width * 3 { out[y * width * 3 + index] += weight * narrow[source * width * 3 + index] }
      }
    }
    return out.map { max(0, min(255, $0)) }
  }

  private func weights(_ index: Int, _ start: Double, _ ratio: Double, _ count: Int) -> [(Int, Double)] {
    let center = start + (Double(index) + 0.5) * ratio
    let stretch = max(1, ratio)
    let taps = (0..<count).map { ($0, lanczos((Double($0) + 0.5 - center) / stretch)) }.filter { $0.1 != 0 }
    let sum = taps.reduce(0) { $0 + $1.1 }
    return taps.map { ($0.0, $0.1 / sum) }
  }

  private func lanczos(_ x: Double) -> Double {
    func sinc(_ x: Double) -> Double { x == 0 ? 1 : sin(Double.pi * x) / (Double.pi * x) }
    return abs(x) < 3 ? sinc(x) * sinc(x / 3) : 0
  }
}
