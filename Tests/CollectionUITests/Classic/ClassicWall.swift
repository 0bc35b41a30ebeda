import CollectionEngine
import CollectionLayout
import CollectionUI
import struct FoundationEssentials.IndexPath
import Geometry
import TestSupport
import Views

/// Words in arrays that a data source gives by index path, in rows of 50 points on a stage of 400 by 300.
final class ClassicWall {
  /// The data source; counts what it is asked.
  final class Source: CollectionViewDataSource {
    var sections: [[String]]
    var countQuestions = 0
    var asked: [String] = []
    /// Called when a cell is asked for.
    var onAsk: ((IndexPath) -> Void)?
    /// What it says instead of the number of its sections.
    var sectionCount: Int?
    let registration = CellRegistration<WordCell, String> { cell, _, word in cell.word = word }

    init(_ sections: [[String]]) { self.sections = sections }

    func numberOfSections(in view: CollectionView) -> Int {
      countQuestions += 1
      return sectionCount ?? sections.count
    }

    func collectionView(_ view: CollectionView, numberOfItemsInSection section: Int) -> Int {
      sections[section].count
    }

    func collectionView(_ view: CollectionView, cellForItemAt indexPath: IndexPath) -> CollectionViewCell {
      let word = sections[indexPath.section][indexPath.item]
      asked.append(word)
      onAsk?(indexPath)
      return view.dequeueConfiguredReusableCell(using: registration, for: indexPath, item: word)
    }
  }

  let view: CollectionView
  let source: Source
  let stage: WindowHarness
  let log = DisplayLog()
  let actor = FrameActor()

  init(_ sections: [[String]], columns: Int = 1) {
    view = CollectionView(layout: WordGrid.layout(columns: columns))
    view.isCellPrefetchingEnabled = false
    stage = WindowHarness(root: view)
    stage.window.addFirstParticipant(actor)
    stage.window.addParticipant(view)
    view.delegate = log
    source = Source(sections)
    view.dataSource = source
    stage.runUntilIdle()
    forget()
  }

  func forget() {
    source.asked = []
    source.countQuestions = 0
    log.forget()
  }

  /// Does something in a frame, in its collect phase, and makes that frame.
  func frame(_ body: @escaping () -> Void) {
    actor.next.append(body)
    stage.run(frames: 1)
  }

  var words: [WordCell] { view.visibleCells.compactMap { $0 as? WordCell } }
  var shown: [String] { words.map(\.word) }
  func cell(of word: String) -> WordCell? { words.first { $0.word == word } }

  static func path(_ item: Int, _ section: Int = 0) -> IndexPath { IndexPath(item: item, section: section) }
}
