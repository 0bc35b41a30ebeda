import Geometry
import Rendering
import ScrollPhysics

extension ScrollView {
  /// What a key asks for; nothing for one that means something else.
  final func scrollEvent(for key: Key, _ modifiers: KeyModifiers) -> ScrollEvent? {
    guard modifiers.isSubset(of: .shift) else { return nil }
    switch key {
    case .down where scrollAxis == .vertical, .right where scrollAxis == .horizontal:
      return .advance(by: lineDistance)
    case .up where scrollAxis == .vertical, .left where scrollAxis == .horizontal:
      return .advance(by: -lineDistance)
    case .pageDown: return pageEvent(by: 1)
    case .pageUp: return pageEvent(by: -1)
    case .space: return pageEvent(by: modifiers.contains(.shift) ? -1 : 1)
    case .home: return .scrollTo(scroll.range.minimum, animated: true)
    case .end: return .scrollTo(scroll.range.maximum, animated: true)
    default: return nil
    }
  }

  /// A way of pages goes on from where the one before leads to.
  final func pageEvent(by pages: Double) -> ScrollEvent {
    let from = scroll.pullTarget(after: lastInstant).flatMap { ($0 - contentOffset) * pages > 0 ? $0 : nil }
    return .advance(by: pageDistance(pages, from: from ?? contentOffset))
  }

  /// Moves on by pages, as a press beside the thumb asks for.
  final func scrollByPages(_ pages: Double) { applyScrollEvent(pageEvent(by: pages)) }
}

extension Key {
  /// Whether content goes on for as long as the key is held.
  var scrollsWhileHeld: Bool { self == .up || self == .down || self == .left || self == .right }
}
