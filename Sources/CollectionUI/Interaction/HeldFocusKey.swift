import CollectionEngine
import Rendering

/// An arrow that is held and takes the keyboard on.
struct RepeatingFocusKey {
  /// The key.
  let key: Key
  /// How far it has led.
  var keyRepeat: FocusKeyRepeat
}
