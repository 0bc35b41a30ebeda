import VitrineCollectionLayout
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineScrollPhysics
import VitrineViews

/// The owner of swiped items: their positions, and the views of their actions.
///
/// It exists once a swipe began, and takes part in frames only while an item is away from its position, so that other
/// frames cost nothing.
///
/// Invariants:
/// - At most one item is open. Others may be on the way back.
/// - A cell is displaced only while it is displayed for the swiped item; its own transform is restored afterwards.
final class SwipeController: FrameParticipant {
  /// An item that is away from its position.
  private final class Row {
    var item: Int
    weak var cell: CollectionViewCell?
    var motion: SwipeMotion
    /// The actions at the left and at the right edge of the screen.
    let sides: (left: SwipeActionsView?, right: SwipeActionsView?)
    /// The offset of the content when the swipe began.
    var contentOffset: Double
    var isClosing = false
    /// Whether a full swipe performs the first action.
    var isFullSwipe = false
    /// The part of the way by which the first action covers the others.
    var expansion = SpringSimulation(start: 0, target: 0, parameters: SwipeController.expansionSpring)
    var expansionStart = FrameInstant.zero

    init(
      item: Int, cell: CollectionViewCell, sides: (left: SwipeActionsView?, right: SwipeActionsView?),
      contentOffset: Double
    ) {
      (self.item, self.cell, self.sides, self.contentOffset) = (item, cell, sides, contentOffset)
      func side(_ view: SwipeActionsView?) -> SwipeMotion.Side? {
        view.map { .init(extent: $0.extent, allowsFullSwipe: $0.configuration.performsFirstActionWithFullSwipe) }
      }
      motion = SwipeMotion(width: cell.frame.width, left: side(sides.left), right: side(sides.right))
    }

    var views: [SwipeActionsView] { [sides.left, sides.right].compactMap { $0 } }
  }

  private unowned let view: CollectionView
  private var rows: [Row] = []
  private weak var window: Window?
  private var isPanning = false
  private var classifier = WheelClassifier()
  private var latch = AxisLatch()
  /// The time of the last trackpad movement of a swipe in progress.
  private var lastWheelInstant: FrameInstant?
  /// The time of the last trackpad movement that was no swipe, because its item has no actions.
  private var lastRefusal: FrameInstant?
  private var lastInstant = FrameInstant.zero

  /// The distance of a trackpad unit, in points.
  private static let pointsPerUnit = 10.0
  /// The pause after which fingers count as lifted from a trackpad.
  private static let wheelPause = FrameDuration.milliseconds(90)
  private static let expansionSpring = SpringParameters(stiffness: 900)
  private static let collapse = FrameDuration.milliseconds(220)

  init(_ view: CollectionView) { self.view = view }

  /// The item whose actions are visible, or nil.
  var openItem: Int? { openRow?.item }
  private var openRow: Row? { rows.last { !$0.isClosing } }

  /// The accessibility elements of the visible actions.
  var accessibilityElements: [AccessibilityElement] {
    openRow?.views.filter { $0.frame.width > 0 }.flatMap(\.accessibilityElements) ?? []
  }

  // MARK: - Input

  /// Handles an event of a swipe, or one that hides the actions.
  func handle(_ event: InputEvent) -> Bool {
    switch event.kind {
    case .wheel(let wheel): return handleWheel(wheel, at: event.time)
    case .pan(let pan): return handlePan(pan, at: event.time)
    case .pointerDown(_, let button, _, _):
      guard openRow != nil else { return false }
      close()
      return button == .primary
    case .keyDown(let key, _, _):
      guard openRow != nil else { return false }
      close()
      return key == .escape
    case .cancelled:
      isPanning = false
      if openRow?.motion.isDragging == true { close() }
      return false
    default: return false
    }
  }

  private func handleWheel(_ wheel: WheelInput, at time: FrameInstant) -> Bool {
    let kind = classifier.classify(deltaX: wheel.deltaX, deltaY: wheel.deltaY, at: time)
    let isAlong = latch.latchesCrossAxis(mainDelta: wheel.deltaY, crossDelta: wheel.deltaX, at: time)
    guard kind == .continuous, isAlong, wheel.deltaX.isFinite, wheel.modifiers.isDisjoint(with: [.control, .shift])
    else { return false }
    let distance = -wheel.deltaX * SwipeController.pointsPerUnit
    if lastWheelInstant == nil {
      // The rest of a movement that was no swipe is none either.
      let isRefused = lastRefusal.map { time - $0 < AxisLatch.pause } ?? false
      guard !isRefused, begin(at: wheel.location, toward: distance, time) else {
        lastRefusal = time
        return false
      }
    }
    (lastWheelInstant, lastRefusal) = (time, nil)
    drag(by: distance, at: time)
    return true
  }

