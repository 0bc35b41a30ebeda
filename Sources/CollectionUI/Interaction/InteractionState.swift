import CollectionEngine
import CollectionLayout
import DiffableData
import struct FoundationEssentials.IndexPath
import FramePacing
import Geometry
import Rendering

/// The state of the user's interaction with items: the selection, the press and the pointer.
struct InteractionState {
  /// A pressed pointer button.
  struct Press {
    /// The pressed item, or nil if the press is between items or the item was deleted.
    var item: Int?
    /// The selection gesture of a release over the item.
    var gesture: SelectionGesture?
    /// The position of the press, in the view's coordinates.
    var point: Point
    /// The effect of a rubber band that begins here, or nil if none can.
    var effect: RubberBandEffect?
    /// Whether the item may be dragged, as far as was checked.
    var canDrag = true
    /// Whether it is the second press of a double click.
    var isDouble: Bool
    /// Whether the pointer is over the item.
    var isInside: Bool
  }

  /// The selected items, the anchor and the focused item.
  var selection = Selection()
  var allowsSelection = true
  var allowsMultipleSelection = false
  var allowsRubberBand = false
  var allowsFocus = false
  var selectionFollowsFocus = true
  /// Whether the focused item is displayed as focused.
  var showsFocus = false
  /// The targets of moving the focus.
  var focusNavigator = FocusNavigator()
  /// The arrow key that is held.
  var repeatingKey: RepeatingFocusKey?
  /// The rubber band that is being drawn.
  var rubberBand: RubberBandDrag?
  /// The released rubber bands whose items are still being found, the earliest first.
  var releasedBands: [ReleasedRubberBand] = []
  /// The view that displays the rubber band.
  var rubberBandView: RubberBandView?
  var rubberBandColor = Color(hex: 0x7FB2FF)
  var press: Press?
  /// The last index path of a pressed item that an update deleted, until the delegate was notified.
  var removedPressPath: IndexPath?
  /// The movement of the dragged item.
  var movement: InteractiveMovement?
  /// The data source of the dragged item.
  weak var movementSource: (any CollectionViewSource)?
  /// Whether the pointer drags the item, rather than the program.
  var isDraggedByPointer = false
  /// The orthogonal section that scrolls automatically beneath the dragged item, with its velocity in points per
  /// second.
  var autoscrolledSection: (section: Int, velocity: Double)?
  /// The time when that section was scrolled last.
  var autoscrollTime = FrameInstant.zero
  /// Whether the content scrolls automatically during a drag.
  var isAutoscrolling = false
  /// The position of the pointer, in the view's coordinates, or nil if it is outside.
  var pointer: Point?
  /// The hovered item.
  var hovered: Int?
  /// Whether the content scrolled in the last frame, in which case no item is hovered.
  var isMoving = false
  /// Whether the delegate was notified of the current selection.
  var isSelectionReported = true
  /// The view's delegate, if it handles interaction.
  weak var delegate: (any CollectionViewInteractionDelegate)?

  /// The number of items that the user can select.
  var mode: SelectionMode { !allowsSelection ? .none : allowsMultipleSelection ? .multiple : .single }

  /// Whether an item is dragged.
  var isDragging: Bool { movement?.isDragging ?? false }

  /// The dragged item.
  var draggedItem: Int? { isDragging ? movement?.item : nil }

  /// Returns whether a drag, a rubber band or a lift animation needs frames after an instant.
  func needsFrames(at instant: FrameInstant) -> Bool {
    if let rubberBand, rubberBand.needsFrame { return true }
    if !releasedBands.isEmpty { return true }
    guard let movement else { return false }
    return movement.needsTargetUpdate || !movement.isDragging || movement.isLifting(at: instant)
      || autoscrolledSection != nil
  }

  /// The highlighted item.
  var highlighted: Int? { press.flatMap { $0.isInside ? $0.item : nil } }

  /// Returns the configuration state of an item's cell.
  func state(of index: Int) -> CellConfigurationState {
    var state = CellConfigurationState()
    state.isSelected = selection.contains(index)
    state.isHighlighted = highlighted == index
    state.isFocused = showsFocus && selection.lead == index
    state.isHovered = hovered == index
    state.isReordering = movement?.item == index
    return state
  }

  /// Updates the indices of all items after an update.
  ///
  /// - Parameters:
  ///   - map: The map of the update.
  ///   - selected: The new selection, or nil to compute it from the map. Default: nil.
  mutating func apply(_ map: IndexMap, selecting selected: IndexRuns? = nil) {
    if let selected { selection.apply(map, selecting: selected) } else { selection.apply(map) }
    let pressed = press?.item.flatMap(map.newIndex(ofItem:))
    press?.item = pressed
    hovered = hovered.flatMap(map.newIndex(ofItem:))
    movement?.apply(map)
    rubberBand?.band.apply(map)
    for position in releasedBands.indices { releasedBands[position].band.apply(map) }
  }

  /// Clears all state that refers to items, because all items were replaced.
  mutating func resetItems() {
    selection = Selection()
    press = nil
    hovered = nil
    rubberBand = nil
    releasedBands = []
  }

  /// Whether no state refers to an item.
  var isIdle: Bool {
    selection.items.isEmpty && selection.anchor == nil && selection.lead == nil && press == nil && hovered == nil
      && movement == nil && rubberBand == nil && releasedBands.isEmpty
  }
}

/// A rubber band that is being drawn with the pointer.
struct RubberBandDrag {
  /// The rubber band.
  var band: RubberBandSelection
  /// The position where the drag began, in the view's coordinates.
  let start: Point
  /// The current position of the pointer.
  var pointer: Point
  /// Whether the pointer moved since the last frame.
  var needsUpdate = true

  /// Whether it has work to do in a frame.
  var needsFrame: Bool { needsUpdate || !band.isComplete }
}

/// A rubber band that was released before all items under it were found.
struct ReleasedRubberBand {
  /// The rubber band.
  var band: RubberBandSelection
  /// The layout at the time of the release.
  let layout: any SolvedLayout
}
