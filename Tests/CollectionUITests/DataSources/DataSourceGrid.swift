import CollectionUI
import struct FoundationEssentials.IndexPath
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineGeometry
import VitrineTestSupport
import VitrineViews

/// A grid of words from a `CollectionViewDataSource`, with rows of 50 points in a window of 400 by 300 points.
final class DataSourceGrid {
  /// A data source that records the requests of the view.
  final class Source: CollectionViewDataSource {
    var sections: [[String]]
    var countRequests = 0
    var requestedWords: [String] = []
    /// Called for each requested cell.
    var onCellRequest: ((IndexPath) -> Void)?
    /// A section count that overrides the number of sections.
    var sectionCount: Int?
    let registration = CellRegistration<WordCell, String> { cell, _, word in cell.word = word }

    init(_ sections: [[String]]) { self.sections = sections }

    func numberOfSections(in view: CollectionView) -> Int {
      countRequests += 1
      return sectionCount ?? sections.count
    }

    func collectionView(_ view: CollectionView, numberOfItemsInSection section: Int) -> Int {
      sections[section].count
    }

    func collectionView(_ view: CollectionView, cellForItemAt indexPath: IndexPath) -> CollectionViewCell {
      let word = sections[indexPath.section][indexPath.item]
      requestedWords.append(word)
      onCellRequest?(indexPath)
      return view.dequeueConfiguredReusableCell(using: registration, for: indexPath, item: word)
    }
  }

  let view: CollectionView
  let source: Source
  let harness: WindowHarness
  let log = DisplayLog()
  let actions = FrameActions()

  init(_ sections: [[String]], columns: Int = 1) {
    view = CollectionView(layout: WordGrid.layout(columns: columns))
    DemonstrationSwitches(view).isCellPrefetchingEnabled = false
    harness = WindowHarness(root: view)
    harness.window.addFirstParticipant(actions)
    harness.window.addParticipant(view)
    view.delegate = log
    source = Source(sections)
    view.dataSource = source
    harness.runUntilIdle()
    clearLog()
  }

  /// Clears the recorded requests and display events.
  func clearLog() {
    source.requestedWords = []
    source.countRequests = 0
    log.clearLog()
  }

  /// Runs a closure in the collect phase of the next frame, and produces that frame.
  func performInFrame(_ body: @escaping () -> Void) {
    actions.pending.append(body)
    harness.run(frames: 1)
  }

  var words: [WordCell] { view.visibleCells.compactMap { $0 as? WordCell } }
  var shown: [String] { words.map(\.word) }
  func cell(of word: String) -> WordCell? { words.first { $0.word == word } }

  static func path(_ item: Int, _ section: Int = 0) -> IndexPath { IndexPath(item: item, section: section) }
}
