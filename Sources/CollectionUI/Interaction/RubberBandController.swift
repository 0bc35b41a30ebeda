package import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineFramePacing
package import VitrineGeometry
package import VitrineRendering
import VitrineScrollPhysics
import VitrineViews

/// The owner of the rubber band: the rectangle that the user draws to select the items under it.
///
/// Each frame moves the rectangle's corner to the pointer, examines the visible items and a portion of the others, and
/// passes the items that entered or left the rectangle to ``SelectionController`` (``RubberBandSelection``). If the
/// pointer is released before all items were found, the rest is found in the frames after it, in the layout as it was.
///
/// Invariants:
/// - A frame examines a limited number of items, however many are under the rectangle.
/// - When the band ends, exactly the items under it are selected, added or toggled; when it is cancelled, the selection
///   is the one before it.
/// - A gesture that replaces the selection makes released bands obsolete: they change nothing any more.
package final class RubberBandController {
  /// A rubber band that is being drawn.
  private struct Drawing {
    var band: RubberBandSelection
    /// The position where the drag began, in the view's coordinates.
    let start: Point
    var pointer: Point
    /// Whether the pointer moved since the last frame.
    var needsUpdate = true
  }

  /// A rubber band that was released before all items under it were found.
  private struct Released {
    var band: RubberBandSelection
    /// The layout at the time of the release.
    let layout: any SolvedLayout
    /// The number of replacements of the selection by then.
    let replacementCount: Int
  }

  /// The collection view, which owns the controller and outlives it.
  @exclusivity(unchecked) package unowned(unsafe) var host: (any InteractionHost)!
  private let selection: SelectionController
  private let edgeScrolling: EdgeScrollController

  private var drawing: Drawing?
  /// The earliest first.
  private var released: [Released] = []
  private var view: RubberBandView?
  private var isAllowed = false

  /// The color of the rectangle's border.
  package var color = Color(hex: 0x7FB2FF) {
    didSet { view?.color = color }
  }

  /// Creates a controller without a rubber band.
  ///
  /// - Parameters:
  ///   - selection: The owner of the selection.
  ///   - edgeScrolling: The owner of scrolling near edges.
  package init(selection: SelectionController, edgeScrolling: EdgeScrollController) {
    self.selection = selection
    self.edgeScrolling = edgeScrolling
  }

  // MARK: - State

  /// Whether a drag between items draws a rubber band, if multiple items can be selected.
  package var isEnabled: Bool {
    get { isAllowed }
    set {
      isAllowed = newValue
      if !newValue { cancel() }
    }
  }

  /// Whether a rubber band is drawn.
  package var isDrawing: Bool { drawing != nil }

  /// Whether no rubber band is drawn, and all items under released ones were found.
  package var isIdle: Bool { drawing == nil && released.isEmpty }

  /// The frame of the rectangle as of the last frame, in the content's coordinates, or nil if none is drawn.
  package var frame: Rect? { drawing?.band.frame }

  /// Whether a rubber band has work to do in a frame.
  package var needsFrames: Bool {
    if let drawing, drawing.needsUpdate || !drawing.band.isComplete { return true }
    return !released.isEmpty
  }

  // MARK: - Input

  /// Begins a rubber band.
  ///
  /// - Parameters:
  ///   - start: The position where the drag began, in the view's coordinates.
  ///   - point: The position of the pointer.
  ///   - effect: The effect on the selection.
  package func begin(at start: Point, to point: Point, effect: RubberBandEffect) {
    drawing = Drawing(
      band: RubberBandSelection(
        at: start + host.contentOrigin, along: host.scrollAxis, effect: effect, base: selection.selectedItems),
      start: start, pointer: point)
    if effect == .replaces { selection.selectInteractively(.clear) }
    host.updateConfigurationStates()
    host.setNeedsDisplay()
  }

  /// Moves the free corner to a point of the view in the coming frame.
  package func move(to point: Point) {
    drawing?.pointer = point
    drawing?.needsUpdate = true
    host.setNeedsDisplay()
  }

  /// Ends the rubber band at a point of the view.
  package func end(at point: Point) {
    drawing?.pointer = point
    advance()
    end()
    host.setNeedsDisplay()
  }

  /// Ends the rubber band where it is, leaving the items under it selected.
  package func end() {
    guard var band = drawing?.band else { return }
    remove()
    if let ends = band.endItems(in: host.solution, within: host.viewportLength) {
      selection.moveAnchor(to: ends.origin)
      selection.setFocusedItem(ends.corner)
    }
    guard !band.isComplete else { return }
    band.endDrag()
    released.append(
      Released(band: band, layout: host.solution, replacementCount: selection.replacementCount))
  }

  /// Cancels the rubber band and restores the selection before it.
  package func cancel() {
    guard let band = drawing?.band else { return }
    remove()
    selection.selectInteractively(band.reversal.gesture)
  }

  private func remove() {
    guard drawing != nil else { return }
    drawing = nil
    view?.removeFromSuperview()
    view = nil
    edgeScrolling.stop()
  }

  // MARK: - Frames

  /// Phase 2: scrolls the content near an edge, and selects the items that are under the rubber band now.
  package func advance() {
    advanceReleased()
    advanceDrawing()
  }

  private func advanceDrawing() {
    guard var drawing else { return }
    // Moved out of the storage, or a step would copy the found items.
    self.drawing = nil
    drawing.needsUpdate = false
    edgeScrolling.scroll(near: drawing.pointer, from: drawing.start)
    let inside = Point(
      x: min(host.bounds.width, max(0, drawing.pointer.x)), y: min(host.bounds.height, max(0, drawing.pointer.y)))
    drawing.band.moveCorner(to: inside + host.contentOrigin)
    let step = drawing.band.findItems(in: host.solution, viewport: host.visibleRect)
    let frame = drawing.band.frame
    self.drawing = drawing
    show(frame)
    select(step)
  }

  /// Finds a portion of the items under the first released rubber band.
  private func advanceReleased() {
    released.removeAll { $0.replacementCount != selection.replacementCount }
    guard !released.isEmpty else { return }
    var first = released.removeFirst()
    let step = first.band.findItems(in: first.layout, viewport: host.visibleRect)
    if !first.band.isComplete { released.insert(first, at: 0) }
    select(step)
  }

  private func select(_ step: RubberBandStep) {
    if !step.isEmpty { host.deferringUpdates { selection.selectInteractively(step.gesture) } }
  }

  private func show(_ frame: Rect) {
    let shown = view ?? RubberBandView(color: color)
    if view == nil {
      view = shown
      host.addSubview(shown)
    }
    // The frame is limited to the view's surroundings, with its edges outside.
    let near = Rect(x: -8, y: -8, width: host.bounds.width + 16, height: host.bounds.height + 16)
    shown.frame = frame.offset(by: .zero - host.contentOrigin).intersection(near)
  }

  // MARK: - Updates

  /// Updates the items under the rubber bands after an update.
  package func apply(_ map: IndexMap) {
    drawing?.band.apply(map)
    for position in released.indices { released[position].band.apply(map) }
  }

  /// Shifts the rectangle after the origin of the content's coordinates moved.
  package func shiftContent(by vector: Point) { drawing?.band.shiftContent(by: vector) }

  /// Removes all rubber bands, because all items were replaced.
  package func removeAll() {
    remove()
    released = []
  }
}

/// A view that draws a rubber band: a translucent rectangle with a border of one pixel.
final class RubberBandView: View {
  /// The color of the border, and of the translucent fill.
  var color: Color {
    didSet { if color != oldValue { setNeedsDisplay() } }
  }
  private static let fillOpacity = 0.16

  init(color: Color) {
    self.color = color
    super.init()
    isUserInteractionEnabled = false
  }

  override func draw(in context: DrawContext) {
    context.fill(bounds, color.opacity(RubberBandView.fillOpacity))
    let line = 1 / context.scale.pixelsPerPoint
    let (width, height) = (bounds.width, bounds.height)
    guard width > 2 * line, height > 2 * line else { return }
    let edge = color.opacity(0.85)
    context.fill(Rect(x: 0, y: 0, width: width, height: line), edge)
    context.fill(Rect(x: 0, y: height - line, width: width, height: line), edge)
    context.fill(Rect(x: 0, y: line, width: line, height: height - 2 * line), edge)
    context.fill(Rect(x: width - line, y: line, width: line, height: height - 2 * line), edge)
  }
}
