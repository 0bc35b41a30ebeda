public import VitrineCollectionLayout
public import VitrineGeometry
public import VitrineViews

/// A reusable view that presents one item.
@MainActor
open class CollectionViewCell: CollectionReusableView {
  /// The flat index of the cell's item, or nil while the cell is in the pool.
  public internal(set) var itemIndex: Int?
  /// The identifier of the item that the cell was configured for last.
  var boundItem: (any Hashable & Sendable)?

  /// The identifier of the cell's item, or nil while the cell is in the pool.
  public final var itemIdentifier: (any Hashable & Sendable)? { isPooled ? nil : boundItem }

  /// The current state that the cell's appearance depends on, in addition to its item.
  ///
  /// It is also up to date while the cell waits off screen.
  public private(set) final var configurationState = CellConfigurationState()
  /// A Boolean value that indicates whether the cell's item is selected.
  public final var isSelected: Bool { configurationState.isSelected }
  /// A Boolean value that indicates whether the cell's item is pressed.
  public final var isHighlighted: Bool { configurationState.isHighlighted }

  // MARK: - Content

  /// The content and the background that configurations describe, or nil if there are none.
  @exclusivity(unchecked) private final var contents: CellContents?

  /// The description of the cell's content, or nil if the cell's own subviews and drawing are its content.
  ///
  /// Setting it updates the view of the content, or makes one if the type of the configuration changes. A subclass that
  /// overrides `layoutSubviews` or `draw(in:)` calls super. The default is nil.
  public final var contentConfiguration: (any ContentConfiguration)? {
    get { contents?.configuration }
    set { if newValue != nil || contents != nil { requireContents().configuration = newValue } }
  }

  /// The description of the cell's background, which depends on the cell's state, or nil for `backgroundColor`.
  ///
  /// The default is nil.
  public final var backgroundConfiguration: BackgroundConfiguration? {
    get { contents?.background }
    set { if newValue != nil || contents != nil { requireContents().background = newValue } }
  }

  /// A closure that updates the cell's configurations for its state; nil by default.
  ///
  /// The view calls it where it calls ``updateConfiguration(using:)``. Use it instead of a subclass.
  public final var configurationUpdateHandler: ((_ cell: CollectionViewCell, _ state: CellConfigurationState) -> Void)?
  {
    get { contents?.updateHandler }
    set { if newValue != nil || contents != nil { requireContents().updateHandler = newValue } }
  }

  /// Calls ``updateConfiguration(using:)`` and the ``configurationUpdateHandler`` with the current state.
  public final func setNeedsUpdateConfiguration() { configure(using: configurationState) }

  /// The insets of the content from the cell's edges, in points.
  ///
  /// The default is zero.
  open var contentInsets: Insets { .zero }

  /// The colors of the collection view, or the dark ones while the cell belongs to none.
  public final var palette: InterfacePalette { (superview as? CollectionView)?.palette ?? .dark }

  /// The ends of the background of the section's items at which the cell is, or nil if there is none behind the cell.
  final var backgroundEnds: BackgroundEnds? {
    guard let index = itemIndex, let solution = (superview as? CollectionView)?.solution,
      index < solution.itemCounts.total
    else { return nil }
    return solution.backgroundEnds(ofItem: index)
  }

  /// Draws the cell again if its position on the background of the section's items changed since it was drawn.
  final func updateBackgroundEnds(_ ends: BackgroundEnds?) { contents?.updateBackgroundEnds(ends) }

  /// Called when the collection view's palette changed; updates the configurations.
  ///
  /// Overrides must call super.
  open func paletteDidChange() { contents?.stateDidChange() }

  private func requireContents() -> CellContents {
    if let contents { return contents }
    let made = CellContents(self)
    contents = made
    return made
  }

  /// Positions the view of the content configuration.
  open override func layoutSubviews() { contents?.layOut(in: bounds, insets: contentInsets) }

  /// Draws the background configuration.
  open override func draw(in context: DrawContext) { contents?.drawBackground(in: context) }

  open override func prepareForReuse() {
    super.prepareForReuse()
    if isSwiped { endSwipe() }
  }

  // MARK: - State

  /// Updates the cell's appearance for a new configuration state.
  ///
  /// The view calls this method after the cell was configured, and when the item's selection, highlight, focus or hover
  /// changes, also while the cell waits off screen. The default implementation does nothing.
  open func updateConfiguration(using state: CellConfigurationState) {}

