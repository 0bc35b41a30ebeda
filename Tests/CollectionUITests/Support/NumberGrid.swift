import CollectionUI
import struct FoundationEssentials.IndexPath
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport
import VitrineViews

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

  /// A header with the preferred height that a test defines.
  final class Header: CollectionReusableView {
    var preferredHeight: Double?

    override func preferredLayoutAttributesFitting(_ attributes: ElementAttributes) -> ElementAttributes {
      var attributes = attributes
      if let preferredHeight { attributes.frame.size.height = preferredHeight }
      return attributes
    }
  }

  let view: CollectionView
  let source: Source
  let harness: WindowHarness

  /// Creates a view of numbers by section, and shows it.
  ///
  /// - Parameters:
  ///   - sections: The numbers of each section; the sections are named 0, 1 and so on.
  ///   - layout: The layout.
  ///   - preferredSize: Returns the preferred size of a cell.
  ///   - headerHeight: Returns the preferred height of the header of a section, or nil if there are no headers.
  init(
    _ sections: [[Int]], layout: any CollectionLayout, preferredSize: ((Int, Int) -> Size?)? = nil,
    headerHeight: ((Int) -> Double)? = nil
  ) {
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
    if let headerHeight {
      let header = SupplementaryRegistration<Header>(elementKind: TestLayouts.headerKind) {
        [weak source] header, _, path in
        header.preferredHeight = source?.sectionIdentifier(for: path.section).map(headerHeight)
      }
      source.supplementaryViewProvider = { view, _, path in
        view.dequeueConfiguredReusableSupplementary(using: header, for: path)
      }
    }
    apply { snapshot in
      for (section, items) in sections.enumerated() {
        snapshot.appendSections([section])
        snapshot.appendItems(items, toSection: section)
      }
    }
    harness.runUntilIdle()
  }

  func apply(animated isAnimated: Bool = true, _ change: (inout Source.Snapshot) -> Void) {
    var snapshot = source.snapshot()
    change(&snapshot)
    source.apply(snapshot, animatingDifferences: isAnimated)
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

  static let headerKind = "header"

  /// Returns a layout of rows as wide as the view, with an estimated height.
  ///
  /// - Parameters:
  ///   - estimate: The height of rows until their cells are measured.
  ///   - header: The height of the pinned headers of sections until they are measured, or nil for none.
  ///   - footer: The height of the pinned footers of sections, which are not measured, or nil for none.
  static func measuredRows(
    estimate: Double, header: Double? = nil, footer: Double? = nil
  ) -> CompositionalLayout {
    let size = CollectionLayoutSize(width: .fractionalWidth(1), height: .estimated(estimate))
    var section = CollectionLayoutSection(
      group: .vertical(layoutSize: size, subitems: [CollectionLayoutItem(layoutSize: size)]))
    if let header {
      var view = CollectionLayoutBoundarySupplementaryItem(
        layoutSize: CollectionLayoutSize(width: .fractionalWidth(1), height: .estimated(header)),
        elementKind: headerKind, alignment: .top)
      view.pinToVisibleBounds = true
      section.boundarySupplementaryItems.append(view)
    }
    if let footer {
      var view = CollectionLayoutBoundarySupplementaryItem(
        layoutSize: CollectionLayoutSize(width: .fractionalWidth(1), height: .absolute(footer)),
        elementKind: headerKind, alignment: .bottom)
      view.pinToVisibleBounds = true
      section.boundarySupplementaryItems.append(view)
    }
    return CompositionalLayout(section: section)
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
