import Rendering

extension InputEvent.Kind {
  /// Whether a person did something that is to be answered; a pointer that only moves is not counted.
  var isAct: Bool {
    switch self {
    case .wheel, .keyDown, .text, .pointerDown, .pointerUp, .touch: true
    default: false
    }
  }
}
