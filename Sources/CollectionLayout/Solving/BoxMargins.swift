internal import Geometry

/// The room to leave free on both sides of something along each axis, in whole pixels.
struct BoxMargins: Hashable, Sendable {
  /// Along one axis.
  struct Pair: Hashable, Sendable {
    /// Before it.
    var leading = 0.0
    /// Behind it.
    var trailing = 0.0
    /// Whether that before it grows where room is left over.
    var leadingIsFlexible = false
    /// Whether that behind it grows.
    var trailingIsFlexible = false

    var sum: Double { leading + trailing }
    var flexibleCount: Int { (leadingIsFlexible ? 1 : 0) + (trailingIsFlexible ? 1 : 0) }

    /// What a length leaves of both when at least a pixel of it is to remain: the first is cut last.
    func cut(to length: Double) -> Pair {
      let room = max(0, length - 1)
      var cut = self
      cut.leading = min(leading, room)
      cut.trailing = min(trailing, room - cut.leading)
      return cut
    }
  }

  var horizontal = Pair()
  var vertical = Pair()

  subscript(axis: Axis) -> Pair { axis == .horizontal ? horizontal : vertical }

  /// The insets of a subitem; none along axes whose dimension is estimated.
  init(_ insets: DirectionalInsets, ignoring size: CollectionLayoutSize, in room: SectionRoom) {
    if !size.width.isEstimated {
      horizontal = Pair(
        leading: Double(room.pixels(insets.leading)), trailing: Double(room.pixels(insets.trailing)))
    }
    if !size.height.isEstimated {
      vertical = Pair(leading: Double(room.pixels(insets.top)), trailing: Double(room.pixels(insets.bottom)))
    }
  }

  /// The room outside the edges of a subitem.
  init(_ spacing: CollectionLayoutEdgeSpacing?, in room: SectionRoom) {
    guard let spacing else { return }
    func pair(_ leading: CollectionLayoutSpacing?, _ trailing: CollectionLayoutSpacing?) -> Pair {
      Pair(
        leading: Double(room.pixels(leading?.points ?? 0)), trailing: Double(room.pixels(trailing?.points ?? 0)),
        leadingIsFlexible: leading?.isFlexible ?? false, trailingIsFlexible: trailing?.isFlexible ?? false)
    }
    horizontal = pair(spacing.leading, spacing.trailing)
    vertical = pair(spacing.top, spacing.bottom)
  }
}
