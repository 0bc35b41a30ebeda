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

  /// The words for the plain program, both as its argument and in the table.
  public var peerWord: String {
    switch self {
    case .damage: "moved"
    case .whole: "whole"
    }
  }

  /// The nanoseconds a frame that a program as plain as ``ScenePeer``'s took on the machine where ``timeAim`` was set.
  public var peerTime: Double {
    switch self {
    case .damage: 350_000
    case .whole: 750_000
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
