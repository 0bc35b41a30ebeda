import CollectionUI
import Geometry
import Rendering
import Views

extension GalleryScreen {
  /// Answers what makes photographs larger or smaller: the wheel with Control held, two fingers, Ctrl with plus, minus or 0.
  ///
  /// Plus and minus alone are text.
  ///
  /// - Returns: whether the event was used.
  func handleZoom(_ event: InputEvent) -> Bool {
    switch event.kind {
    case .wheel(let wheel) where wheel.modifiers.contains(.control):
      zoom(by: zoomWheel.steps(of: wheel.deltaY), around: grid.convertFromWindow(wheel.location))
    case .pinch(let pinch):
      zoom(by: zoomPinch.steps(of: pinch), around: grid.convertFromWindow(pinch.location))
    case .keyDown(.character("+"), let modifiers, _), .keyDown(.character("="), let modifiers, _):
      guard modifiers.contains(.control), !modifiers.contains(.alt) else { return false }
      zoom(by: 1, around: nil)
    case .keyDown(.character("-"), let modifiers, _):
      guard modifiers.contains(.control), !modifiers.contains(.alt) else { return false }
      zoom(by: -1, around: nil)
    case .keyDown(.character("0"), .control, _):
      if zoom.reset() { applyZoom(around: nil) }
    default: return false
    }
    return true
  }

  /// Makes photographs larger by so many steps, or smaller.
  ///
  /// - Parameter point: what stays where it is, in the grid's coordinates; nothing keeps the first photograph.
  func zoom(by steps: Int, around point: Point?) {
    if steps != 0, zoom.zoom(by: steps, in: grid.bounds.width) { applyZoom(around: point) }
  }

  private func applyZoom(around point: Point?) {
    captionPrefetchQueue.removeAll()
    grid.setCollectionViewLayout(
      GalleryLayout.makeLayout(zoom, hasHeaders: library.arrangement.grouping != .none, input: layoutInput),
      animated: true,
      anchoredAt: point)
  }
}
