/// Where the scene is shown.
public enum SceneKind: String, CaseIterable, Hashable, Sendable {
  /// In a window of the window system that is there.
  case window
  /// On SDL's dummy driver, which shows nothing: drawing alone.
  case headless
}
