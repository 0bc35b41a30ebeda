import CollectionUI
import DiffableData
import FramePacing
import Geometry
import Rendering
import TestSupport
import Views

/// A grid of words whose frames are read: where each word is shown, how high and how solid.
final class MotionStage {
  let grid: WordGrid
  private let actor = FrameActor()
  private var known: [UInt32: String] = [:]

  init(_ words: [String] = WordGrid.words(0..<100), columns: Int = 1) {
    grid = WordGrid(words, columns: columns)
    grid.stage.window.addFirstParticipant(actor)
    grid.stage.runUntilIdle()
    grid.forget()
    for word in words { know(word) }
  }

  /// Learns a word's colour.
  func know(_ word: String) { known[WordCell.color(of: word).key] = word }

  /// Does something in a frame, in its collect phase, and makes that frame.
  func frame(_ body: @escaping () -> Void) {
    actor.next.append(body)
    grid.stage.run(frames: 1)
  }

  /// Applies a change with motion in a frame, and makes that frame.
  func apply(animated isAnimated: Bool = true, _ change: @escaping (inout WordGrid.Source.Snapshot) -> Void) {
    frame {
      self.grid.apply(animated: isAnimated) { snapshot in
        change(&snapshot)
        for word in snapshot.itemIdentifiers { self.know(word) }
      }
    }
  }

  func run(_ frames: Int) { grid.stage.run(frames: frames) }

  /// The words of the last frame, back to front, each with its top edge; and with its height, left edge and opacity where
  /// these are not those of a row at rest.
  var shown: [String] {
    (grid.stage.display.frames.last?.commands ?? []).compactMap { command in
      guard command.kind == .fill, let word = known[command.color.key] else { return nil }
      let place = command.destination
      var line = "\(word) \(place.y)"
      if place.height != Int32(WordGrid.rowHeight) { line += " h\(place.height)" }
      if place.x != 0 { line += " x\(place.x)" }
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
  /// The colour without its opacity.
  fileprivate var key: UInt32 { UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue) }
}