  private func handlePan(_ pan: PanInput, at time: FrameInstant) -> Bool {
    switch pan.phase {
    case .began:
      let (x, y) = (pan.translation.x, pan.translation.y)
      guard x.magnitude > y.magnitude, begin(at: pan.start, toward: x, time) else {
        close()
        return false
      }
      isPanning = true
      view.releaseHeldContent(at: time)
      drag(by: x, at: time)
      return true
    case .moved where isPanning: drag(by: pan.translation.x, at: time)
    case .ended where isPanning:
      isPanning = false
      release(at: time)
    case .cancelled where isPanning:
      isPanning = false
      close()
    case .moved, .ended, .cancelled: return false
    }
    return true
  }

  /// Begins a swipe of the item at a point of the window, if it has actions at the edge that the swipe reveals.
  private func begin(at location: Point, toward direction: Double, _ time: FrameInstant) -> Bool {
    let point = view.convertFromWindow(location)
    guard direction != 0, view.scrollAxis == .vertical, !view.dragController.isActive,
      let item = view.itemIndex(at: point), view.solution.orthogonalSection(at: point + view.contentOrigin) == nil
    else { return false }
    if let index = rows.firstIndex(where: { $0.item == item }) {
      // It may be on the way back.
      let row = rows.remove(at: index)
      close()
      rows.append(row)
      row.isClosing = false
      row.contentOffset = view.contentOffset
      for actions in row.views { actions.isUserInteractionEnabled = true }
      row.motion.beginDrag(at: max(time, lastInstant))
      return true
    }
    guard let row = makeRow(item), direction > 0 ? row.sides.left != nil : row.sides.right != nil else { return false }
    close()
    view.pressController.cancelPress()
    rows.append(row)
    row.motion.reducesMotion = view.reducesMotion
    for actions in row.views {
      actions.onChoose = { [weak self, weak row] action in
        if let self, let row { perform(action, of: row) }
      }
      view.addSubview(actions)
    }
    row.motion.beginDrag(at: time)
    beginFrames()
    return true
  }

  private func makeRow(_ item: Int) -> Row? {
    guard let cell = view.cellController.displayedCell(at: item), let resources = view.window?.resources else {
      return nil
    }
    let configurations = view.swipeActions(ofItem: item)
    let isRightToLeft = view.layoutDirection == .rightToLeft
    func actionsView(_ configuration: SwipeActionsConfiguration?, isLeft: Bool) -> SwipeActionsView? {
      guard let configuration, !configuration.actions.isEmpty else { return nil }
      return SwipeActionsView(configuration, isLeft: isLeft, rowHeight: cell.frame.height, resources: resources)
    }
    return Row(
      item: item, cell: cell,
      sides: (
        actionsView(isRightToLeft ? configurations.trailing : configurations.leading, isLeft: true),
        actionsView(isRightToLeft ? configurations.leading : configurations.trailing, isLeft: false)
      ), contentOffset: view.contentOffset)
  }

  private func drag(by distance: Double, at time: FrameInstant) {
    guard let row = openRow else { return }
    row.motion.drag(by: distance, at: time)
    setFullSwipe(row.motion.isFullSwipe, of: row, at: time)
    window?.setNeedsFrame()
  }

  private func setFullSwipe(_ isFullSwipe: Bool, of row: Row, at time: FrameInstant) {
    guard isFullSwipe != row.isFullSwipe else { return }
    row.isFullSwipe = isFullSwipe
    row.expansion = row.expansion.retargeted(to: isFullSwipe ? 1 : 0, after: (time - row.expansionStart).seconds)
    row.expansionStart = time
  }

  private func release(at time: FrameInstant) {
    lastWheelInstant = nil
    guard let row = openRow else { return }
    switch row.motion.release(at: max(time, lastInstant)) {
    case .open: break
    case .closed: row.isClosing = true
    case .fullSwipe:
      let isLeft = row.motion.position(at: max(time, lastInstant)) > 0
      if let action = (isLeft ? row.sides.left : row.sides.right)?.configuration.actions.first {
        perform(action, of: row)
      }
    }
    window?.setNeedsFrame()
  }

  private func perform(_ action: ContextualAction, of row: Row) {
    action.handler(action, view) { [weak self, weak row] _ in
      if let self, let row { close(row) }
    }
  }

  // MARK: - Closing

  /// Hides the actions that are visible.
  func close() { if let row = openRow { close(row) } }

