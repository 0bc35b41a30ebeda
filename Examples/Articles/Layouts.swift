// The code of the article “Layouts”.
import CollectionUI

/// A row of a list.
struct Reminder: Hashable {
  var title: String
  var place: String
  var isDone: Bool
}

/// The layouts of the article.
@MainActor
enum Layouts {
  static func makeGrid() -> CollectionView {
    let layout = GridLayout(
      columns: .minimumWidth(140), columnSpacing: 8, rowSpacing: 8,
      sectionInsets: Insets(top: 8, left: 8, bottom: 8, right: 8), heightRatio: 0.75)
    let view = CollectionView(layout: layout)
    return view
  }

  static func makeList() -> CollectionView {
    let configuration = CollectionLayoutListConfiguration(appearance: .insetGrouped)
    let view = CollectionView(layout: CompositionalLayout.list(using: configuration))
    view.backgroundColor = view.palette.background
    return view
  }

  static func makeRow() -> CellRegistration<ListCell, Reminder> {
    let row = CellRegistration<ListCell, Reminder> { cell, _, reminder in
      var content = cell.defaultContentConfiguration()
      content.text = reminder.title
      content.secondaryText = reminder.place
      cell.contentConfiguration = content
      cell.accessories = reminder.isDone ? [.checkmark] : []
    }
    return row
  }

  static func addHeaders(
    to configuration: inout CollectionLayoutListConfiguration, of source: DiffableDataSource<String, Int>
  ) {
    configuration.headerMode = .supplementary
    let header = SupplementaryRegistration<TitleView>(
      elementKind: CollectionLayoutListConfiguration.headerKind
    ) { [weak source] title, _, path in
      title.show(source?.sectionIdentifier(for: path.section) ?? "")
    }
    source.supplementaryViewProvider = { view, _, path in
      view.dequeueConfiguredReusableSupplementary(using: header, for: path)
    }
  }

  static func makeRows() -> CompositionalLayout {
    // Three items in a row: each takes a third of the width and the whole height of its group.
    let item = CollectionLayoutItem(
      layoutSize: CollectionLayoutSize(width: .fractionalWidth(1.0 / 3), height: .fractionalHeight(1)))
    var row = CollectionLayoutGroup.horizontal(
      layoutSize: CollectionLayoutSize(width: .fractionalWidth(1), height: .absolute(120)), subitems: [item])
    row.interItemSpacing = .fixed(8)
    var section = CollectionLayoutSection(group: row)
    section.interGroupSpacing = 8
    section.contentInsets = DirectionalEdgeInsets(top: 8, leading: 16, bottom: 8, trailing: 16)
    return CompositionalLayout(section: section)
  }

  static func makeShelves() -> CompositionalLayout {
    let layout = CompositionalLayout { section, environment in
      guard section == 0 else { return .grid(columns: .minimumWidth(140), columnSpacing: 8, rowSpacing: 8) }
      let isNarrow = environment.containerSize.width < 600
      let size = CollectionLayoutSize(width: .fractionalWidth(isNarrow ? 0.8 : 0.3), height: .absolute(180))
      let group = CollectionLayoutGroup.horizontal(
        layoutSize: size, repeatingSubitem: CollectionLayoutItem(layoutSize: size), count: 1)
      var shelf = CollectionLayoutSection(group: group)
      shelf.interGroupSpacing = 12
      shelf.orthogonalScrollingBehavior = .continuousGroupLeadingBoundary
      return shelf
    }
    return layout
  }

  static func makeHeader() -> CollectionLayoutSection {
    var section = CollectionLayoutSection.grid(columns: .count(4), columnSpacing: 2, rowSpacing: 2)
    var header = CollectionLayoutBoundarySupplementaryItem(
      layoutSize: CollectionLayoutSize(width: .fractionalWidth(1), height: .absolute(36)),
      elementKind: "title", alignment: .top)
    header.pinToVisibleBounds = true
    section.boundarySupplementaryItems = [header]
    return section
  }

  static func connectHeaders(of source: DiffableDataSource<String, Int>) {
    let header = SupplementaryRegistration<TitleView>(elementKind: "title") { [weak source] title, _, path in
      title.show(source?.sectionIdentifier(for: path.section) ?? "")
    }
    source.supplementaryViewProvider = { view, _, path in
      view.dequeueConfiguredReusableSupplementary(using: header, for: path)
    }
  }

  static func makeSelfSizing() -> CollectionLayoutSection {
    let size = CollectionLayoutSize(width: .fractionalWidth(1), height: .estimated(60))
    let section = CollectionLayoutSection(
      group: .vertical(layoutSize: size, subitems: [CollectionLayoutItem(layoutSize: size)]))
    return section
  }

  static func change(_ view: CollectionView) {
    view.setCollectionViewLayout(GridLayout(columns: .count(3)), animated: true)
  }
}

/// A header that shows the title of its section.
final class TitleView: CollectionReusableView {
  private let label = Label(style: TextStyle(size: 17, weight: .semibold), color: .white)

  required init() {
    super.init()
    backgroundColor = Color(hex: 0x1B1C21)
    addSubview(label)
  }

  func show(_ title: String) { label.text = title }

  override func layoutSubviews() { label.frame = bounds }
}

/// A cell that is as high as its text.
final class NoteCell: CollectionViewCell {
  private let text = Paragraph(style: TextStyle(size: 15), color: .white, lineHeight: 20, numberOfLines: 50)

  required init() {
    super.init()
    addSubview(text)
  }

  func show(_ note: String) {
    text.text = note
    setNeedsLayout()
  }

  override func layoutSubviews() { text.sizeToFit(width: bounds.width) }

  override func preferredLayoutAttributesFitting(_ attributes: LayoutAttributes) -> LayoutAttributes {
    text.sizeToFit(width: attributes.frame.width)
    var preferred = attributes
    preferred.frame.size.height = text.frame.height
    return preferred
  }
}
