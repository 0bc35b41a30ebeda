import CollectionUI
import Rendering

/// A collection view whose keys mean something more: what UIKit's `pressesBegan` is overridden for.
final class OutlineView: CollectionView {
  /// Takes a key without modifiers, or leaves it to the view.
  var onKey: (Key) -> Bool = { _ in false }

  override func handle(_ event: InputEvent) -> Bool {
    if case .keyDown(let key, [], _) = event.kind, onKey(key) { return true }
    return super.handle(event)
  }
}