  private func close(_ row: Row) {
    guard !row.isClosing, rows.contains(where: { $0 === row }) else { return }
    row.isClosing = true
    if row === rows.last { (isPanning, lastWheelInstant) = (false, nil) }
    for actions in row.views { actions.isUserInteractionEnabled = false }
    row.motion.settle(to: 0, at: max(lastInstant, view.lastInstant))
    setFullSwipe(false, of: row, at: max(lastInstant, view.lastInstant))
    window?.setNeedsFrame()
  }

  /// Removes the actions of rows at once.
  private func finish(where isFinished: (Row) -> Bool) {
    let finished = rows.filter(isFinished)
    guard !finished.isEmpty else { return }
    rows.removeAll { row in finished.contains { $0 === row } }
    for row in finished {
      for actions in row.views { actions.removeFromSuperview() }
      row.cell?.endSwipe()
    }
    if rows.isEmpty { endFrames() }
  }

  // MARK: - Updates

  /// Updates the items after an update; the actions of a deleted item disappear with it.
  func apply(_ map: IndexMap) {
    var deleted: [Row] = []
    for row in rows {
      if let item = map.newIndex(ofItem: row.item) { row.item = item } else { deleted.append(row) }
    }
    guard !deleted.isEmpty else { return }
    rows.removeAll { row in deleted.contains { $0 === row } }
    if openRow == nil { (isPanning, lastWheelInstant) = (false, nil) }
    for row in deleted { removeDeleted(row) }
    if rows.isEmpty { endFrames() }
  }

  /// Removes the actions of a deleted item, whose cell the update animates out where it is.
  private func removeDeleted(_ row: Row) {
    for actions in row.views {
      actions.isUserInteractionEnabled = false
      guard !view.reducesMotion, actions.frame.width > 0, view.runsFrames else {
        actions.removeFromSuperview()
        continue
      }
      var frame = actions.frame
      frame.size.height = 0
      let animator = ViewAnimator(duration: SwipeController.collapse, curve: .easeOut)
      animator.animate(actions, alpha: 0, frame: frame)
      animator.addCompletion { [weak actions] _ in actions?.removeFromSuperview() }
      animator.start()
    }
  }

  /// Removes all actions, because all items were replaced.
  func removeAll() { finish { _ in true } }

  // MARK: - Frames

  private func beginFrames() {
    guard window == nil, let window = view.window else { return }
    self.window = window
    window.addParticipant(self)
  }

  private func endFrames() {
    let window = window
    self.window = nil
    window?.removeParticipant(self)
  }

  var needsFrames: Bool {
    lastWheelInstant != nil || rows.contains { !$0.motion.isResting(at: lastInstant) || $0.isClosing }
  }
  var isTracked: Bool { rows.contains { !$0.motion.isResting(at: lastInstant) } }
  func allowsInputResampling() -> Bool { rows.isEmpty }

  /// Moves the cells of swiped items.
  func update(at target: FrameInstant) {
    lastInstant = max(lastInstant, target)
    if let last = lastWheelInstant, target - last >= SwipeController.wheelPause { release(at: target) }
    if let row = openRow, row.contentOffset != view.contentOffset { close(row) }
    finish { row in
      guard let cell = view.cellController.displayedCell(at: row.item) else { return true }
      if cell !== row.cell {
        row.cell?.endSwipe()
        row.cell = cell
      }
      if row.isClosing, row.motion.isResting(at: lastInstant) { return true }
      cell.setSwipeOffset(row.motion.position(at: lastInstant))
      return false
    }
  }

  func didStall(for duration: FrameDuration) {
    for row in rows {
      row.motion.delay(by: duration)
      row.expansionStart = row.expansionStart + duration
    }
  }

  /// Places the actions beside the cells, where the layout has moved them.
  func layout() {
    for row in rows {
      guard let cell = row.cell else { continue }
      let position = row.motion.position(at: lastInstant)
      let frame = cell.frame.offset(by: .zero - view.contentOrigin)
      if row.motion.width != frame.width { close(row) }
      let expansion = row.expansion.position(at: max(0, (lastInstant - row.expansionStart).seconds))
      for actions in row.views {
        let width = view.displayScale.snapped(max(0, min(frame.width, actions.isLeft ? position : -position)))
        actions.isHidden = width == 0
        actions.expansion = max(0, min(1, expansion))
        actions.frame = Rect(
          x: actions.isLeft ? frame.minX : frame.maxX - width, y: frame.minY, width: width, height: frame.height)
        actions.layoutIfNeeded()
      }
    }
  }

  /// Ends all swipes, because there are no more frames.
  func framesDidEnd() {
    window = nil
    (isPanning, lastWheelInstant) = (false, nil)
    finish { _ in true }
  }
}
