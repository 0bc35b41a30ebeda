import Geometry
import Rendering
import Views

/// Shows the picture icon in a tint, centred.
final class IconView: View {
  /// The colour of its strokes.
  var tint: Color {
    didSet { if tint != oldValue { setNeedsDisplay() } }
  }
  private let icon: SharedIcon
  private var lease = TextureLease()

  init(icon: SharedIcon, tint: Color) {
    self.icon = icon
    self.tint = tint
    super.init()
    isInteractive = false
  }

  isolated deinit { lease.release() }

  override func draw(in context: DrawContext) {
    let side = Int(min(context.pixels(bounds).width, context.pixels(bounds).height))
    guard side > 0 else { return }
    lease.replace(with: icon.bitmap(side: side))
    guard let bitmap = lease.bitmap, let texture = lease.texture(in: context.resources, createsIfNeeded: true) else {
      return
    }
    let extent = context.scale.length(ofPixels: Int32(side))
    let corner = Point(x: (frame.width - extent) / 2, y: (frame.height - extent) / 2)
    context.draw(texture, size: bitmap.size, at: corner, isOpaque: false, tint: tint)
  }
}
