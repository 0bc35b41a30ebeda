import CollectionLayout
import CollectionUI
import DiffableData
import struct FoundationEssentials.IndexPath
import FramePacing
import Geometry
import Rendering
import TestSupport
import Views

/// A grid of words on a stage: rows of 50 points in a window of 400 by 300.
final class WordGrid {
  typealias Source = DiffableDataSource<Int, String>

  static let rowHeight = 50.0

  let stage: WindowHarness
  let view: CollectionView
  let source: Source
  let log: DisplayLog
  /// The words that the provider was called for.
  private(set) var provided: [String] {
    get { calls.words }
    set { calls.words = newValue }
  }
  private let calls: Calls

  /// What the provider and its registration saw.
  final class Calls {
    var words: [String] = []
    var cells: [ObjectIdentifier: WordCell] = [:]
    /// Called when the provider begins.
    var onProvide: ((String) -> Void)?
    /// Called at the end of each configuration.
    var onConfigure: ((WordCell, String) -> Void)?
  }

  init(_ words: [String], columns: Int = 1, size: Size = Size(width: 400, height: 300)) {
    let view = CollectionView(layout: WordGrid.layout(columns: columns))
    self.view = view
    // What is prepared ahead has tests of its own.
    view.isCellPrefetchingEnabled = false
    stage = WindowHarness(root: view, size: size)
    stage.window.addParticipant(view)
    stage.window.firstResponder = view
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
    stage.runUntilIdle()
    forget()
  }

  static func layout(columns: Int) -> GridLayout {
    GridLayout(columns: .count(columns), heightRatio: 0, captionHeight: rowHeight)
  }

  /// A grid at rest that has prepared cells ahead.
  static func preparing(_ count: Int, columns: Int) -> WordGrid {
    let grid = WordGrid(words(0..<count), columns: columns)
    grid.view.isCellPrefetchingEnabled = true
    grid.stage.runUntilIdle()
    return grid
  }

  static func words(_ range: Range<Int>) -> [String] { range.map { "w\($0)" } }

  /// The cells that were ever made.
  var cells: [WordCell] { Array(calls.cells.values) }

  /// Called at the end of each configuration.
  var onConfigure: ((WordCell, String) -> Void)? {
    get { calls.onConfigure }
    set { calls.onConfigure = newValue }
  }

  /// Called when the provider begins.
  var onProvide: ((String) -> Void)? {
    get { calls.onProvide }
    set { calls.onProvide = newValue }
  }

  func forget() {
    provided = []
    log.forget()
  }

  /// Changes the snapshot and applies it.
  func apply(animated isAnimated: Bool = false, _ change: (inout Source.Snapshot) -> Void) {
    var snapshot = source.snapshot()
    change(&snapshot)
    source.apply(snapshot, animatingDifferences: isAnimated)
  }

  /// Stands at an offset and makes a frame there.
  func scroll(to offset: Double) {
    view.scroll(to: offset, animated: false)
    stage.run(frames: 1)
  }

  /// The words on screen.
  var shown: [String] { view.visibleCells.map { ($0 as? WordCell)?.word ?? "?" } }

  func cell(of word: String) -> WordCell? {
    source.flatIndex(of: word).flatMap { view.cell(at: $0) } as? WordCell
  }

  /// Where each word on screen stands in the window, by its corner.
  var places: [String: Point] {
    var places: [String: Point] = [:]
    for case let cell as WordCell in view.visibleCells { places[cell.word] = view.origin(of: cell) }
    return places
  }
}
