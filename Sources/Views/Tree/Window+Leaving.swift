import FramePacing
import Rendering

/// What becomes of input that is under way when the view that has it goes, or nobody will say how it ends.
extension Window {
  /// Nothing is held any more: whoever holds something is told, and has it no longer.
  func cancelHands(at time: FrameInstant) {
    cancelTouches(at: time)
    let holders = [pointerCapture, keyHolder, grabber].compactMap { $0 }
    (pointerCapture, keyHolder) = (nil, nil)
    for (place, holder) in holders.enumerated() where !holders[..<place].contains(where: { $0 === holder }) {
      offer(InputEvent(time: time, kind: .cancelled), to: holder)
    }
    grabber = nil
  }

  /// A view leaves the tree: nothing that it or a view within has goes on without them.
  ///
  /// What is told that the pointer leaves it is what it stood in.
  func viewLeaves(_ view: View) {
    if holds(view, hovered) { hovered = view.superview }
    leaveTouches(view, at: lastEvent)
    if let holder = pointerCapture, holds(view, holder) {
      pointerCapture = nil
      tell(holder, upTo: view)
    }
    if let holder = keyHolder, holds(view, holder) {
      keyHolder = nil
      tell(holder, upTo: view)
    }
    if let holder = grabber, holds(view, holder) {
      tell(holder, upTo: view)
      if grabber === holder { grabber = nil }
    }
  }

  /// The view that used an event, unless that made it leave.
  func shown(_ view: View?) -> View? { view.flatMap { holds(root, $0) ? $0 : nil } }

  /// Whether a view is another one, or above it.
  func holds(_ view: View, _ other: View?) -> Bool {
    var ancestor = other
    while let current = ancestor, current !== view { ancestor = current.superview }
    return ancestor != nil
  }

  /// Tells a view and those above it that leave with it that what they hold is held no more.
  private func tell(_ holder: View, upTo last: View) {
    var view: View? = holder
    while let current = view {
      _ = current.handle(InputEvent(time: lastEvent, kind: .cancelled))
      view = current === last ? nil : current.superview
    }
  }
}
