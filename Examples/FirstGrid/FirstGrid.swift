// The code of the article “First grid”.
import CollectionUI
import VitrineHosting

/// A cell that shows a number.
final class NumberCell: CollectionViewCell {
  private let label = Label(style: TextStyle(size: 20), color: .white, alignment: .center)

  required init() {
    super.init()
    backgroundColor = Color(hex: 0x26272D)
    addSubview(label)
  }

  func show(_ number: Int) { label.text = String(number) }

  override func layoutSubviews() { label.frame = bounds }
}

@main
@MainActor
struct Numbers {
  static func main() {
    WindowProgram<HostingOptions>("numbers", summary: "Shows numbers.").main { options, context in
      let host = try context.openHost(options, title: "Numbers")
      defer { host.close() }

      let view = CollectionView(layout: GridLayout(columns: .minimumWidth(120), columnSpacing: 2, rowSpacing: 2))
      let registration = CellRegistration<NumberCell, Int> { cell, _, number in cell.show(number) }
      let source = DiffableDataSource<Int, Int>(collectionView: view) { view, path, number in
        view.dequeueConfiguredReusableCell(using: registration, for: path, item: number)
      }
      var snapshot = source.snapshot()
      snapshot.appendSections([0])
      snapshot.appendItems(Array(1...1_000_000))
      source.apply(snapshot)

      // The view does not retain its data source.
      return try withExtendedLifetime(source) {
        try host.run(root: view, scrollView: view) { window, _ in
          window.firstResponder = view  // It receives keys.
          window.addParticipant(view)  // It takes part in frames.
        }
      }
    }
  }
}
