import VitrineGeometry
import VitrineRendering
import VitrineViews

/// The distribution of the luminance in a picture, from black to white.
nonisolated struct LuminanceHistogram: Hashable, Sendable {
  /// The number of ranges of luminance.
  static let binCount = 128
  /// The maximum number of pixels that are counted, in a grid over the picture.
  static let maximumSamples = 500_000

  /// The number of counted pixels in each range.
  private(set) var counts = [Int](repeating: 0, count: LuminanceHistogram.binCount)

  /// Counts the pixels of a bitmap that are mostly opaque.
  ///
  /// It must not be called on the thread that draws.
  ///
  /// - Complexity: O(pixels), at most ``maximumSamples``.
  init(of bitmap: Bitmap) {
    let (width, height) = (bitmap.size.width, bitmap.size.height)
    var step = 1
    while (width / step) * (height / step) > LuminanceHistogram.maximumSamples { step += 1 }
    let (red, blue) = bitmap.order == .redFirst ? (0, 2) : (2, 0)
    bitmap.withPixels { pixels in
      for y in stride(from: 0, to: height, by: step) {
        for x in stride(from: 0, to: width, by: step) {
          let offset = y * bitmap.bytesPerRow + 4 * x
          guard pixels[offset + 3] >= 128 else { continue }
          // ITU-R BT.709, in 256ths.
          let sum = 54 * Int(pixels[offset + red]) + 183 * Int(pixels[offset + 1]) + 19 * Int(pixels[offset + blue])
          counts[((sum >> 8) * LuminanceHistogram.binCount) >> 8] += 1
        }
      }
    }
  }

  /// The height of each range, 0 to 1: the square root of its part, so that rare tones can be seen next to a plain sky.
  ///
  /// Pixels that are quite black or white may be most of a picture. They count for the scale only if there are no others,
  /// so that the rest can be seen.
  var heights: [Double] {
    let inner = counts.dropFirst().dropLast().max() ?? 0
    let highest = inner > 0 ? inner : counts.max() ?? 0
    guard highest > 0 else { return counts.map { _ in 0 } }
    return counts.map { min(1, (Double($0) / Double(highest)).squareRoot()) }
  }
}

/// A view of the distribution of the luminance in a picture.
final class HistogramView: View, ThemedView {
  /// The colors.
  var theme: Theme {
    didSet { setNeedsDisplay() }
  }
  /// The distribution, or nil while it is unknown.
  var histogram: LuminanceHistogram? {
    didSet { if histogram != oldValue { heights = histogram?.heights ?? [] } }
  }
  private var heights: [Double] = [] {
    didSet { setNeedsDisplay() }
  }
  private static let inset = 6.0

  /// Creates a view that is empty.
  init(theme: Theme) {
    self.theme = theme
    super.init()
    isUserInteractionEnabled = false
  }

  override func draw(in context: DrawContext) {
    context.fillRounded(bounds, radius: Metrics.smallCornerRadius, theme.primaryText.opacity(0.06))
    let area = bounds.inset(by: Insets(uniform: HistogramView.inset))
    guard !heights.isEmpty, area.width > 0 else { return }
    let width = area.width / Double(heights.count)
    for (index, height) in heights.enumerated() where height > 0 {
      // The edges are those of pixels, so that neither gaps nor overlaps are visible.
      let (start, end) = (
        context.scale.snapped(Double(index) * width), context.scale.snapped(Double(index + 1) * width)
      )
      let length = max(1, (height * area.height).rounded())
      context.fill(
        Rect(x: area.minX + start, y: area.maxY - length, width: end - start, height: length), theme.secondaryText)
    }
  }
}
