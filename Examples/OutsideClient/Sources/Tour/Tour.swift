import CollectionUI
import Dispatch
import VitrineDeclarative
import VitrineHosting

/// A program that uses each part of the library once, as a client would, and prints what it saw.
///
/// It ends with status 1 if anything differs from what the library promises.
@main
@MainActor
struct Tour {
  static func main() {
    WindowProgram<HostingOptions>("Tour", summary: "Uses each part of the library once.").main(run)
  }

  static func run(_ options: HostingOptions, in context: ProgramContext) throws -> Int32 {
    let host = try context.openHost(options, title: "Tour")
    defer { host.close() }
    let screen = TourScreen()
    var checks = Checks()
    var task: Task<Void, Never>?
    let status = try host.run(root: screen, scrollView: screen.list) { window, _ in
      window.addParticipant(screen.list)
      window.addParticipant(screen.grid.view)
      task = Task { checks = await screen.perform(in: window) }
    }
    task?.cancel()
    for line in checks.lines { print(line) }
    print("\(checks.kept) of \(TourScreen.checkCount) kept")
    return checks.kept == TourScreen.checkCount ? status : 1
  }
}

/// What was seen, one line each.
struct Checks {
  private(set) var lines: [String] = []
  private(set) var kept = 0

  mutating func add(_ name: String, _ isKept: Bool, _ seen: String) {
    if isKept { kept += 1 }
    lines.append("\(isKept ? "kept  " : "MISSED") \(name): \(seen)")
  }
}

/// A list, a drawing, a text field and a described grid.
final class TourScreen: View {
  static let checkCount = 13
  let list: CollectionView
  private let source: DiffableDataSource<Int, Int>
  private let drawing = DrawingView()
  private let field = TextField(style: TextStyle(size: 15), color: .white, tintColor: .white)
  private let caption = Label(style: TextStyle(size: 15), color: .white)
  private let model = CountModel()
  let grid: CollectionPresenter

  override init(frame: Rect = .zero) {
    let size = CollectionLayoutSize(width: .fractionalWidth(1), height: .estimated(44))
    let group = CollectionLayoutGroup.vertical(layoutSize: size, subitems: [CollectionLayoutItem(layoutSize: size)])
    let list = CollectionView(layout: CompositionalLayout(section: CollectionLayoutSection(group: group)))
    let cell = CellRegistration<ParagraphCell, Int> { cell, _, number in cell.show(number) }
    source = DiffableDataSource(collectionView: list) { view, path, number in
      view.dequeueConfiguredReusableCell(using: cell, for: path, item: number)
    }
    self.list = list
    let model = model
    grid = Grid(0..<model.count, id: \.self, columns: .minimumWidth(40)) { number in
      TextContentConfiguration(String(number))
    }.makePresenter()
    super.init(frame: frame)
    [list, drawing, field, caption, grid.view].forEach(addSubview)
    var snapshot = source.snapshot()
    snapshot.appendSections([0])
    snapshot.appendItems(Array(0..<5_000))
    source.apply(snapshot)
  }

  override func layoutSubviews() {
    list.frame = Rect(x: 0, y: 0, width: bounds.width / 2, height: bounds.height)
    let right = bounds.width / 2 + 20
    drawing.frame = Rect(x: right, y: 20, width: 80, height: 80)
    field.frame = Rect(x: right, y: 120, width: 200, height: 24)
    caption.frame = Rect(x: right, y: 160, width: 300, height: 24)
    grid.view.frame = Rect(x: right, y: 200, width: 300, height: 200)
  }

  /// Waits for a time of the frames' clock.
  private func frames(_ milliseconds: Double, in window: Window) async {
    await withCheckedContinuation { continuation in
      FrameTimer(interval: .milliseconds(milliseconds), repeats: false) { _ in continuation.resume() }
        .start(in: window)
    }
  }

