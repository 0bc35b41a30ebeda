/// What of a frame a display draws.
public nonisolated enum RedrawPolicy: String, CaseIterable, Hashable, Sendable {
  /// What differs from the last frame, after moving the pixels that have only moved, where the renderer allows it; else
  /// all of it.
  case damage
  /// All of every frame.
  case whole
}
