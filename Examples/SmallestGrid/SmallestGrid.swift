import CollectionUI
import VitrineDiagnostics
import VitrineHosting

/// A cell that shows a number.
final class NumberCell: CollectionViewCell {
  private let label = Label(style: TextStyle(size: 20, weight: .semibold), color: .white, alignment: .center)

  required init() {
    super.init()
    backgroundColor = Color(hex: 0x26272D)
    addSubview(label)
  }

  func show(_ number: Int) { label.text = String(number) }

  override func layoutSubviews() { label.frame = bounds }
}

/// A window with a grid of a million numbers.
@main
struct SmallestGrid {
  static func main() {
    WindowProgram<DiagnosticOptions>("SmallestGrid", summary: "Shows a million numbers in a window.").main(run)
  }

  static func run(_ options: DiagnosticOptions, in context: ProgramContext) throws -> Int32 {
    let diagnostics = RunDiagnostics(options)
    let host = try context.openHost(options.hosting, title: "A million numbers", observer: diagnostics)
    defer { host.close() }

    let view = CollectionView(layout: GridLayout(columns: .minimumWidth(120), columnSpacing: 2, rowSpacing: 2))
    let cell = CellRegistration<NumberCell, Int> { cell, _, number in cell.show(number) }
    let source = DiffableDataSource<Int, Int>(collectionView: view) { view, path, number in
      view.dequeueConfiguredReusableCell(using: cell, for: path, item: number)
    }
    var snapshot = source.snapshot()
    snapshot.appendSections([0])
    snapshot.appendItems(Array(1...1_000_000))
    source.apply(snapshot)

    diagnostics.figures = RunFigures(of: view)
    return try withExtendedLifetime(source) {
      try host.run(root: view, scrollView: view) { window, _ in
        window.firstResponder = view
        window.addParticipant(view)
      }
    }
  }
}
