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
    case .pageDown: return page(by: 1)
    case .pageUp: return page(by: -1)
    case .space: return page(by: modifiers.contains(.shift) ? -1 : 1)
    case .home: return .scrollTo(scroll.range.minimum, animated: true)
    case .end: return .scrollTo(scroll.range.maximum, animated: true)
    default: return nil
    }
  }

  /// Pages are of what is seen beside the room around the content.
  final func page(by pages: Double) -> ScrollEvent {
    .page(by: viewportLength > 0 ? pages * uncoveredLength / viewportLength : pages)
  }

  /// Moves on by pages, as a press beside the thumb asks for.
  final func turn(_ pages: Double) { act(page(by: pages)) }
}
