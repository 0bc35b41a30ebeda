/// How the scene's frames are drawn.
public enum SceneWay: String, CaseIterable, Hashable, Sendable {
  /// What differs from the last frame, after moving what has only moved.
  case damage
  /// All of every frame.
  case whole

  /// The words in the table.
  public var label: String {
    switch self {
    case .damage: "moved, the rest drawn"
    case .whole: "drawn whole"
    }
  }

  /// The most processor time a frame, on average, with 100,000 items.
  public var timeAim: Aim {
    switch self {
    case .damage: Aim(.time, 450_000)
    case .whole: Aim(.time, 800_000)
    }
  }
}
