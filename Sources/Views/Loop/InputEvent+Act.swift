import Rendering

extension InputEvent.Kind {
  /// Whether a person did something that is to be answered; a pointer that only moves is not counted.
  var isUserAction: Bool {
    switch self {
    case .wheel, .keyDown, .text, .pointerDown, .pointerUp, .touch: true
    default: false
    }
  }

  /// Whether it can do no more than move content or what lies under the pointer.
  ///
  /// - Parameter isPanning: whether the one finger on the screen draws content along already: else its move may begin that.
  func canOnlyMoveContent(isPanning: Bool) -> Bool {
    switch self {
    case .pointerMoved: true
    case .wheel(let wheel): wheel.deltaX == 0 && wheel.modifiers.isEmpty
    case .touch(let touch): isPanning && touch.phase == .moved
    default: false
    }
  }

  /// Whether a person's hands did it; false for what only ends what they hold.
  var isUserInput: Bool {
    switch self {
    case .hidden, .cancelled: false
    default: true
    }
  }
}
