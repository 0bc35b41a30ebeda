import CollectionEngine
import CollectionLayout
import DataStructures
public import struct FoundationEssentials.IndexPath
import FramePacing
import Geometry
import ScrollPhysics
import Views

extension CollectionView {
  /// Brings an item into view; nothing happens for one that is not there.
  ///
  /// To the nearest edge, an item beneath a pinned header counts as not in view. Its section is scrolled across, too, where it scrolls that way. A movement that is not animated holds the item where it
  /// was brought, by that line, while places around it become final.
  ///
  /// - Parameters:
  ///   - path: the item.
  ///   - position: where it is to be seen; an axis that is not named is not scrolled.
  ///   - animated: whether the movement is seen; of a long one the end.
  /// - Precondition: no axis is named twice.
  public final func scrollToItem(at path: IndexPath, at position: ScrollPosition, animated: Bool) {
    let edges = (vertical: edge(.vertical, in: position), horizontal: edge(.horizontal, in: position))
    guard let index = flatIndex(at: path) else { return }
    let (along, across) =
      scrollAxis == .vertical ? (edges.vertical, edges.horizontal) : (edges.horizontal, edges.vertical)
    if let across { scrollSection(path.section, across, to: index, animated: animated) }
    if let along { scrollToItem(index, at: along, animated: animated) }
  }

  /// Brings a line of an item to the same line of what the content's inset leaves.
  ///
  /// - Parameter margin: points that are seen of the content on both sides of the item; near an end all there is.
  final func scrollToItem(_ index: Int, at along: ScrollEdge, animated: Bool, margin: Double = 0) {
    let frame = solution.frame(ofItem: index)
    let start = frame.origin[scrollAxis] - margin
    let length = frame.size[scrollAxis] + 2 * margin
    let before = axisInsets.start
    func offset(covered: Double) -> Double {
      along.offset(
        showing: (start - covered)...(start + length), in: unobscuredLength, from: contentOffset + before) - before
    }
    // Not beneath what is pinned where that leads to.
    var offset = along == .nearest ? offset(covered: pinnedLength(at: offset(covered: 0))) : offset(covered: 0)
    // Rather to an end than almost there.
    if offset < scroll.range.minimum + 2 * margin { offset = min(offset, scroll.range.minimum) }
    if offset > scroll.range.maximum - 2 * margin { offset = max(offset, scroll.range.maximum) }
    scroll(to: offset, animated: animated)
    if !animated {
      // The line of it that was brought stays, also when the item itself gets another size.
      let unit = along.unit
      let points = start + unit * length - anchoringOffset - unit * viewportLength
      preservedAnchor = PreservedAnchor(
        anchor: .item(ItemAnchor(item: index, itemUnit: unit, viewportUnit: unit, points: points)),
        reason: .firstVisible)
    }
  }

  /// How much of what is seen at an offset views cover that are pinned at its beginning, in points.
  final func pinnedLength(at offset: Double) -> Double {
    var viewport = visibleRect
    viewport.origin[scrollAxis] = offset
    let start = offset + axisInsets.start
    var seen: [ElementAttributes] = []
    solution.appendElements(in: viewport, to: &seen)
    return seen.reduce(0) { length, element in
      let frame = element.frame
      guard element.isPinned, frame.origin[scrollAxis] <= start + 1 else { return length }
      return max(length, frame.origin[scrollAxis] + frame.size[scrollAxis] - start)
    }
  }

  /// The line of an item that is named for an axis.
  private func edge(_ axis: Axis, in position: ScrollPosition) -> ScrollEdge? {
    let named = position.intersection(axis == .vertical ? .vertical : .horizontal)
    checkPrecondition(
      named.rawValue.nonzeroBitCount <= 1,
      """
      An item was to be scrolled to two places of the \(axis == .vertical ? "vertical" : "horizontal") axis at once. \
      Combine one vertical and one horizontal scroll position.
      """)
    let isMirrored = layoutDirection == .rightToLeft
    switch named {
    case .top, .left: return .start
    case .bottom, .right: return .end
    case .centeredVertically, .centeredHorizontally: return .middle
    case .nearestVerticalEdge, .nearestHorizontalEdge: return .nearest
    case .leadingEdge: return isMirrored ? .end : .start
    case .trailingEdge: return isMirrored ? .start : .end
    default: return nil
    }
  }

  /// Scrolls a section across so that an item of it is seen.
  private func scrollSection(_ section: Int, _ edge: ScrollEdge, to index: Int, animated: Bool) {
    guard let strip = solution.orthogonalSection(section) else { return }
    let axis = strip.axis
    let seen = strip.frame.size[axis]
    let frame = solution.frame(ofItem: index)
    let near = frame.origin[axis] - strip.frame.origin[axis]
    let length = frame.size[axis]
    // Offsets go from where reading begins.
    let isMirrored = axis == .horizontal && solution.environment.layoutDirection == .rightToLeft
    let start = (isMirrored ? seen - near - length : near) + strip.offset
    let mirrored: ScrollEdge = isMirrored ? (edge == .start ? .end : edge == .end ? .start : edge) : edge
    let offset = mirrored.offset(showing: start...(start + length), in: seen, from: strip.offset)
    // The last frame may be long ago: a motion that began with it would be over.
    let instant = max(lastInstant, frameClock?.now() ?? lastInstant)
    handleScrollEvent(.scrollTo(offset, animated: animated), across: strip, at: instant)
    if !animated { applyOrthogonalOffsets(at: instant) }
  }
}
