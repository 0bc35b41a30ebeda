public import VitrineGeometry

/// The opacity, the transform, the clip and the gesture recognizers of a view, which few views have.
final class ViewEffects {
  /// The opacity, 0 to 1.
  var alpha = 1.0
  /// The transform about the center of the view's frame.
  var transform = Transform.identity
  /// Whether drawing is clipped to the bounds.
  var clipsToBounds = false
  /// The corner radius of the clip, in points.
  var clipCornerRadius = 0.0
  /// The gesture recognizers.
  var recognizers: [GestureRecognizer] = []
}

/// Opacity, transform and clip.
extension View {
  /// The opacity of the view and its subviews as a whole, 0 to 1.
  ///
  /// The default is 1.
  ///
  /// A view with an opacity below 0.01 receives no input, and neither do its subviews. A view that draws more than a
  /// single rectangle, image or line of text costs a copy of its pixels in each frame while it is translucent.
  public final var alpha: Double {
    get { effects?.alpha ?? 1 }
    set {
      let alpha = newValue.isNaN ? 1 : max(0, min(1, newValue))
      guard alpha != self.alpha else { return }
      makeEffects().alpha = alpha
      effectsDidChange()
    }
  }

  /// The transform with which the view and its subviews are displayed, about the center of its frame.
  ///
  /// The default is the identity. Unlike in UIKit, ``frame`` is the frame before the transform, so that layout does not
  /// depend on it. The transform applies to drawing, to hit testing and to the conversion of points. A translation is
  /// rounded to whole pixels, and scaling stretches what was drawn; a rotation is painted into an image
  /// (``DrawContext/transformed(by:_:)``). A transform that cannot be inverted hides the view.
  public final var transform: Transform {
    get { effects?.transform ?? .identity }
    set {
      guard newValue != transform else { return }
      makeEffects().transform = newValue
      effectsDidChange()
    }
  }

  /// Whether what the view and its subviews draw is clipped to the view's bounds.
  ///
  /// The default is false. Hit testing is limited to the bounds in any case.
  public final var clipsToBounds: Bool {
    get { effects?.clipsToBounds ?? false }
    set {
      guard newValue != clipsToBounds else { return }
      makeEffects().clipsToBounds = newValue
      effectsDidChange()
    }
  }

  /// The corner radius of the clip in points, if ``clipsToBounds`` is true.
  ///
  /// The default is 0. The corners show what is behind the view, whatever it is; they cost a copy of their pixels in each
  /// frame that draws them.
  public final var clipCornerRadius: Double {
    get { effects?.clipCornerRadius ?? 0 }
    set {
      guard newValue != clipCornerRadius else { return }
      makeEffects().clipCornerRadius = newValue
      effectsDidChange()
    }
  }

  private func effectsDidChange() {
    updateEffects()
    setNeedsDisplay()
  }

  /// The transform from the view's coordinates before it to those after it: about the center.
  final var centeredTransform: Transform {
    transform.about(Point(x: frame.width / 2, y: frame.height / 2))
  }

  /// Draws with the view's opacity and transform at the context's origin.
  package final func renderWithEffects(in context: DrawContext, _ body: (DrawContext) -> Void) {
    let (alpha, transform) = (alpha, transform)
    let level = DrawContext.opacityLevel(alpha)
    guard level > 0 else { return }
    let first = level < 255 ? context.beginGroup() : 0
    if transform == .identity {
      renderClipped(in: context, body)
    } else {
      context.transformed(by: centeredTransform) { renderClipped(in: $0, body) }
    }
    if level < 255 { context.endGroup(from: first, opacity: level) }
  }

  private func renderClipped(in context: DrawContext, _ body: (DrawContext) -> Void) {
    if clipsToBounds { context.clipped(toRoundedRect: bounds, radius: clipCornerRadius, body) } else { body(context) }
  }

  /// Returns the frontmost interactive view at a point in the coordinates of a superview that displays the view at an
  /// origin, or nil if there is none.
  ///
  /// - Parameters:
  ///   - point: The point in the superview's coordinates.
  ///   - corner: The origin of the view in the same coordinates.
  package final func hitTest(_ point: Point, displayedAt corner: Point) -> View? {
    let local = point - corner
    guard hasEffects else { return hitTest(local) }
    guard alpha >= 0.01, let inverse = centeredTransform.inverted() else { return nil }
    return hitTest(local.applying(inverse))
  }
}

// MARK: - Conversion

extension View {
  /// Returns a point in the window's coordinates converted to this view's, whose ancestors may be transformed.
  final func convertThroughTransforms(_ point: Point) -> Point {
    guard superview != nil || hostWindow == nil else { return point }
    let outer = superview?.convertThroughTransforms(point) ?? point
    let local = outer - (superview?.origin(of: self) ?? frame.origin)
    guard hasEffects, let inverse = centeredTransform.inverted() else { return local }
    return local.applying(inverse)
  }
}
