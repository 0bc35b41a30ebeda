import ExampleSupport
import Geometry
import Rendering
import Views

/// What the rows, cards and headers have in common: measures on a grid of four points, and type on one baseline.
nonisolated enum OutlineStyle {
  static let cornerRadius = 8.0
  /// From a row's side to what is in it.
  static let inset = 12.0
  /// Where the names of regions begin, and the pictures of their destinations.
  static let indent = 40.0
  static let pictureSize = Size(width: 48, height: 32)

  static let headerStyle = TextStyle(size: 20, weight: .semibold)
  static let regionStyle = TextStyle(size: 15, weight: .semibold)
  static let nameStyle = TextStyle(size: 14)
  static let detailStyle = TextStyle(size: 12, hasMonospacedDigits: true)

  /// How much lower a line in one style stands in its label than a line in another on the same baseline.
  @MainActor
  static func drop(of style: TextStyle, beside other: TextStyle, in resources: RenderResources) -> Double {
    let scale = resources.scale
    func baseline(_ style: TextStyle) -> Double {
      let metrics = resources.text.metrics(style, scale: scale)
      return scale.length(ofPixels: Int32(metrics.ascent)) - scale.length(
        ofPixels: Int32(metrics.ascent + metrics.descent)) / 2
    }
    return scale.snapped(baseline(other) - baseline(style))
  }

}
