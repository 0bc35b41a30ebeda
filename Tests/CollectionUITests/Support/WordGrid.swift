import CollectionUI
import struct FoundationEssentials.IndexPath
import Testing
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport
import VitrineViews

/// A collection view of words with rows of 50 points, in a window of 400 by 300 points.
final class WordGrid {
  typealias Source = DiffableDataSource<Int, String>

  static let rowHeight = 50.0

  let harness: WindowHarness
  let view: CollectionView
  let source: Source
  let log: DisplayLog
  /// The words for which the provider was called.
  private(set) var providerCalls: [String] {
    get { calls.words }
    set { calls.words = newValue }
  }
  private let calls: Calls

  /// The recorded calls of the provider and its registration.
  final class Calls {
    var words: [String] = []
    var cells: [ObjectIdentifier: WordCell] = [:]
    /// Called at the start of the provider.
    var onProvide: ((String) -> Void)?
    /// Called at the end of each configuration.
    var onConfigure: ((WordCell, String) -> Void)?
  }

  init(_ words: [String], columns: Int = 1, size: Size = Size(width: 400, height: 300)) {
    let view = CollectionView(layout: WordGrid.layout(columns: columns))
    self.view = view
    // Preparation has separate tests.
    DemonstrationSwitches(view).isCellPrefetchingEnabled = false
    harness = WindowHarness(root: view, size: size)
    harness.window.addParticipant(view)
    harness.window.firstResponder = view
    let calls = Calls()
    self.calls = calls
    let registration = CellRegistration<WordCell, String> { cell, _, word in
      cell.word = word
      calls.cells[ObjectIdentifier(cell)] = cell
      calls.onConfigure?(cell, word)
    }
    source = Source(collectionView: view) { view, path, word in
      calls.words.append(word)
      calls.onProvide?(word)
      return view.dequeueConfiguredReusableCell(using: registration, for: path, item: word)
    }
    log = DisplayLog()
    view.delegate = log
    apply {
      $0.appendSections([0])
      $0.appendItems(words)
    }
    harness.runUntilIdle()
    clearLog()
  }

  static func layout(columns: Int) -> GridLayout {
    GridLayout(columns: .count(columns), heightRatio: 0, captionHeight: rowHeight)
  }

  /// Returns an idle grid with cells prepared ahead.
  static func preparing(_ count: Int, columns: Int) -> WordGrid {
    let grid = WordGrid(words(0..<count), columns: columns)
    DemonstrationSwitches(grid.view).isCellPrefetchingEnabled = true
    grid.harness.runUntilIdle()
    return grid
  }

  static func words(_ range: Range<Int>) -> [String] { range.map { "w\($0)" } }

  /// All cells that were created.
  var cells: [WordCell] { Array(calls.cells.values) }

  /// Called at the end of each configuration.
  var onConfigure: ((WordCell, String) -> Void)? {
    get { calls.onConfigure }
    set { calls.onConfigure = newValue }
  }

  /// Called at the start of the provider.
  var onProvide: ((String) -> Void)? {
    get { calls.onProvide }
    set { calls.onProvide = newValue }
  }

  func clearLog() {
    providerCalls = []
    log.clearLog()
  }

  /// Changes the snapshot and applies it.
  func apply(animated isAnimated: Bool = false, _ change: (inout Source.Snapshot) -> Void) {
    var snapshot = source.snapshot()
    change(&snapshot)
    source.apply(snapshot, animatingDifferences: isAnimated)
  }

  /// Scrolls to an offset and draws a frame.
  func scroll(to offset: Double) {
    view.scroll(to: offset, animated: false)
    harness.run(frames: 1)
  }

  /// The visible words.
  var shown: [String] { view.visibleCells.map { ($0 as? WordCell)?.word ?? "?" } }

  func cell(of word: String) -> WordCell? {
    source.flatIndex(of: word).flatMap { view.cell(at: $0) } as? WordCell
  }

