import FramePacing
import ScrollPhysics
import Views

extension CollectionView {
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
