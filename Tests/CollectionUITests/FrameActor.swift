import TestSupport
import Views

/// Does something in the collect phase of frames, one thing in each.
final class FrameActor: FrameParticipant {
  var next: [() -> Void] = []
  var needsFrames: Bool { !next.isEmpty }

  func collect(_ budget: FrameBudget) {
    if !next.isEmpty { next.removeFirst()() }
  }

  /// A grid of so many words, and an actor in its window.
  static func grid(_ count: Int) -> (WordGrid, FrameActor) {
    let grid = WordGrid(WordGrid.words(0..<count))
    let actor = FrameActor()
    grid.stage.window.addFirstParticipant(actor)
    grid.stage.runUntilIdle()
    grid.forget()
    return (grid, actor)
  }
}
