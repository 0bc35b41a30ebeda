import CollectionEngine
import DiffableData
import struct FoundationEssentials.IndexPath
import FramePacing
import Geometry
import Rendering
import ScrollPhysics
import TestSupport
import Testing
import Views

@testable import CollectionUI

/// A view in a loop, to which anything may happen in any order, by the program and by what it calls.
final class Storm {
  typealias Source = DiffableDataSource<Int, Int>

  let view: CollectionView
  let stage: Stage
  let watch = StormWatch()
  let actor = FrameActor()
  private(set) var source: Source
  private let registrations: [CellRegistration<StormCell, Int>]
  private let model: Model
  var random: SeededGenerator
  var columns = 2
  var size = Size(width: 400, height: 300)
  /// What completion handlers were called for, and how many there are.
  private(set) var completed: [Int] = []
  private(set) var asked = 0
  private var next = 1_000
  /// How much the client may still call back before the next frame.
  private var calls = 0
  var callsBack = true
  private var isReplacing = false
  private var isPressed = false

  /// What cells show of items.
  final class Model {
    var versions: [Int: Int] = [:]
    var onConfigure: () -> Void = {}
  }

  init(_ items: [Int], seed: UInt64) {
    random = SeededGenerator(seed: seed)
    let model = Model()
    self.model = model
    registrations = (0..<2).map { kind in
      CellRegistration<StormCell, Int>(
        declaredCosts: DeclaredCosts(
          create: .milliseconds(1), configure: .milliseconds(kind == 0 ? 2 : 9), part: .milliseconds(3))
      ) { cell, _, item in
        cell.show(item, version: model.versions[item] ?? 0)
        model.onConfigure()
      }
    }
    let view = CollectionView(layout: WordGrid.layout(columns: 2))
    self.view = view
    stage = Stage(root: view)
    stage.window.addFirstParticipant(actor)
    stage.window.addParticipant(view)
    stage.window.firstResponder = view
    source = Storm.makeSource(view, registrations)
    view.delegate = watch
    source.prefetching = watch
    // What another data source was given is shown once the client's code has ended.
    watch.isThere = { [unowned self] item in
      source.shownSnapshot().contains(item) || source.snapshot().contains(item)
    }
    watch.currentSelection = { [unowned self] in Set(view.indexPathsForSelectedItems.map { item(at: $0) }) }
    watch.onCall = { [unowned self] in callBack() }
    model.onConfigure = { [unowned self] in callBack() }
    var snapshot = source.snapshot()
    snapshot.appendSections([0, 1])
    snapshot.appendItems(items.filter { $0 % 2 == 0 }, toSection: 0)
    snapshot.appendItems(items.filter { $0 % 2 == 1 }, toSection: 1)
    source.apply(snapshot)
  }

  private static func makeSource(_ view: CollectionView, _ registrations: [CellRegistration<StormCell, Int>]) -> Source
  {
    Source(collectionView: view) { view, path, item in
      view.dequeueConfiguredReusableCell(using: registrations[item % 5 == 0 ? 1 : 0], for: path, item: item)
    }
  }

  private func item(at path: IndexPath) -> Int { source.itemIdentifier(for: path) ?? -1 }

  // MARK: What happens

  /// Something happens, now or in the next frame's collect phase.
  func step() {
    calls = callsBack ? 3 : 0
    if Bool.random(using: &random) { act() } else { actor.next.append { [unowned self] in act() } }
    stage.run(frames: Int.random(in: 1...4, using: &random))
  }

  /// The client calls back, now and then.
  private func callBack() {
    guard calls > 0, random.once(in: 9) else { return }
    calls -= 1
    act()
  }

  private func act() {
    switch Int.random(in: 0..<22, using: &random) {
    case 0..<5: apply(isAnimated: !random.once(in: 3)) { edit(&$0) }
    case 5..<8: reconfigure()
    case 8:
      let ticket = takeTicket()
      var snapshot = source.snapshot()
      edit(&snapshot)
      source.applySnapshotUsingReloadData(snapshot) { [unowned self] in completed.append(ticket) }
    case 9, 10:
      columns = Int.random(in: 1...4, using: &random)
      view.setCollectionViewLayout(WordGrid.layout(columns: columns), animated: Bool.random(using: &random))
    case 11: view.act(.jump(to: .random(in: 0...3_000, using: &random)))
    case 12, 13: view.act(.steady(velocity: .random(in: -6_000...6_000, using: &random)), at: stage.clock.now())
    case 14: view.scrollToItem(at: path, at: .centeredVertically, animated: Bool.random(using: &random))
    case 15: view.selectItem(at: path, animated: false, scrollPosition: random.once(in: 3) ? .top : [])
    case 16:
      view.select([.all, .clear, .choose(5), .extend(to: 30, adds: true)].randomElement(using: &random) ?? .clear)
    case 17: click()
    case 18: changeSettings()
    case 19: view.focusedIndexPath = random.once(in: 2) ? nil : path
    case 20: if random.once(in: 3) { replaceSource() }
    default: resize()
    }
  }

  private var path: IndexPath {
    IndexPath(item: .random(in: 0..<60, using: &random), section: .random(in: 0..<2, using: &random))
  }

  private func takeTicket() -> Int {
    defer { asked += 1 }
    return asked
  }

  private func apply(isAnimated: Bool, _ change: (inout Source.Snapshot) -> Void) {
    var snapshot = source.snapshot()
    change(&snapshot)
    guard !random.once(in: 4) else { return source.apply(snapshot, animatingDifferences: isAnimated) }
    let ticket = takeTicket()
    source.apply(snapshot, animatingDifferences: isAnimated) { [unowned self] in
      completed.append(ticket)
      callBack()
    }
  }