  func perform(in window: Window) async -> Checks {
    var checks = Checks()

    // Jobs of the main actor and of the main queue.
    let isMain = await Task.detached {
      await MainActor.run {
        MainActor.assertIsolated(); return true
      }
    }.value
    let queue = await withCheckedContinuation { continuation in
      DispatchQueue.main.async { continuation.resume(returning: "main queue") }
    }
    checks.add("jobs", isMain, "main actor, \(queue)")

    // Scrolling to an item of unknown place.
    let path = IndexPath(item: 700, section: 0)
    list.scrollToItem(at: path, at: .top, animated: true)
    await frames(2_500, in: window)
    let top = list.layoutAttributesForItem(at: path).map { $0.frame.minY - list.contentOffset } ?? .infinity
    checks.add("scroll to an item", top.magnitude <= 1, "item 700 is \(top) points below the top")

    // An update with items above, as a task awaits it.
    var snapshot = source.snapshot()
    snapshot.insertItems(Array(10_000..<10_050), beforeItem: 0)
    snapshot.reconfigureItems([701])
    await source.apply(snapshot)
    await frames(500, in: window)
    let next = source.indexPath(for: 700).flatMap { list.layoutAttributesForItem(at: $0) }
    let moved = next.map { $0.frame.minY - list.contentOffset - top } ?? .infinity
    checks.add("insertion above", moved.magnitude <= 0.01, "item 700 moved by \(moved) points")
    checks.add(
      "counts", list.numberOfItems(inSection: 0) == 5_050 && list.isScrollEnabled && !list.isDragging,
      "\(list.numberOfItems(inSection: 0)) items")

    // Text of several scripts, and a field.
    caption.text = "Vitrine, ויטרינה, 陈列柜, 🖼️"
    field.becomeFirstResponder()
    field.text = "typed"
    await frames(200, in: window)
    let width = caption.measuredWidth(in: window.resources)
    checks.add("text", width > 100 && width < 300, "a caption in three scripts is \(Int(width)) points wide")
    checks.add("text field", field.isFirstResponder && field.text == "typed", "\(field.text), focused")

    // Drawing and animation.
    var framesSeen = 0
    let link = DisplayLink { _, _ in framesSeen += 1 }
    link.start(in: window)
    var isFinished = false
    let animator = ViewAnimator(duration: .milliseconds(300))
    animator.animate(drawing, alpha: 0.5, transform: Transform(rotationAngle: .pi / 4))
    animator.addCompletion { isFinished = $0 }
    animator.start()
    await frames(600, in: window)
    link.invalidate()
    let isDrawn = drawing.drawCount > 0 && drawing.alpha == 0.5 && isFinished && framesSeen > 10
    checks.add("drawing", isDrawn, "drawn, rotated and faded in \(framesSeen > 10 ? "more than 10" : "few") frames")
    checks.add(
      "paths", drawing.disc.contains(Point(x: 40, y: 40)) && !drawing.disc.contains(Point(x: 12, y: 12)),
      "a disc contains its center, not its corner")

    // A grid that is described by values.
    let before = grid.view.numberOfItems(inSection: 0)
    model.count = 9
    await frames(200, in: window)
    checks.add(
      "described grid", before == 5 && grid.view.numberOfItems(inSection: 0) == 9,
      "\(before), then \(grid.view.numberOfItems(inSection: 0)) items")

    // Styled text in several lines, a menu, and refreshing.
    var text = AttributedString("Mild, then ")
    var warning = AttributedString("storms")
    warning.textStyle = TextStyle(size: 15, weight: .bold)
    warning.backgroundColor = Color(hex: 0xB3261E)
    text += warning
    caption.attributedText = text
    caption.numberOfLines = 2
    let lines = caption.sizeThatFits(Size(width: 90, height: 200))
    checks.add("styled text", lines.height > 30 && lines.width <= 90, "two lines in \(Int(lines.width)) points")
    var isPaused = false
    showMenu(Menu(children: [MenuAction(title: "Pause") { isPaused = true }]), at: Point(x: 30, y: 30))
    await frames(300, in: window)
    let isShown = window.isMenuShown
    window.dismissMenu()
    await frames(300, in: window)
    checks.add("menu", isShown && !window.isMenuShown && !isPaused, "shown, then dismissed")
    let control = RefreshControl()
    list.refreshControl = control
    control.beginRefreshing()
    await frames(300, in: window)
    let isRefreshing = control.isRefreshing
    control.endRefreshing()
    await frames(600, in: window)
    checks.add(
      "refreshing", isRefreshing && !control.isRefreshing && list.contentInset == Insets(),
      "begun and ended, without an inset")

    // A mistake, which is named with its cure.
    list.scrollToItem(at: IndexPath(item: 9_999_999, section: 3), at: .top, animated: false)
    let sentences = window.misuse.sentences
    checks.add(
      "mistakes", sentences.count == 1 && sentences[0].contains("item 9999999 of section 3"),
      sentences.first ?? "nothing was said")
    return checks
  }
}
