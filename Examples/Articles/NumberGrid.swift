// The view that the article “Testing with the virtual clock” tests.
import CollectionUI

/// A cell that shows a number.
final class NumberCell: CollectionViewCell {
  let label = Label(style: TextStyle(size: 20), color: .white, alignment: .center)

  required init() {
    super.init()
    addSubview(label)
  }

  override func layoutSubviews() { label.frame = bounds }
}

/// A grid of numbers, of which a click removes one.
@MainActor
final class NumberGrid: CollectionViewDelegate {
  let view = CollectionView(layout: GridLayout(columns: .count(4), heightRatio: 0.5))
  private lazy var source = makeSource()

  private func makeSource() -> DiffableDataSource<Int, Int> {
    view.delegate = self
    let registration = CellRegistration<NumberCell, Int> { cell, _, number in cell.label.text = String(number) }
    return DiffableDataSource(collectionView: view) { view, path, number in
      view.dequeueConfiguredReusableCell(using: registration, for: path, item: number)
    }
  }

  func show(_ numbers: [Int]) {
    var snapshot = DiffableDataSourceSnapshot<Int, Int>()
    snapshot.appendSections([0])
    snapshot.appendItems(numbers)
    source.apply(snapshot)
  }

  func collectionView(_ view: CollectionView, didSelectItemAt indexPath: IndexPath) {
    guard let number = source.itemIdentifier(for: indexPath) else { return }
    var snapshot = source.snapshot()
    snapshot.deleteItems([number])
    source.apply(snapshot)
  }
}
