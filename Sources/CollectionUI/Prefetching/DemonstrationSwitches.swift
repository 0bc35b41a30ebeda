public import VitrineFramePacing

/// Switches that make a collection view worse on purpose, for demonstrations and measurements.
///
/// They show what preparing cells ahead saves. A program for users has no reason to change them.
public struct DemonstrationSwitches {
  private let view: CollectionView

  /// Creates the switches of a collection view.
  public init(_ view: CollectionView) { self.view = view }

  /// A Boolean value that indicates whether the view prepares cells before their items are visible, while its
  /// `isPrefetchingEnabled` is true.
  ///
  /// The default is true.
  public var isCellPrefetchingEnabled: Bool {
    get { view.prefetchController.isCellPrefetchingEnabled }
    nonmutating set {
      guard newValue != isCellPrefetchingEnabled else { return }
      view.prefetchController.isCellPrefetchingEnabled = newValue
      view.setNeedsVisibleUpdate()
    }
  }

  /// The time to spend whenever a created or dequeued cell is configured for an item, as one step.
  ///
  /// The default is zero.
  public var addedCellCost: FrameDuration {
    get { view.cellController.addedCost }
    nonmutating set { view.cellController.addedCost = newValue }
  }
}
