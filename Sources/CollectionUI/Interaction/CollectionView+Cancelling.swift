import FramePacing
import Rendering
import ScrollPhysics
import Views

extension CollectionView {
  /// Takes an event that means a section that scrolls across, or that nothing is held any more.
  ///
  /// - Returns: whether it was used: not that nothing is held, which is everybody's.
  final func handleDragEvent(_ event: InputEvent) -> Bool {
    if event.kind == .cancelled { cancelDrags(at: event.time) }
    return handleOrthogonalInput(event)
  }

  /// Nobody will say any more how what is held was meant: it is let go, and nothing else comes of it.
  ///
  /// What lies under a band stays selected, and what is carried goes back.
  final func cancelDrags(at time: FrameInstant) {
    if orthogonalInput.isDragging { endOrthogonalDrag(.stop, at: time) }
    if interaction.press != nil {
      deferringUpdates { setHighlighted(false) }
      interaction.press = nil
    }
    endRubberBand()
    if interaction.isDragging, interaction.isDraggedByPointer { cancelInteractiveMovement() }
  }
}
