import VitrineCollectionLayout
import VitrineRendering
public import VitrineViews

/// The line between two rows of a list, in the separator color of the collection view's palette.
///
/// A collection view displays it for the separators of a list layout for which no other class is registered. The layout
/// gives it the frame of the line.
@MainActor
public final class ListSeparatorView: CollectionReusableView {
  public override func draw(in context: DrawContext) {
    let palette = (superview as? CollectionView)?.palette ?? .dark
    context.fill(bounds, palette.separator)
  }
}

/// The rounded card behind the rows of a list section, in the secondary background color of the collection view's palette.
///
/// A collection view displays it in lists with
/// `CollectionLayoutListConfiguration.showsSectionBackgrounds`, unless another class is registered for
/// `CollectionLayoutListConfiguration.backgroundKind`.
@MainActor
public final class ListBackgroundView: CollectionReusableView {
  public override func draw(in context: DrawContext) {
    let palette = (superview as? CollectionView)?.palette ?? .dark
    context.fillRounded(
      bounds, radius: CollectionLayoutListConfiguration.backgroundCornerRadius, palette.secondaryBackground)
  }
}

extension CollectionLayoutListConfiguration {
  /// Returns the class of the decoration views of a kind for which no class is registered, or nil if there is none.
  @MainActor
  static func standardView(ofKind kind: String) -> CollectionReusableView.Type? {
    switch kind {
    case separatorKind, topSeparatorKind: ListSeparatorView.self
    case backgroundKind: ListBackgroundView.self
    default: nil
    }
  }
}

extension CollectionView {
  /// Registers ``ListSeparatorView`` for the separators at the top and at the bottom of rows, which is the default.
  public final func registerListSeparators() {
    register(ListSeparatorView.self, forDecorationViewOfKind: CollectionLayoutListConfiguration.separatorKind)
    register(ListSeparatorView.self, forDecorationViewOfKind: CollectionLayoutListConfiguration.topSeparatorKind)
  }
}