  /// Sets the configuration state, if it differs from the current one.
  final func applyState(_ state: CellConfigurationState) {
    if state != configurationState { configure(using: state) }
  }

  /// Sets the configuration state after the cell was configured.
  final func configure(using state: CellConfigurationState) {
    configurationState = state
    updateConfiguration(using: state)
    contents?.stateDidChange()
  }

  /// The corner radius of the cell's shadow while the cell is dragged, in points.
  ///
  /// The shadow surrounds the cell and is not drawn beneath it, so a cell should have an opaque background while it is
  /// dragged. The default is 8.
  open var shadowCornerRadius: Double { 8 }

  /// Whether a swipe displaces the cell.
  @exclusivity(unchecked) final var isSwiped = false
  /// Whether the cell must be measured again.
  var needsSizing = false
  /// Whether the cell's own preparation requested reconfiguring it.
  var hasRequestedReconfigure = false

  /// The number of preparation steps that the cell needs for its item, in addition to its registration's handler.
  ///
  /// The view reads it after the handler and after each step. Divide the preparation of a cell that does not fit into
  /// the slack time of one frame into several steps. The default is 0.
  open var preparationSteps: Int { 0 }

  /// Performs one step of the cell's preparation.
  ///
  /// The view calls this method with 0, 1, 2 and so on up to ``preparationSteps``, each time the cell was configured or
  /// reconfigured. When the cell is prepared ahead, the steps run separately, with other work and frames in between.
  /// When the cell is needed immediately, they run one after the other. The cell is displayed only after the last step.
  ///
  /// An override may request reconfiguring its own item, which happens after it returned. For a waiting cell it happens
  /// only once: requests of that configuration are deferred until the cell is configured for another reason.
  ///
  /// The default implementation does nothing.
  ///
  /// - Parameter step: The index of the step.
  open func prepare(step: Int) {}

  /// Returns the preferred attributes of the cell, if the layout estimates its size.
  ///
  /// The view calls this method after the cell was configured. Dimensions that the layout does not estimate are
  /// ignored. A length that is not a number, negative or infinite is replaced by the layout's and counted as refused.
  ///
  /// - Parameter attributes: The attributes that the layout computed. The content must fit into their width or height.
  /// - Returns: The attributes with the size of the content. The default implementation returns the size of the content
  ///   configuration, or `attributes` if there is none.
  open func preferredLayoutAttributesFitting(_ attributes: LayoutAttributes) -> LayoutAttributes {
    guard let size = contents?.preferredSize(fitting: attributes.frame.size, insets: contentInsets) else {
      return attributes
    }
    var attributes = attributes
    attributes.frame.size = size
    return attributes
  }

  /// Invalidates the cell's size because its content changed.
  ///
  /// The view measures the cell again in the coming frame.
  public final func invalidateIntrinsicContentSize() {
    needsSizing = true
    (superview as? CollectionView)?.layoutController.cellSizeDidBecomeInvalid()
  }
}

/// The state that a cell's appearance depends on, in addition to its item.
public struct CellConfigurationState: Hashable, Sendable {
  /// Whether the item is selected.
  public var isSelected = false
  /// Whether the item is pressed.
  public var isHighlighted = false
  /// Whether the item is focused and the focus is visible.
  public var isFocused = false
  /// Whether the pointer is over the item while content is at rest.
  public var isHovered = false
  /// Whether the item is being dragged or settles after a drag, in front of the other items.
  public var isReordering = false

  /// Creates a state in which every property is false.
  public init() {}
}

/// A weak reference to a cell that is valid only while the cell is bound to its current item.
///
/// Asynchronous results should update the model, and from there, through `reconfigureItems`, whichever cell presents
/// the item by then. A closure that needs to capture a cell nevertheless captures a reference: ``cell`` is nil once the
/// cell is in the pool or presents another item.
public struct CellReference<Cell: CollectionViewCell> {
  /// The identifier of the item.
  public let itemIdentifier: (any Hashable & Sendable)?
  private weak var storedCell: Cell?
  private let generation: Int

  /// Creates a reference to a cell that is being configured or is bound to an item.
  public init(_ cell: Cell) {
    storedCell = cell
    generation = cell.generation
    itemIdentifier = cell.itemIdentifier
  }

  /// The cell, or nil if it is in the pool or presents another item.
  public var cell: Cell? {
    guard let storedCell, !storedCell.isPooled, storedCell.generation == generation else { return nil }
    return storedCell
  }
}
