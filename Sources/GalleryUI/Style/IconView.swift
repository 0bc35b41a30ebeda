import Geometry
import Rendering
import Views

/// Shows the picture icon in a tint, centred, painted anew where its size in pixels changes.
final class IconView: View {
  /// The colour of its strokes.
  var tint: Color {
    didSet { if tint != oldValue { setNeedsDisplay() } }
  }
  private let isBroken: Bool
  private var lease = TextureLease()

  init(isBroken: Bool, tint: Color) {
    self.isBroken = isBroken
    self.tint = tint
    super.init()
    isInteractive = false
  }

  isolated deinit { lease.release() }

  override func draw(in context: DrawContext) {
    let side = Int(min(context.pixels(bounds).width, context.pixels(bounds).height))
    guard side > 0 else { return }
    if lease.bitmap?.size.width != side { lease.replace(with: PictureIcon.bitmap(side: side, isBroken: isBroken)) }
    guard let bitmap = lease.bitmap, let texture = lease.texture(in: context.resources, isDemanded: true) else {
      return
    }
    let extent = context.scale.points(Int32(side))
    let corner = Point(x: (frame.width - extent) / 2, y: (frame.height - extent) / 2)
    context.draw(texture, size: bitmap.size, at: corner, isOpaque: false, tint: tint)
  }
}
