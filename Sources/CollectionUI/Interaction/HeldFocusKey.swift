import CollectionEngine
import Rendering

/// An arrow that is held and takes the keyboard on.
struct HeldFocusKey {
  /// The key.
  let key: Key
  /// How far it has led.
  var state: HeldMove
}
