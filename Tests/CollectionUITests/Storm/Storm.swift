import CollectionEngine
import CollectionLayout
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
  let stage: WindowHarness
  let watch = StormWatch()
  let actor = FrameActor()
  private(set) var source: Source
  private let registrations: [CellRegistration<StormCell, Int>]
  private let header: SupplementaryRegistration<HeaderView>
  let model: Model
  var random: SeededGenerator
  var columns = 2
  var size = Size(width: 400, height: 300)
  /// What completion handlers were called for, and how many there are.
  private(set) var completed: [Int] = []
  private(set) var asked = 0
  private var next = 1_000
  /// How much the client may still call back before the next frame.
  var calls = 0
  var callsBack = true
  private var isReplacing = false
  var isPressed = false

  /// What cells show of items.
  final class Model {
    var versions: [Int: Int] = [:]
    var onConfigure: () -> Void = {}
  }

  /// Whether sections have headers, which stay at the top.
  let hasHeaders: Bool

  init(_ items: [Int], seed: UInt64, hasHeaders: Bool = false) {
    self.hasHeaders = hasHeaders
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
    header = SupplementaryRegistration<HeaderView>(elementKind: "header") { _, _, _ in model.onConfigure() }
    let view = CollectionView(layout: Storm.layout(columns: 2, hasHeaders))
    self.view = view
    stage = WindowHarness(root: view)
    stage.window.addFirstParticipant(actor)
    stage.window.addParticipant(view)
    stage.window.firstResponder = view
    source = Storm.makeSource(view, registrations, header)
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

  static func layout(columns: Int, _ hasHeaders: Bool) -> any CollectionLayout {
    hasHeaders ? StackLayout(zoom: 1 / Double(columns), hasHeaders: true) : WordGrid.layout(columns: columns)
  }

  private static func makeSource(
    _ view: CollectionView, _ registrations: [CellRegistration<StormCell, Int>],
    _ header: SupplementaryRegistration<HeaderView>
  ) -> Source {
    let source = Source(collectionView: view) { view, path, item in
      view.dequeueConfiguredReusableCell(using: registrations[item % 5 == 0 ? 1 : 0], for: path, item: item)
    }
    source.supplementaryViewProvider = { [unowned source] view, _, path in
      let view = view.dequeueConfiguredReusableSupplementary(using: header, for: path)
      let section = source.sectionIdentifier(for: path.section) ?? -1
      view.text = "\(section): \(source.shownSnapshot().numberOfItems(inSection: section))"
      return view
    }
    return source
  }

  func item(at path: IndexPath) -> Int { source.itemIdentifier(for: path) ?? -1 }

  // MARK: What happens

  /// Something happens, now or in the next frame's collect phase.
  func step() {
    calls = callsBack ? 3 : 0
    if Bool.random(using: &random) { act() } else { actor.next.append { [unowned self] in act() } }
    stage.run(frames: Int.random(in: 1...4, using: &random))
  }

  /// The client calls back, now and then.
  private func callBack() {
    guard calls > 0, random.chance(oneIn: 9) else { return }
    calls -= 1
    act()
  }

  private func act() {
    switch Int.random(in: 0..<22, using: &random) {
    case 0..<5: apply(isAnimated: !random.chance(oneIn: 3)) { edit(&$0) }
    case 5..<8: reconfigure()
    case 8:
      let ticket = takeTicket()
      var snapshot = source.snapshot()
      edit(&snapshot)
      source.applySnapshotUsingReloadData(snapshot) { [unowned self] in completed.append(ticket) }
    case 9, 10:
      columns = Int.random(in: 1...4, using: &random)
      view.setCollectionViewLayout(
        Storm.layout(columns: columns, hasHeaders), animated: Bool.random(using: &random))
    case 11: view.applyScrollEvent(.jump(to: .random(in: 0...3_000, using: &random)))
    case 12, 13:
      view.applyScrollEvent(.steady(velocity: .random(in: -6_000...6_000, using: &random)), at: stage.clock.now())
    case 14: view.scrollToItem(at: path, at: .centeredVertically, animated: Bool.random(using: &random))
    case 15: view.selectItem(at: path, animated: false, scrollPosition: random.chance(oneIn: 3) ? .top : [])
    case 16:
      view.select([.all, .clear, .choose(5), .extend(to: 30, adds: true)].randomElement(using: &random) ?? .clear)
    case 17: click()
    case 18: changeSettings()
    case 19: view.focusedIndexPath = random.chance(oneIn: 2) ? nil : path
    case 20: if random.chance(oneIn: 3) { replaceSource() } else { leave() }
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
    guard !random.chance(oneIn: 4) else { return source.apply(snapshot, animatingDifferences: isAnimated) }
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
    if random.chance(oneIn: 15) { snapshot.moveSection(0, afterSection: 1) }
    if random.chance(oneIn: 20), snapshot.numberOfItems > 120 {
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
    stage.sendEvent(.pointerMoved(point))
    isPressed.toggle()
    guard isPressed else { return stage.sendEvent(.pointerUp(point, button: .primary, modifiers: [])) }
    stage.sendEvent(.pointerDown(point, button: .primary, clicks: random.chance(oneIn: 3) ? 2 : 1, modifiers: []))
    guard !random.chance(oneIn: 3) else { return }
    isPressed = false
    stage.sendEvent(.pointerUp(point, button: .primary, modifiers: []))
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
    source = Storm.makeSource(view, registrations, header)
    source.prefetching = watch
    source.apply(snapshot)
  }

  /// Leaves the window, and comes again at once or in a later frame.
  private func leave() {
    stage.window.removeParticipant(view)
    #expect(!view.isAnimatingUpdates || view.clientCallDepth > 0)
    if random.chance(oneIn: 2) { return enter() }
    actor.next.append { [unowned self] in enter() }
  }

  func enter() {
    stage.window.removeParticipant(view)
    stage.window.addParticipant(view)
  }

  private func resize() {
    size = Size(width: Bool.random(using: &random) ? 400 : 360, height: .random(in: 4...7, using: &random) * 50)
    stage.resize(to: size)
  }
}
