public import CollectionLayout
import Views

/// A cell: what shows one item, and another one later.
open class CollectionViewCell: CollectionReusableView {
  /// The flat index of the item that the cell shows; nothing while it waits in the pool.
  public internal(set) var itemIndex: Int?
  /// The identifier of the item that the cell was configured for last.
  var boundItem: (any Hashable & Sendable)?

  /// The identifier of the item that the cell is bound to; nothing while it lies in the pool.
  public final var itemIdentifier: (any Hashable & Sendable)? { isPooled ? nil : boundItem }

  /// What the cell's look depends on besides its item, as of now; that of a cell that waits is kept true, too.
  public private(set) final var configurationState = CellConfigurationState()
  /// Whether the cell's item is selected.
  public final var isSelected: Bool { configurationState.isSelected }
  /// Whether the cell's item is pressed.
  public final var isHighlighted: Bool { configurationState.isHighlighted }

  /// The cell was configured, or its item came to be selected, pressed, focused or pointed at, or no more: puts that on.
  ///
  /// Called on screen and while the cell waits, so that nothing is left to do when it comes on screen. Does nothing unless
  /// overridden.
  open func updateConfiguration(using state: CellConfigurationState) {}

  /// Takes over what the look depends on, where it is something else.
  final func applyState(_ state: CellConfigurationState) {
    if state != configurationState { configure(using: state) }
  }

  /// Takes over what the look depends on once the cell was configured.
  final func configure(using state: CellConfigurationState) {
    configurationState = state
    updateConfiguration(using: state)
  }

  /// How round the corners are of what the cell draws, in points: of its shadow while a hand carries it.
  ///
  /// The shadow lies around the cell and not beneath it: a cell gives itself a ground while it is carried, at least then.
  open var shadowCornerRadius: Double { 8 }

  /// Whether the cell is to be asked for its size anew.
  var needsSizing = false
  /// Whether the cell is configured again, ahead of its need, as its own preparation asked for that.
  var hasRequestedReconfigure = false

  /// How many parts the cell's preparation for its item has beside what its handler does; none unless overridden.
  ///
  /// Asked after the handler and after each part: a cell that is too heavy for the spare time of one frame is spread over
  /// several.
  open var preparationSteps: Int { 0 }

  /// Does one part of the cell's preparation; does nothing unless overridden.
  ///
  /// An override may ask for its own item to be configured again: that is done once it has returned. Of a cell that waits
  /// once only; what that configuration asks for again is left to when something else does.
  ///
  /// Called with 0, 1, 2 and so on up to ``preparationSteps``, each time the cell was configured, reconfigured too. Ahead of
  /// need each part is a step of its own, with other work and frames in between; where the cell is needed at once they
  /// follow each other. The cell is on screen only after the last.
  ///
  /// - Parameter step: the number of the part.
  open func prepare(step: Int) {}

  /// The size that the cell prefers, asked of layouts with estimated dimensions once the cell was configured.
  ///
  /// A dimension that the layout does not estimate is not taken. An answer that is no number, negative or infinite counts
  /// as the size that the layout has, and is counted as refused.
  ///
  /// - Parameter attributes: where the layout has the cell; its width or height is what the content must fit in.
  /// - Returns: the attributes with the size of the content; the same unless overridden.
  open func preferredLayoutAttributesFitting(_ attributes: LayoutAttributes) -> LayoutAttributes { attributes }

  /// The content has another size than when the cell was asked last: it is asked again in the coming frame.
  public final func invalidateIntrinsicContentSize() {
    needsSizing = true
    (superview as? CollectionView)?.cellSizeDidBecomeInvalid()
  }
}
