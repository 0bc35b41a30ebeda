import Geometry
import ScrollPhysics

/// What a person does with sections that scroll across.
struct OrthogonalInputState {
  /// Tells wheels from trackpads.
  var classifier = WheelClassifier()
  /// On which axis a trackpad's fingers go.
  var latch = AxisLatch()
  /// The section that a finger or the pointer holds; nothing where it is gone by now.
  var draggedSection: Int?
  /// Whether a finger or the pointer holds a section, be it gone by now: what it does meanwhile is not the page's.
  var isDragging = false
  /// Where the pointer that drags it was last, in the view's coordinates; nothing for a finger.
  var pointer: Point?

  /// Sections have other numbers, or are gone.
  mutating func remapSections(_ newSection: (Int) -> Int?) {
    draggedSection = draggedSection.flatMap(newSection)
  }
}
