import FramePacing
import Rendering
import ScrollPhysics
import Views

extension CollectionView {
  /// Takes an event that means a section that scrolls across, or that nothing is held any more.
  ///
  /// - Returns: whether it was used: not that nothing is held, which is everybody's.
  final func takeHeld(_ event: InputEvent) -> Bool {
    if event.kind == .cancelled { cancelHands(at: event.time) }
    return takeAcross(event)
  }

  /// Nobody will say any more how what is held was meant: it is let go, and nothing else comes of it.
  ///
  /// What lies under a band stays selected, and what is carried goes back.
  final func cancelHands(at time: FrameInstant) {
    if across.isHolding { letGoAcross(.stop, at: time) }
    if interaction.press != nil {
      exclusively { highlight(false) }
      interaction.press = nil
    }
    letGoOfBand()
    if interaction.isCarrying, interaction.isCarriedByPointer { cancelInteractiveMovement() }
  }
}
