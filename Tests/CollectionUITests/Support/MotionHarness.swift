import CollectionUI
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport
import VitrineViews

/// A word grid whose drawn frames can be read: the position, size and opacity of each word.
final class MotionHarness {
  let grid: WordGrid
  private let actions = FrameActions()
  private var wordsByColor: [UInt32: String] = [:]

  init(_ words: [String] = WordGrid.words(0..<100), columns: Int = 1) {
    grid = WordGrid(words, columns: columns)
    grid.harness.window.addFirstParticipant(actions)
    grid.harness.runUntilIdle()
    grid.clearLog()
    for word in words { registerColor(of: word) }
  }

  /// Registers the color by which a word is recognized in frames.
  func registerColor(of word: String) { wordsByColor[WordCell.color(of: word).key] = word }

  /// Performs a closure in the collect phase of a frame, and draws that frame.
  func performInFrame(_ body: @escaping () -> Void) {
    actions.pending.append(body)
    grid.harness.run(frames: 1)
  }

  /// Applies a change in a frame, and draws that frame.
  func apply(animated isAnimated: Bool = true, _ change: @escaping (inout WordGrid.Source.Snapshot) -> Void) {
    performInFrame {
      self.grid.apply(animated: isAnimated) { snapshot in
        change(&snapshot)
        for word in snapshot.itemIdentifiers { self.registerColor(of: word) }
      }
    }
  }

  func run(_ frames: Int) { grid.harness.run(frames: frames) }

  /// The words of the last frame, back to front, each with its top edge.
  ///
  /// Height, left edge and opacity follow where they differ from those of a row at rest.
  var shown: [String] {
    (grid.harness.display.frames.last?.commands ?? []).compactMap { command in
      guard command.kind == .fill, let word = wordsByColor[command.color.key] else { return nil }
      let rect = command.destination
      var line = "\(word) \(rect.y)"
      if rect.height != Int32(WordGrid.rowHeight) { line += " h\(rect.height)" }
      if rect.x != 0 { line += " x\(rect.x)" }
      if command.color.alpha != 255 { line += " a\(command.color.alpha)" }
      return line
    }
  }

  /// The top edge of a word in the last frame.
  func top(of word: String) -> Int? {
    shown.first { $0.hasPrefix(word + " ") }.flatMap { Int($0.split(separator: " ")[1]) }
  }
}

extension Color {
  /// The color without its opacity.
  fileprivate var key: UInt32 { UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue) }
}

/// Performs closures in the collect phase of frames, one in each frame.
final class FrameActions: FrameParticipant {
  var pending: [() -> Void] = []
  var needsFrames: Bool { !pending.isEmpty }

  func collect(_ budget: FrameBudget) {
    if !pending.isEmpty { pending.removeFirst()() }
  }

  /// Returns a grid with a number of words, and the actions performed in its window's frames.
  static func makeGrid(_ count: Int) -> (WordGrid, FrameActions) {
    let grid = WordGrid(WordGrid.words(0..<count))
    let actions = FrameActions()
    grid.harness.window.addFirstParticipant(actions)
    grid.harness.runUntilIdle()
    grid.clearLog()
    return (grid, actions)
  }
}