  private func edit(_ snapshot: inout Source.Snapshot) {
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let items = snapshot.itemIdentifiers
      guard let some = items.randomElement(using: &random), let other = items.randomElement(using: &random) else {
        break
      }
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1:
        next += 1
        snapshot.insertItems([next], beforeItem: some)
      case 2: if items.count > 60 { snapshot.deleteItems([some]) }
      case 3: if some != other { snapshot.moveItem(some, afterItem: other) }
      case 4: snapshot.reloadItems([change(some)])
      default: snapshot.reconfigureItems([change(some)])
      }
    }
    if random.once(in: 15) { snapshot.moveSection(0, afterSection: 1) }
    if random.once(in: 20), snapshot.numberOfItems > 120 {
      snapshot.deleteItems(Array(snapshot.itemIdentifiers.prefix(50)))
    }
  }

  private func change(_ item: Int) -> Int {
    model.versions[item, default: 0] += 1
    return item
  }

  private func reconfigure() {
    let items = view.visibleCells.prefix(12) + view.preparedCells.prefix(12)
    let some = items.compactMap { ($0 as? StormCell)?.item }.filter { $0 % 3 == Int.random(in: 0..<3, using: &random) }
    source.reconfigureItems(some.map { change($0) })
  }

  private func click() {
    let point = Point(x: .random(in: 0...400, using: &random), y: .random(in: 0...300, using: &random))
    stage.send(.pointerMoved(point))
    isPressed.toggle()
    guard isPressed else { return stage.send(.pointerUp(point, button: .primary, modifiers: [])) }
    stage.send(.pointerDown(point, button: .primary, clicks: random.once(in: 3) ? 2 : 1, modifiers: []))
    guard !random.once(in: 3) else { return }
    isPressed = false
    stage.send(.pointerUp(point, button: .primary, modifiers: []))
  }

  private func changeSettings() {
    switch Int.random(in: 0..<5, using: &random) {
    case 0: view.isPrefetchingEnabled.toggle()
    case 1: view.isCellPrefetchingEnabled.toggle()
    case 2: view.reducesMotion.toggle()
    case 3: view.allowsMultipleSelection = true
    default: source.prefetching = source.prefetching == nil ? watch : nil
    }
  }

  private func replaceSource() {
    // Whoever is told while one is replaced replaces none: the view would not be shown the one that is kept.
    guard !isReplacing else { return }
    isReplacing = true
    defer { isReplacing = false }
    let snapshot = source.snapshot()
    source = Storm.makeSource(view, registrations)
    source.prefetching = watch
    source.apply(snapshot)
  }

  private func resize() {
    size = Size(width: Bool.random(using: &random) ? 400 : 360, height: .random(in: 4...7, using: &random) * 50)
    stage.resize(to: size)
  }

  // MARK: Laws

  /// What holds after every frame.
  func checkLaws() {
    let counts = view.statistics
    #expect(view.ledger.isBalanced)
    #expect(counts.created == counts.visible + counts.waiting + counts.pooled + counts.discarded)
    #expect(counts.waiting == view.preparedCells.count)
    #expect(counts.visible == watch.displayed.count)
    #expect(counts.pooled == view.pooledCount)
    if !view.isInMotion { #expect(counts.visible == view.visibleCells.count) }
    let live = view.visibleCells + view.preparedCells
    #expect(Set(live.map(ObjectIdentifier.init)).count == live.count, "a cell is in two places")
    for case let cell as StormCell in live {
      let path = view.indexPath(for: cell)
      #expect(path.map { item(at: $0) } == cell.item, "\(cell.item) stands at \(String(describing: path))")
    }
    #expect(watch.currentSelection() == watch.selected, "another selection than was told")
    #expect(watch.selected.allSatisfy(source.shownSnapshot().contains))
    #expect(completed == Array(0..<completed.count), "completions out of order: \(completed.suffix(5))")
  }

  /// Lets everything come to rest, and compares it with a view to which nothing ever happened.
  func checkRest() {
    calls = 0
    actor.next = []
    if isPressed { stage.send(.pointerUp(.zero, button: .primary, modifiers: [])) }
    isPressed = false
    stage.send(.pointerLeft)
    view.act(.stop)
    stage.settle()
    #expect(stage.settle() == 0, "the loop does not rest")
    checkLaws()
    #expect(!view.isInMotion && completed.count == asked)
    if !view.isPrefetchingEnabled || source.prefetching == nil { #expect(watch.wanted.isEmpty) }
    let fresh = Storm(source.snapshot(), like: self)
    #expect(fresh.view.contentOffset == view.contentOffset)
    #expect(fresh.stage.lastFrame == stage.lastFrame)
    #expect(watch.wanted.allSatisfy(source.shownSnapshot().contains))
  }

  /// A view that shows the same at the same place.
  private convenience init(_ snapshot: Source.Snapshot, like other: Storm) {
    self.init([], seed: 0)
    callsBack = false
    model.versions = other.model.versions
    view.setCollectionViewLayout(WordGrid.layout(columns: other.columns))
    if other.size != size { stage.resize(to: other.size) }
    source.applySnapshotUsingReloadData(snapshot)
    stage.settle()
    view.allowsMultipleSelection = true
    for path in other.view.indexPathsForSelectedItems { view.selectItem(at: path, animated: false) }
    view.focusedIndexPath = other.view.focusedIndexPath
    view.scroll(to: other.view.contentOffset, animated: false)
    stage.settle()
    stage.run(frames: 1)
  }
}