  /// The origin of each visible word in window coordinates.
  var origins: [String: Point] {
    var origins: [String: Point] = [:]
    for case let cell as WordCell in view.visibleCells { origins[cell.word] = view.origin(of: cell) }
    return origins
  }
}

// MARK: - Cell

/// A cell that draws a word as a bar, with length and color depending on the word, and records its calls.
final class WordCell: CollectionViewCell {
  var word = "" {
    didSet { if word != oldValue { setNeedsDisplay() } }
  }
  private(set) var reuses = 0
  private(set) var drawings = 0
  /// The configuration states that were applied, in order.
  private(set) var configurationStates: [CellConfigurationState] = []
  /// Called in each drawing.
  var onDraw: (() -> Void)?

  /// The number of times the accessibility label was read.
  private(set) var labelReads = 0

  override var accessibilityLabel: String {
    labelReads += 1
    return word
  }

  override func prepareForReuse() {
    super.prepareForReuse()
    reuses += 1
  }

  override func updateConfiguration(using state: CellConfigurationState) { configurationStates.append(state) }

  override func draw(in context: DrawContext) {
    drawings += 1
    onDraw?()
    context.fill(bounds, WordCell.color(of: word))
    context.fill(Rect(x: 2, y: 2, width: Double(WordCell.letters(of: word) % 90 + 1), height: 4), .white)
  }

  /// Returns the color that represents a word.
  static func color(of word: String) -> Color { Color(hex: letters(of: word) & 0xFFFFFF) }

  private static func letters(of word: String) -> UInt32 {
    word.unicodeScalars.reduce(UInt32(7)) { $0 &* 31 &+ $1.value }
  }
}

// MARK: - Log

/// Records which cells appear and disappear, and expects that the two calls alternate for each cell.
final class DisplayLog: CollectionViewDelegate {
  private(set) var displayed: [ObjectIdentifier: String] = [:]
  /// The recorded calls: `+word` for willDisplay and `-word` for didEndDisplaying.
  private(set) var lines: [String] = []
  /// The index paths of the recorded calls.
  private(set) var paths: [IndexPath] = []
  /// The number of scroll notifications.
  private(set) var scrolls = 0
  /// Called at the end of each willDisplay and didEndDisplaying.
  var onChange: (() -> Void)?

  func clearLog() {
    lines = []
    paths = []
  }

  func collectionViewDidScroll(_ view: CollectionView) { scrolls += 1 }

  func collectionView(_ view: CollectionView, willDisplay cell: CollectionViewCell, at indexPath: IndexPath) {
    let word = (cell as? WordCell)?.word ?? "?"
    #expect(displayed[ObjectIdentifier(cell)] == nil, "\(word) is displayed twice")
    displayed[ObjectIdentifier(cell)] = word
    lines.append("+" + word)
    paths.append(indexPath)
    onChange?()
  }

  func collectionView(_ view: CollectionView, didEndDisplaying cell: CollectionViewCell, at indexPath: IndexPath) {
    let word = displayed.removeValue(forKey: ObjectIdentifier(cell))
    #expect(word != nil, "a cell ends its display without having been displayed")
    lines.append("-" + (word ?? "?"))
    paths.append(indexPath)
    onChange?()
  }
}

// MARK: - Misuse

/// Registrations and state for cell providers under test.
final class Registrations {
  let word = CellRegistration<WordCell, Int> { cell, _, item in cell.word = "word \(item)" }
  let other = CellRegistration<WordCell, Int> { cell, _, item in cell.word = "other \(item)" }
  /// Whether the provider runs for a reconfiguration.
  var isReconfiguring = false
  /// The index path for which the provider runs.
  var path = IndexPath(item: 0, section: 0)
  /// The cell that the provider has returned before.
  var last: WordCell?

  func makeHarness(of view: CollectionView) -> WindowHarness {
    let harness = WindowHarness(root: view)
    harness.window.addParticipant(view)
    return harness
  }
}

/// Expectations about the error message of a program that was stopped.
enum Misuse {
  static func expectMessage(of result: ExitTest.Result?, contains expected: String) throws {
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains(expected), "\(text)")
  }
}
