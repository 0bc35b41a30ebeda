import CollectionEngine
import CollectionUI
import struct FoundationEssentials.IndexPath
import TestSupport
import Views

/// What a provider in a test works with.
final class Registrations {
  let word = CellRegistration<WordCell, Int> { cell, _, item in cell.word = "word \(item)" }
  let other = CellRegistration<WordCell, Int> { cell, _, item in cell.word = "other \(item)" }
  /// Whether the provider runs for a reconfigure.
  var isReconfiguring = false
  /// The path that it runs for.
  var path = IndexPath(item: 0, section: 0)
  /// A cell that it has kept.
  var last: WordCell?

  func stage(of view: CollectionView) -> WindowHarness {
    let stage = WindowHarness(root: view)
    stage.window.addParticipant(view)
    return stage
  }
}
