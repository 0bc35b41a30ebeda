import Geometry
import Rendering
import Views

/// A dot for each star that is to come, along which a light wanders: something is on its way.
final class LoadingIndicator: View {
  /// Where the light may be: on each dot, and for a while on none.
  static let phases = EmojiRating.most + 3
  private static let pitch = 14.0
  private static let diameter = 4.0

  /// The colour of the dots.
  var color = Color.white {
    didSet { if color != oldValue { setNeedsDisplay() } }
  }
  /// Where the light is, from 0 to ``phases``; nothing where nothing moves.
  var phase: Int? {
    didSet { if phase != oldValue, !isHidden { setNeedsDisplay() } }
  }

  override func draw(in context: DrawContext) {
    let count = EmojiRating.most
    let width = Double(count - 1) * LoadingIndicator.pitch + LoadingIndicator.diameter
    let y = context.scale.snapped((bounds.height - LoadingIndicator.diameter) / 2)
    for dot in 0..<count {
      let x = context.scale.snapped((bounds.width - width) / 2 + Double(dot) * LoadingIndicator.pitch)
      context.fillRounded(
        Rect(x: x, y: y, width: LoadingIndicator.diameter, height: LoadingIndicator.diameter),
        radius: LoadingIndicator.diameter / 2, color.opacity(opacity(of: dot)))
    }
  }

  /// Half, but for the dot that is lit and the one that was.
  private func opacity(of dot: Int) -> Double {
    guard let phase else { return 0.5 }
    return dot == phase ? 1 : dot == phase - 1 ? 0.75 : 0.4
  }
}
