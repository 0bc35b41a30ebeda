import FramePacing
import Rendering

/// What becomes of input that is under way when the view that has it goes, or nobody will say how it ends.
extension Window {
  /// Nothing is held any more: whoever holds something is told, and has it no longer.
  func cancelInteractions(at time: FrameInstant) {
    cancelTouches(at: time)
    let holders = [pointerTarget, keyTarget, grabber].compactMap { $0 }
    (pointerTarget, keyTarget) = (nil, nil)
    for (place, holder) in holders.enumerated() where !holders[..<place].contains(where: { $0 === holder }) {
      offerEvent(InputEvent(time: time, kind: .cancelled), to: holder)
    }
    grabber = nil
  }

  /// A view leaves the tree: nothing that it or a view within has goes on without them.
  ///
  /// What is told that the pointer leaves it is what it stood in.
  func viewWillLeave(_ view: View) {
    if isAncestor(view, of: hoveredView) { hoveredView = view.superview }
    cancelTouches(in: view, at: lastEventInstant)
    if let holder = pointerTarget, isAncestor(view, of: holder) {
      pointerTarget = nil
      sendCancellation(to: holder, upTo: view)
    }
    if let holder = keyTarget, isAncestor(view, of: holder) {
      keyTarget = nil
      sendCancellation(to: holder, upTo: view)
    }
    if let holder = grabber, isAncestor(view, of: holder) {
      sendCancellation(to: holder, upTo: view)
      if grabber === holder { grabber = nil }
    }
  }

  /// The view that used an event, unless that made it leave.
  func attachedView(_ view: View?) -> View? { view.flatMap { isAncestor(root, of: $0) ? $0 : nil } }

  /// Whether a view is another one, or above it.
  func isAncestor(_ view: View, of other: View?) -> Bool {
    var ancestor = other
    while let current = ancestor, current !== view { ancestor = current.superview }
    return ancestor != nil
  }

  /// Tells a view and those above it that leave with it that what they hold is held no more.
  private func sendCancellation(to holder: View, upTo last: View) {
    var view: View? = holder
    while let current = view {
      _ = current.handle(InputEvent(time: lastEventInstant, kind: .cancelled))
      view = current === last ? nil : current.superview
    }
  }
}
