import CollectionEngine
import DiffableData
import struct FoundationEssentials.IndexPath
import FramePacing
import Geometry
import Rendering

/// What a person is doing with items: what is selected, pressed and pointed at.
struct InteractionState {
  /// A button that is held.
  struct Press {
    /// The item under it when it went down; nothing beside items, and when it is gone.
    var item: Int?
    /// What a release there does.
    var gesture: SelectionGesture?
    /// Where it went down, in the view's coordinates.
    var point: Point
    /// What a band that is drawn from there does; nothing where none can be.
    var effect: RubberBandEffect?
    /// Whether the item may be carried from there, as far as was asked.
    var canDrag = true
    /// Whether it is the second of two.
    var isDouble: Bool
    /// Whether the pointer is over the item.
    var isInside: Bool
  }

  /// What is selected.
  var selection = Selection()
  /// What is selected after the update that is being carried out, where that was found before it.
  var precomputedSelection: IndexRuns?
  var allowsSelection = true
  var allowsMultipleSelection = false
  var allowsRubberBand = false
  var allowsFocus = false
  var selectionFollowsFocus = true
  /// Whether the item where the keyboard is looks so.
  var showsFocus = false
  /// Where keys take it.
  var focusNavigator = FocusNavigator()
  /// The arrow that is held.
  var repeatingKey: RepeatingFocusKey?
  /// The rectangle that is drawn over the content.
  var rubberBand: RubberBandDrag?
  /// Those that were let go, the first first: what lay under them is still being found.
  var releasedBands: [ReleasedRubberBand] = []
  /// What shows it.
  var rubberBandView: RubberBandView?
  var rubberBandColor = Color(hex: 0x7FB2FF)
  var press: Press?
  /// Where the pressed item was that an update took away; the delegate is still to be told that it is pressed no more.
  var removedPressPath: IndexPath?
  /// The item that is carried.
  var movement: InteractiveMovement?
  /// Whose item it is.
  weak var movementSource: (any CollectionViewSource)?
  /// Whether the pointer that is down carries it, and not the program.
  var isDraggedByPointer = false
  /// How the section goes on beneath it that scrolls across, in points a second.
  var autoscrolledSection: (section: Int, velocity: Double)?
  /// When that was evaluated last.
  var autoscrollTime = FrameInstant.zero
  /// Whether the content goes on beneath what is carried.
  var isAutoscrolling = false
  /// Where the pointer is, in the view's coordinates; nothing while it is elsewhere.
  var pointer: Point?
  /// The item that looks as pointed at.
  var hovered: Int?
  /// Whether the content moved in the last frame: nothing is pointed at then.
  var isMoving = false
  /// Whether the delegate knows what is selected.
  var isSelectionReported = true
  /// Who is asked and told; the view's delegate, if it wants to be.
  weak var delegate: (any CollectionViewInteractionDelegate)?

  /// How many items can be selected.
  var mode: SelectionMode { !allowsSelection ? .none : allowsMultipleSelection ? .multiple : .single }

  /// Whether an item is held over the others.
  var isDragging: Bool { movement?.isDragging ?? false }

  /// The item that is held over the others.
  var draggedItem: Int? { isDragging ? movement?.item : nil }

  /// Whether what is carried changes how it is shown after an instant, or is to be asked where it is meant to be.
  func needsFrames(at instant: FrameInstant) -> Bool {
    if let rubberBand, rubberBand.needsFrame { return true }
    if !releasedBands.isEmpty { return true }
    guard let movement else { return false }
    return movement.needsTargetUpdate || !movement.isDragging || movement.isLifting(at: instant)
      || autoscrolledSection != nil
  }

  /// The item that looks pressed.
  var highlighted: Int? { press.flatMap { $0.isInside ? $0.item : nil } }

  /// What an item's cell is to look like.
  func state(of index: Int) -> CellConfigurationState {
    var state = CellConfigurationState()
    state.isSelected = selection.contains(index)
    state.isHighlighted = highlighted == index
    state.isFocused = showsFocus && selection.lead == index
    state.isHovered = hovered == index
    state.isReordering = movement?.item == index
    return state
  }

  /// So many selected items are followed one by one through an update that moves more.
  static var maximumRemappedItems: Int { 20_000 }

  /// The items that are to be followed through an update, if they are few.
  var remappedItems: IndexRuns? {
    guard selection.items.count <= InteractionState.maximumRemappedItems, rubberBand == nil, releasedBands.isEmpty
    else { return nil }
    return selection.items.union(remappedInteractionItems)
  }

  /// Those that are to be followed beside the selected ones.
  var remappedInteractionItems: IndexRuns { IndexRuns([press?.item, hovered, movement?.item].compactMap { $0 }) }

  /// The items are numbered anew.
  ///
  /// - Parameters:
  ///   - numbers: the new numbers.
  ///   - selected: what is selected by these; told by the numbers where nothing is given.
  mutating func apply(_ numbers: ItemIndexMap, selecting selected: IndexRuns? = nil) {
    if let selected { selection.apply(numbers, selecting: selected) } else { selection.apply(numbers) }
    let pressed = press?.item.flatMap { numbers.newIndex(of: $0) }
    press?.item = pressed
    hovered = hovered.flatMap { numbers.newIndex(of: $0) }
    movement?.remapIndices { numbers.newIndex(of: $0) }
    rubberBand?.band.apply(numbers)
    for place in releasedBands.indices { releasedBands[place].band.apply(numbers) }
  }

  /// All items are other ones.
  mutating func resetItems() {
    selection = Selection()
    press = nil
    hovered = nil
    rubberBand = nil
    releasedBands = []
  }

  /// Whether an update changes nothing of it.
  var isIdle: Bool {
    selection.items.isEmpty && selection.anchor == nil && selection.lead == nil && press == nil && hovered == nil
      && movement == nil && rubberBand == nil && releasedBands.isEmpty
  }
}
