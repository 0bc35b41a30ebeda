import VitrineCollectionLayout
import VitrineRendering
public import VitrineViews

/// The line between two rows of a list, in the separator color of the collection view's palette.
///
/// Register it for the separators of a list layout, or call ``CollectionView/registerListSeparators()``:
///
///     view.register(ListSeparatorView.self, forDecorationViewOfKind: CollectionLayoutListConfiguration.separatorKind)
///
/// The layout gives it the frame of the line.
@MainActor
public final class ListSeparatorView: CollectionReusableView {
  public override func draw(in context: DrawContext) {
    let palette = (superview as? CollectionView)?.palette ?? .dark
    context.fill(bounds, palette.separator)
  }
}

extension CollectionView {
  /// Registers ``ListSeparatorView`` for the separators at the top and at the bottom of rows.
  public final func registerListSeparators() {
    register(ListSeparatorView.self, forDecorationViewOfKind: CollectionLayoutListConfiguration.separatorKind)
    register(ListSeparatorView.self, forDecorationViewOfKind: CollectionLayoutListConfiguration.topSeparatorKind)
  }
}
