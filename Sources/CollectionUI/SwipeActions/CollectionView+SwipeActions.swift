import struct FoundationEssentials.IndexPath
import VitrineCollectionEngine
import VitrineGeometry
import VitrineRendering
import VitrineViews

/// Swipe actions: their input, and the same actions in the context menu.
extension CollectionView {
  /// Whether the actions of an item are visible.
  public final var isShowingSwipeActions: Bool { swipeController?.openItem != nil }

  /// Hides the swipe actions that are visible, if any.
  public final func hideSwipeActions() { swipeController?.close() }

  /// Handles an event of a swipe across items, or declines it.
  final func handleSwipe(_ event: InputEvent) -> Bool {
    // A swipe that has begun ends even if its delegate is gone.
    guard swipeController != nil || delegate != nil && isScrollEnabled else { return false }
    let controller = swipeController ?? SwipeController(self)
    swipeController = controller
    return controller.handle(event)
  }

  /// Returns the actions of an item.
  final func swipeActions(
    ofItem item: Int
  ) -> (leading: SwipeActionsConfiguration?, trailing: SwipeActionsConfiguration?) {
    guard let delegate else { return (nil, nil) }
    let path = indexPath(at: item)
    var configurations: (leading: SwipeActionsConfiguration?, trailing: SwipeActionsConfiguration?)
    deferringUpdates {
      configurations.leading = delegate.collectionView(self, leadingSwipeActionsConfigurationForItemAt: path)
      configurations.trailing = delegate.collectionView(self, trailingSwipeActionsConfigurationForItemAt: path)
    }
    return configurations
  }

  /// Returns the context menu of items: that of the delegate, and the swipe actions of a single item that it lacks.
  final func contextMenu(_ menu: Menu?, forItemsAt paths: IndexPathRuns) -> Menu? {
    guard paths.count == 1, let item = paths.items.first else { return menu }
    let configurations = swipeActions(ofItem: item)
    let present = Set(menu?.actions.map(\.title) ?? [])
    func group(_ configuration: SwipeActionsConfiguration?) -> Menu {
      let actions = (configuration?.actions ?? []).filter { !$0.title.isEmpty && !present.contains($0.title) }
      return Menu(
        options: .displayInline,
        children: actions.map { action in
          MenuAction(
            title: action.title, image: action.image, attributes: action.style == .destructive ? .destructive : []
          ) { [weak self] in
            if let self { action.handler(action, self) { _ in } }
          }
        })
    }
    let groups = [group(configurations.leading), group(configurations.trailing)].filter { !$0.children.isEmpty }
    guard !groups.isEmpty else { return menu }
    let own = menu.map { Menu(options: .displayInline, children: $0.children) }
    return Menu(children: [own].compactMap { $0 } + groups)
  }
}

extension InputEvent.Kind {
  /// Whether an event may begin a swipe across the content's axis.
  var maySwipe: Bool {
    switch self {
    case .wheel(let wheel): wheel.deltaX.magnitude > wheel.deltaY.magnitude
    case .pan(let pan): pan.phase == .began && pan.translation.x.magnitude > pan.translation.y.magnitude
    default: false
    }
  }
}

extension CollectionViewCell {
  /// Displaces the cell by a swipe, in points.
  final func setSwipeOffset(_ offset: Double) {
    let transform = Transform(translationX: offset, y: 0)
    if self.transform != transform { self.transform = transform }
    isSwiped = true
  }

  /// Ends the displacement by a swipe; a pooled cell ends it when it is reused.
  final func endSwipe() {
    guard isSwiped, !isPooled else { return }
    isSwiped = false
    transform = .identity
  }
}
