import Views

/// What is around a collection view's content, and who is told of its sections' movement.
struct ContentEnvironment {
  /// What lies behind the content and does not scroll.
  var background: View?
  /// Who is told of every move; the view's delegate, if it wants to be.
  weak var scrollDelegate: (any CollectionViewScrollDelegate)? {
    didSet { hasScrollDelegate = scrollDelegate != nil }
  }
  /// Whether there was one when it was set: asked in every frame, where holding on to it costs more than a look.
  private(set) var hasScrollDelegate = false
  /// Who is told of sections that scroll across; the view's delegate, if it wants to be.
  weak var orthogonalDelegate: (any OrthogonalScrollDelegate)?
  /// Sections that stand elsewhere than was told, ascending.
  var movedSections: [Int] = []
}
