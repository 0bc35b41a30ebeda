import CollectionUI
import ExampleSupport
import VitrineHosting
import VitrineThreads

/// The root view: the counts of operations above the grid of emoji.
final class EmojiScreen: View {
  let grid: EmojiGrid
  let animator: LoadingAnimator
  let countsBar: CountsBar
  private let theme: ExampleTheme

  /// Creates the screen.
  ///
  /// - Parameters:
  ///   - settings: The settings of the example.
  ///   - clock: The clock of the frame loop.
  ///   - waker: The waker of the frame loop.
  ///   - log: A closure called with each prefetch and cancellation, or nil.
  /// - Throws: `ThreadError` if the system cannot start a thread.
  init(
    _ settings: EmojiSettings, clock: any FrameClock, waker: any LoopWaker, log: ((String) -> Void)? = nil
  ) throws(ThreadError) {
    let queue = try LoadingQueue(
      maxConcurrentOperationCount: settings.operationLimit, clock: clock, waker: waker)
    let seed = settings.hosting.seed
    let store = DataStore(numberOfEmoji: settings.itemCount ?? EmojiList.all.count, seed: seed)
    theme = settings.theme
    grid = EmojiGrid(store, loadingQueue: queue, step: settings.step, theme: settings.theme, log: log)
    animator = LoadingAnimator(of: grid, reducesMotion: settings.hosting.reducesMotion)
    countsBar = CountsBar(title: "Emoji", theme: settings.theme)
    super.init()
    countsBar.subtitle = "\(store.numberOfEmoji) emoji, \(queue.maxConcurrentOperationCount) ratings at a time"
    queue.onCountsChange = { [weak countsBar] counts in countsBar?.counts = counts }
    addSubview(grid.collectionView)
    addSubview(countsBar)
  }

  /// Adds the frame participants of the screen; call this before adding the collection view.
  func addParticipants(to window: Window) {
    window.addParticipant(grid.loadingQueue)
    window.addParticipant(animator)
  }

  override func layoutSubviews() {
    let height = min(CountsBar.height, bounds.height)
    countsBar.frame = Rect(x: 0, y: 0, width: bounds.width, height: height)
    grid.collectionView.frame = Rect(x: 0, y: height, width: bounds.width, height: bounds.height - height)
  }
}

/// The bar above the grid, with a title and a column for each count.
///
/// In a narrow window only the last columns are visible.
final class CountsBar: View {
  /// The height of the bar in points.
  static let height = 64.0
  private static let margin = 16.0
  private static let columnWidth = 76.0
  private static let titleWidth = 200.0

  /// The counts to show.
  var counts = OperationCounts() {
    didSet { if counts != oldValue { setNeedsDisplay() } }
  }
  /// The text below the title.
  var subtitle: String {
    get { subtitleLabel.text }
    set { subtitleLabel.text = newValue }
  }

  private let theme: ExampleTheme
  private let titleLabel: Label
  private let subtitleLabel: Label
  private let captions: [Label]
  /// Glyphs are rendered once, because the counts change in nearly every frame.
  private let glyphs = GlyphTable(style: TextStyle(size: 15, weight: .medium, hasMonospacedDigits: true))
  private let line = GlyphLine(capacity: 16)

  init(title: String, theme: ExampleTheme) {
    self.theme = theme
    titleLabel = Label(style: ExampleTheme.titleStyle, color: theme.primaryText)
    subtitleLabel = Label(style: ExampleTheme.captionStyle, color: theme.secondaryText)
    captions = ["Started", "Loading", "Ahead", "Shown", "Cancelled", "Wasted"].map { name in
      let label = Label(style: TextStyle(size: 11), color: theme.secondaryText, alignment: .trailing)
      label.text = name
      return label
    }
    super.init()
    titleLabel.text = title
    backgroundColor = theme.bar
    for label in [titleLabel, subtitleLabel] + captions { addSubview(label) }
  }

  private var values: [Int] {
    [counts.started, counts.running, counts.ahead, counts.shown, counts.cancelled, counts.wasted]
  }

  /// Returns the left edge of a column, or nil if the column does not fit next to the title.
  private func leftEdge(ofColumn column: Int) -> Double? {
    let x = bounds.width - CountsBar.margin - Double(captions.count - column) * CountsBar.columnWidth
    return x >= CountsBar.margin + CountsBar.titleWidth ? x : nil
  }

  override func layoutSubviews() {
    let firstEdge = captions.indices.lazy.compactMap(leftEdge(ofColumn:)).first
    let width = max(0, (firstEdge ?? bounds.width) - 2 * CountsBar.margin)
    titleLabel.frame = Rect(x: CountsBar.margin, y: 11, width: width, height: 24)
    subtitleLabel.frame = Rect(x: CountsBar.margin, y: 35, width: width, height: 18)
    for (column, label) in captions.enumerated() {
      label.isHidden = leftEdge(ofColumn: column) == nil
      label.frame = Rect(x: leftEdge(ofColumn: column) ?? 0, y: 35, width: CountsBar.columnWidth, height: 18)
    }
  }

  override func draw(in context: DrawContext) {
    let hairline = 1 / context.scale.pixelsPerPoint
    context.fill(Rect(x: 0, y: bounds.height - hairline, width: bounds.width, height: hairline), theme.separator)
    for (column, value) in values.enumerated() {
      guard let edge = leftEdge(ofColumn: column) else { continue }
      line.removeAll()
      line.write(value)
      let x = edge + CountsBar.columnWidth - glyphs.width(of: line, in: context.resources)
      glyphs.draw(line, at: Point(x: x, y: 13), color: theme.primaryText, in: context)
    }
  }
}
