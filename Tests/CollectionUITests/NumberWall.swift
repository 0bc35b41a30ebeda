import CollectionLayout
import CollectionUI
import DiffableData
import struct FoundationEssentials.IndexPath
import Geometry
import Rendering
import TestSupport
import Views

/// Numbers in cells that tell their size, in any layout, on a stage of 400 by 300 points.
final class NumberWall {
  typealias Source = DiffableDataSource<Int, Int>

  /// A cell that prefers what it is told.
  final class Cell: CollectionViewCell {
    var number = -1
    /// The size that it asks for, by its number and how often it was asked for that one.
    var preferred: ((Int, Int) -> Size?)?
    private(set) var asked = 0

    override func prepareForReuse() {
      super.prepareForReuse()
      asked = 0
    }

    override func preferredLayoutAttributesFitting(_ attributes: LayoutAttributes) -> LayoutAttributes {
      var attributes = attributes
      asked += 1
      if let size = preferred?(number, asked) { attributes.frame.size = size }
      return attributes
    }

    override func draw(in context: DrawContext) {
      context.fill(bounds, Color(hex: UInt32(number &* 2_654_435 & 0xFFFFFF)))
    }
  }

  let view: CollectionView
  let source: Source
  let stage: WindowHarness

  init(_ sections: [[Int]], layout: any CollectionLayout, preferred: ((Int, Int) -> Size?)? = nil) {
    let view = CollectionView(layout: layout)
    self.view = view
    // What is prepared ahead has tests of its own.
    view.isCellPrefetchingEnabled = false
    stage = WindowHarness(root: view)
    stage.window.addParticipant(view)
    stage.window.firstResponder = view
    let registration = CellRegistration<Cell, Int> { cell, _, number in
      cell.number = number
      cell.preferred = preferred
    }
    source = Source(collectionView: view) { view, path, item in
      view.dequeueConfiguredReusableCell(using: registration, for: path, item: item)
    }
    apply { snapshot in
      for (section, items) in sections.enumerated() {
        snapshot.appendSections([section])
        snapshot.appendItems(items, toSection: section)
      }
    }
    stage.runUntilIdle()
  }

  func apply(_ change: (inout Source.Snapshot) -> Void) {
    var snapshot = source.snapshot()
    change(&snapshot)
    source.apply(snapshot)
  }

  func scroll(to offset: Double) {
    view.scroll(to: offset, animated: false)
    stage.run(frames: 1)
  }

  var cells: [Cell] { view.visibleCells.compactMap { $0 as? Cell } }
  var shown: [Int] { cells.map(\.number) }

  /// Where a number stands in the window.
  func frame(of number: Int) -> Rect? {
    cells.first { $0.number == number }.map { Rect(origin: view.origin(of: $0), size: $0.frame.size) }
  }
}
