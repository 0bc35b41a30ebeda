import Benchmarks
import CollectionUI
import DataStructures
import Geometry
import Hosting
import Rendering
import TestSupport
import Threads
import Views
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

/// A header with a text, in a module without settings for isolation.
final class NumberHeader: CollectionReusableView {
  private let label = Label(style: TextStyle(size: 15), color: .white)

  required init() {
    super.init()
    addSubview(label)
  }

  func show(_ text: String) { label.text = text }

  override func layoutSubviews() { label.frame = bounds }
}

/// A delegate that counts the cells that were displayed.
final class DisplayCounter: CollectionViewDelegate {
  private(set) var count = 0

  func collectionView(_ view: CollectionView, willDisplay cell: CollectionViewCell, at indexPath: IndexPath) {
    count += 1
  }
}

/// A window with a grid of numbers, of which a task deletes the first ones.
///
/// A program as outside of the library's repository: it depends on a version, has modules with names of the library's
/// folders, and no settings of the compiler.
@main
@MainActor
struct Numbers {
  static func main() {
    WindowProgram<HostingOptions>("Numbers", summary: "Shows numbers in a window.").main(run)
  }

  static func run(_ options: HostingOptions, in context: ProgramContext) throws -> Int32 {
    let host = try context.openHost(options, title: "Numbers")
    defer { host.close() }

    let view = CollectionView(layout: GridLayout(columns: .minimumWidth(120), columnSpacing: 2, rowSpacing: 2))
    let cell = CellRegistration<NumberCell, Int> { cell, _, number in cell.show(number) }
    let counter = DisplayCounter()
    view.delegate = counter
    let source = DiffableDataSource<Int, Int>(collectionView: view) { view, path, number in
      view.dequeueConfiguredReusableCell(using: cell, for: path, item: number)
    }
    var snapshot = source.snapshot()
    snapshot.appendSections([0])
    snapshot.appendItems(Array(1...100_000))
    source.apply(snapshot)

    var isUpdated = false
    let task = Task {
      var next = source.snapshot()
      next.deleteItems(Array(1...10))
      await source.apply(next)
      isUpdated = true
    }
    defer { task.cancel() }
    let status = try host.run(root: view, scrollView: view) { window, _ in
      window.firstResponder = view
      window.addParticipant(view)
    }
    let names = [
      benchmarksName, dataStructuresName, geometryName, hostingName, renderingName, testSupportName, threadsName,
      viewsName,
    ]
    let state = counter.count > 0 && isUpdated ? "displayed, after the update," : "not displayed or not updated,"
    print(
      "\(view.visibleCells.count) cells of \(source.snapshot().numberOfItems) numbers,", state,
      "beside \(names.count) modules of the client")
    return status
  }
}
