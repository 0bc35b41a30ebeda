import CollectionLayout
import CollectionUI
import DiffableData
import struct FoundationEssentials.IndexPath
import Geometry
import Rendering
import TestSupport
import Views

/// A collection view of numbers in any layout, in a window of 400 by 300 points.
final class NumberGrid {
  typealias Source = DiffableDataSource<Int, Int>

  /// A cell with the preferred size that a test defines.
  final class Cell: CollectionViewCell {
    var number = -1
    /// Returns the preferred size for the cell's number and the count of size requests since the cell was reused.
    var preferredSize: ((Int, Int) -> Size?)?
    private(set) var sizeRequests = 0

    override func prepareForReuse() {
      super.prepareForReuse()
      sizeRequests = 0
    }

    override func preferredLayoutAttributesFitting(_ attributes: LayoutAttributes) -> LayoutAttributes {
      var attributes = attributes
      sizeRequests += 1
      if let size = preferredSize?(number, sizeRequests) { attributes.frame.size = size }
      return attributes
    }

    override func draw(in context: DrawContext) {
      context.fill(bounds, Color(hex: UInt32(number &* 2_654_435 & 0xFFFFFF)))
    }
  }

  let view: CollectionView
  let source: Source
  let harness: WindowHarness

  init(_ sections: [[Int]], layout: any CollectionLayout, preferredSize: ((Int, Int) -> Size?)? = nil) {
    let view = CollectionView(layout: layout)
    self.view = view
    // Preparation has separate tests.
    DemonstrationSwitches(view).isCellPrefetchingEnabled = false
    harness = WindowHarness(root: view)
    harness.window.addParticipant(view)
    harness.window.firstResponder = view
    let registration = CellRegistration<Cell, Int> { cell, _, number in
      cell.number = number
      cell.preferredSize = preferredSize
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
    harness.runUntilIdle()
  }

  func apply(_ change: (inout Source.Snapshot) -> Void) {
    var snapshot = source.snapshot()
    change(&snapshot)
    source.apply(snapshot)
  }

  func scroll(to offset: Double) {
    view.scroll(to: offset, animated: false)
    harness.run(frames: 1)
  }

  var cells: [Cell] { view.visibleCells.compactMap { $0 as? Cell } }
  var shown: [Int] { cells.map(\.number) }

  /// Returns the frame of a number in window coordinates.
  func frame(of number: Int) -> Rect? {
    cells.first { $0.number == number }.map { Rect(origin: view.origin(of: $0), size: $0.frame.size) }
  }
}

/// Layouts that several tests use.
enum TestLayouts {
  static func section(
    _ width: CollectionLayoutDimension, _ height: CollectionLayoutDimension
  ) -> CollectionLayoutSection {
    let size = CollectionLayoutSize(width: width, height: height)
    let item = CollectionLayoutItem(
      layoutSize: CollectionLayoutSize(width: .fractionalWidth(1), height: .fractionalHeight(1)))
    return CollectionLayoutSection(
      group: .horizontal(layoutSize: size, repeatingSubitem: item, count: 1))
  }

  /// Returns a layout with an orthogonal section above rows of 40 points.
  ///
  /// The pages of the section are half as wide as the view and 100 points high.
  static func orthogonal(_ behavior: OrthogonalScrollingBehavior) -> CompositionalLayout {
    var orthogonalSection = section(.fractionalWidth(0.5), .absolute(100))
    orthogonalSection.orthogonalScrollingBehavior = behavior
    let rows = section(.fractionalWidth(1), .absolute(40))
    let firstSection = orthogonalSection
    return CompositionalLayout { section, _ in section == 0 ? firstSection : rows }
  }
}
