import CollectionEngine
import CollectionLayout
import CollectionUI
import DiffableData
import struct FoundationEssentials.IndexPath
import Geometry
import TestSupport
import Views

/// Numbers in a stack on a stage of 400 by 300 points.
final class StackStage {
  typealias Source = DiffableDataSource<String, Int>

  let view: CollectionView
  let source: Source
  let stage: WindowHarness
  let layout: StackLayout
  private(set) var headers: [HeaderView] = []
  /// What a header tells of its section.
  var headerText: (String, Int) -> String = { "\($0) \($1)" }

  init(_ sections: [(String, [Int])], layout: StackLayout) {
    self.layout = layout
    let view = CollectionView(layout: layout)
    self.view = view
    // What is prepared ahead has tests of its own.
    view.isCellPrefetchingEnabled = false
    stage = WindowHarness(root: view)
    stage.window.addParticipant(view)
    let registration = CellRegistration<WordCell, Int> { cell, _, item in cell.word = "\(item)" }
    let source = Source(collectionView: view) { view, path, item in
      view.dequeueConfiguredReusableCell(using: registration, for: path, item: item)
    }
    self.source = source
    view.register(BackgroundView.self, forDecorationViewOfKind: "back")
    let header = SupplementaryRegistration<HeaderView>(elementKind: "header") { [weak self] header, _, path in
      guard let self, let section = source.sectionIdentifier(for: path.section) else { return }
      if !headers.contains(where: { $0 === header }) { headers.append(header) }
      header.configured += 1
      header.text = headerText(section, source.shownSnapshot().numberOfItems(inSection: section))
    }
    source.supplementaryViewProvider = { view, _, path in
      view.dequeueConfiguredReusableSupplementary(using: header, for: path)
    }
    var snapshot = source.snapshot()
    for (section, items) in sections {
      snapshot.appendSections([section])
      snapshot.appendItems(items, toSection: section)
    }
    source.apply(snapshot)
    stage.runUntilIdle()
  }

  func apply(animated isAnimated: Bool = false, _ change: (inout Source.Snapshot) -> Void) {
    var snapshot = source.snapshot()
    change(&snapshot)
    source.apply(snapshot, animatingDifferences: isAnimated)
  }

  func scroll(to offset: Double) {
    view.scroll(to: offset, animated: false)
    stage.run(frames: 1)
  }

  /// The headers on screen and where they stand in the window, from the top.
  var shownHeaders: [String] {
    view.visibleSupplementaryViews(ofKind: "header").compactMap { $0 as? HeaderView }
      .map { "\($0.text) at \(Int(view.origin(of: $0).y))\($0.isPinned ? ", pinned" : "")" }
  }

  var shown: [Int] { view.visibleCells.compactMap { ($0 as? WordCell).flatMap { Int($0.word) } } }

  /// Where an item stands in the window.
  func top(of item: Int) -> Double? {
    source.indexPath(for: item).flatMap { view.frameOfItem(at: $0) }.map { $0.minY - view.contentOffset }
  }
}
