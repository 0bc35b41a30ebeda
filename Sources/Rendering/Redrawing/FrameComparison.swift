public import Geometry

/// Finds what has to be drawn of a frame when the pixels of the last one are still there.
///
/// Nobody tells it what moves: it compares the commands of the two frames (``FrameMatch`` says how, and why the answer is
/// right). Once its buffers have grown to a frame's size, comparing allocates nothing.
///
/// What a name of a texture stands for must not change, which ``TextureNames`` sees to; the caller sees to names that
/// have ended between the frames.
public final class FrameComparison {
  private let frames = (DrawnFrame(), DrawnFrame())
  private var isFirstLatest = false
  private let damageList = DamageList()

  /// Makes a comparison that has seen no frame.
  public init() {}

  /// The rectangles to draw anew after the last ``compare(_:background:output:)``, until the next.
  ///
  /// They may overlap. All of a rectangle is to be cleared and drawn, cut to it; a copy that is not pixel for pixel and
  /// lies in one of them lies in it with all that shows of it.
  public var damage: UnsafeBufferPointer<PixelRect> { damageList.rects }

  /// Forgets the last frame, as its pixels are lost: the next one is to be drawn whole.
  public func invalidate() { latest.removeAll() }

  /// Compares a frame with the last one, and remembers it as that.
  ///
  /// - Parameters:
  ///   - list: the frame.
  ///   - background: the colour behind it.
  ///   - output: the extent in pixels, its corner at 0, 0.
  /// - Complexity: O(commands), and for every command without a partner in the other frame O(commands nearby).
  public func compare(_ list: DisplayList, background: Color, output: PixelRect) -> FrameChange {
    let old = latest
    isFirstLatest.toggle()
    let new = latest
    new.setContents(list, background: background, output: output)
    damageList.removeAll()
    guard !output.isEmpty, old.output == output, old.background == background else { return .whole }
    if old.isSame(as: new) { return .parts(nil) }
    let way = Displacement(from: old.items, to: new.items)
    let move = way.flatMap { way in
      way.x == 0 && way.y == 0 ? nil : PixelMove(within: way.region, byX: way.x, y: way.y)
    }
    // A rectangle costs more than its share of a whole frame, as each is a pass over the commands.
    let mostDamage = output.area / 2
    var match = FrameMatcher(
      from: old, to: new, region: way?.region ?? .zero, move: move, damage: damageList, mostDamage: mostDamage)
    guard match.run(), expandDamageToStretchedItems(of: new), damageList.area <= mostDamage else {
      damageList.removeAll()
      return .whole
    }
    return .parts(move)
  }

  private var latest: DrawnFrame { isFirstLatest ? frames.0 : frames.1 }

  /// Widens the damage to all of every stretched copy that it touches; false where that takes too long.
  private func expandDamageToStretchedItems(of frame: DrawnFrame) -> Bool {
    guard frame.hasStretchedItems else { return true }
    for _ in 0..<4 {
      var isSettled = true
      for item in frame.items where item.isStretched {
        guard damageList.partiallyOverlaps(item.visible) else { continue }
        damageList.addMergingOverlaps(item.visible)
        isSettled = false
      }
      if isSettled { return true }
    }
    return false
  }
}
