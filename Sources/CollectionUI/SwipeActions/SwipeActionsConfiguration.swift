public import VitrineRendering
public import VitrineViews

/// The actions that a swipe over an item reveals at one of its edges.
///
/// The delegate of a collection view returns it from `collectionView(_:leadingSwipeActionsConfigurationForItemAt:)` and
/// `collectionView(_:trailingSwipeActionsConfigurationForItemAt:)`.
///
/// ```swift
/// let delete = ContextualAction(style: .destructive, title: "Delete") { _, _, completion in
///   store.delete(item)  // and apply a snapshot without it
///   completion(true)
/// }
/// return SwipeActionsConfiguration(actions: [delete])
/// ```
public struct SwipeActionsConfiguration {
  /// The actions, from the edge of the item inward.
  public var actions: [ContextualAction]
  /// A Boolean value that indicates whether a swipe over more than half of the item performs the first action.
  ///
  /// The default is true.
  public var performsFirstActionWithFullSwipe = true

  /// Creates a configuration.
  public init(actions: [ContextualAction]) { self.actions = actions }
}

/// An action that a swipe over an item reveals.
@MainActor
public final class ContextualAction {
  /// The style of an action.
  public nonisolated enum Style: Hashable, Sendable {
    /// An action on a neutral background.
    case normal
    /// An action that deletes the item, on a red background.
    case destructive
  }

  /// Performs an action.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - sourceView: The view of the actions, for example to show a menu; the collection view if the action was chosen in
  ///     the context menu.
  ///   - completion: To be called when the action was performed or not; the item's actions are hidden then.
  public typealias Handler = (
    _ action: ContextualAction, _ sourceView: View, _ completion: @escaping (_ isPerformed: Bool) -> Void
  ) -> Void

  /// The style.
  public let style: Style
  /// The title.
  public var title: String
  /// The image, displayed above the title, or in its place if the item is too low for both; nil for none.
  public var image: ActionImage?
  /// The color behind the title, or nil for that of the style.
  ///
  /// The title is black or white, whichever has more contrast. The default is nil.
  public var backgroundColor: Color?
  /// Performs the action.
  ///
  /// A destructive action applies a snapshot without the item, by which the item is animated out.
  public let handler: Handler

  /// Creates an action.
  public init(style: Style, title: String, image: ActionImage? = nil, handler: @escaping Handler) {
    (self.style, self.title, self.image, self.handler) = (style, title, image, handler)
  }

  /// The color behind the title.
  var resolvedBackground: Color {
    backgroundColor ?? (style == .destructive ? Color(hex: 0xC7322A) : Color(hex: 0x5D6067))
  }

  /// The color of the title.
  var foreground: Color {
    let color = resolvedBackground
    let luminance = 0.2126 * linear(color.red) + 0.7152 * linear(color.green) + 0.0722 * linear(color.blue)
    return luminance > 0.18 ? .black : .white
  }

  private func linear(_ component: UInt8) -> Double {
    let value = Double(component) / 255
    // The square is close enough to choose between black and white.
    return value * value
  }
}
