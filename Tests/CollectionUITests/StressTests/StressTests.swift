@testable import CollectionUI
import struct FoundationEssentials.IndexPath
import Testing
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineScrollPhysics
import VitrineTestSupport
import VitrineViews

@Suite("A view keeps its invariants through random events, in any order and from any callback")
struct StressTests {
  @Test(
    "Random updates, layouts, scrolls, selections, settings and data sources, in and outside callbacks",
    arguments: TestScale.seeds(1...20))
  func randomEvents(seed: UInt64) { drive(StressHarness(Array(0..<120), seed: seed)) }

  @Test("The same with pinned headers", arguments: TestScale.seeds(1...20))
  func pinnedHeaders(seed: UInt64) { drive(StressHarness(Array(0..<120), seed: seed, hasHeaders: true)) }

  @Test("The same with a CollectionViewDataSource", arguments: TestScale.seeds(1...20))
  func indexPathDataSource(seed: UInt64) {
    let harness = DataSourceStressHarness(seed: seed)
    for round in 1...120 {
      harness.step()
      harness.checkInvariants()
      if round % 40 == 0 { harness.checkIdleState() }
    }
  }

  private func drive(_ harness: StressHarness) {
    for round in 1...120 {
      harness.step()
      harness.checkInvariants()
      if round % 40 == 0 { harness.checkIdleState() }
    }
  }
}

// MARK: - Harness

/// A harness that performs random events on a view with a diffable data source, in and outside callbacks.
private final class StressHarness {
  typealias Source = DiffableDataSource<Int, Int>

  let view: CollectionView
  let harness: WindowHarness
  let observer = StressObserver()
  let actions = FrameActions()
  private(set) var source: Source
  private let registrations: [CellRegistration<StressCell, Int>]
  private let header: SupplementaryRegistration<HeaderView>
  let model: Model
  var random: SeededGenerator
  var columns = 2
  var size = Size(width: 400, height: 300)
  /// The numbers of the completion handlers that were called.
  private(set) var completed: [Int] = []
  /// The number of completion handlers passed to the data source.
  private(set) var requestedCompletions = 0
  private var nextItem = 1_000
  /// The number of callbacks that may still perform an action before the next frame.
  var remainingCalls = 0
  var callsBack = true
  private var isReplacing = false
  var isPressed = false

  /// The versions of the items that cells display.
  final class Model {
    var versions: [Int: Int] = [:]
    var onConfigure: () -> Void = {}
  }

  /// Whether sections have pinned headers.
  let hasHeaders: Bool

  init(_ items: [Int], seed: UInt64, hasHeaders: Bool = false) {
    self.hasHeaders = hasHeaders
    random = SeededGenerator(seed: seed)
    let model = Model()
    self.model = model
    registrations = (0..<2).map { kind in
      CellRegistration<StressCell, Int>(
        declaredCosts: DeclaredCosts(
          create: .milliseconds(1), configure: .milliseconds(kind == 0 ? 2 : 9), part: .milliseconds(3))
      ) { cell, _, item in
        cell.show(item, version: model.versions[item] ?? 0)
        model.onConfigure()
      }
    }
    header = SupplementaryRegistration<HeaderView>(elementKind: "header") { _, _, _ in model.onConfigure() }
    let view = CollectionView(layout: StressHarness.layout(columns: 2, hasHeaders))
    self.view = view
    harness = WindowHarness(root: view)
    harness.window.addFirstParticipant(actions)
    harness.window.addParticipant(view)
    harness.window.firstResponder = view
    source = StressHarness.makeSource(view, registrations, header)
    view.delegate = observer
    source.prefetching = observer
    // A snapshot of another data source is displayed after the callback has returned.
    observer.itemExists = { [unowned self] item in
      source.displayedSnapshot().contains(item) || source.snapshot().contains(item)
    }
    observer.currentSelection = { [unowned self] in Set(view.indexPathsForSelectedItems.map { item(at: $0) }) }
    observer.onCall = { [unowned self] in callBackRandomly() }
    model.onConfigure = { [unowned self] in callBackRandomly() }
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
    _ view: CollectionView, _ registrations: [CellRegistration<StressCell, Int>],
    _ header: SupplementaryRegistration<HeaderView>
  ) -> Source {
    let source = Source(collectionView: view) { view, path, item in
      view.dequeueConfiguredReusableCell(using: registrations[item % 5 == 0 ? 1 : 0], for: path, item: item)
    }
    source.supplementaryViewProvider = { [unowned source] view, _, path in
      let view = view.dequeueConfiguredReusableSupplementary(using: header, for: path)
      let section = source.sectionIdentifier(for: path.section) ?? -1
      view.text = "\(section): \(source.displayedSnapshot().numberOfItems(inSection: section))"
      return view
    }
    return source
  }

  func item(at path: IndexPath) -> Int { source.itemIdentifier(for: path) ?? -1 }

  /// Performs a random action, now or in the collect phase of the next frame.
  func step() {
    remainingCalls = callsBack ? 3 : 0
    if Bool.random(using: &random) {
      performRandomAction()
    } else {
      actions.pending.append { [unowned self] in performRandomAction() }
    }
    harness.run(frames: Int.random(in: 1...4, using: &random))
  }

  /// Performs an action in some of the callbacks.
  private func callBackRandomly() {
    guard remainingCalls > 0, random.chance(oneIn: 9) else { return }
    remainingCalls -= 1
    performRandomAction()
  }

  private func performRandomAction() {
    switch Int.random(in: 0..<22, using: &random) {
    case 0..<5: apply(isAnimated: !random.chance(oneIn: 3)) { edit(&$0) }
    case 5..<8: reconfigure()
    case 8:
      let number = makeCompletionNumber()
      var snapshot = source.snapshot()
      edit(&snapshot)
      source.applySnapshotUsingReloadData(snapshot) { [unowned self] in completed.append(number) }
    case 9, 10:
      columns = Int.random(in: 1...4, using: &random)
      view.setCollectionViewLayout(
        StressHarness.layout(columns: columns, hasHeaders), animated: Bool.random(using: &random))
    case 11: view.applyScrollEvent(.jump(to: .random(in: 0...3_000, using: &random)))
    case 12, 13:
      view.applyScrollEvent(.steady(velocity: .random(in: -6_000...6_000, using: &random)), at: harness.clock.now())
    case 14: view.scrollToItem(at: randomPath, at: .centeredVertically, animated: Bool.random(using: &random))
    case 15: view.selectItem(at: randomPath, animated: false, scrollPosition: random.chance(oneIn: 3) ? .top : [])
    case 16:
      view.select([.all, .clear, .choose(5), .extend(to: 30, adds: true)].randomElement(using: &random) ?? .clear)
    case 17: click()
    case 18: changeSettings()
    case 19: view.focusedIndexPath = random.chance(oneIn: 2) ? nil : randomPath
    case 20: if random.chance(oneIn: 3) { replaceDataSource() } else { leaveWindow() }
    default: resize()
    }
  }

  private var randomPath: IndexPath {
    IndexPath(item: .random(in: 0..<60, using: &random), section: .random(in: 0..<2, using: &random))
  }

  private func makeCompletionNumber() -> Int {
    defer { requestedCompletions += 1 }
    return requestedCompletions
  }

  private func apply(isAnimated: Bool, _ change: (inout Source.Snapshot) -> Void) {
    var snapshot = source.snapshot()
    change(&snapshot)
    guard !random.chance(oneIn: 4) else { return source.apply(snapshot, animatingDifferences: isAnimated) }
    let number = makeCompletionNumber()
    source.apply(snapshot, animatingDifferences: isAnimated) { [unowned self] in
      completed.append(number)
      callBackRandomly()
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
        nextItem += 1
        snapshot.insertItems([nextItem], beforeItem: some)
      case 2: if items.count > 60 { snapshot.deleteItems([some]) }
      case 3: if some != other { snapshot.moveItem(some, afterItem: other) }
      case 4: snapshot.reloadItems([recordChange(of: some)])
      default: snapshot.reconfigureItems([recordChange(of: some)])
      }
    }
    if random.chance(oneIn: 15) { snapshot.moveSection(0, afterSection: 1) }
    if random.chance(oneIn: 20), snapshot.numberOfItems > 120 {
      snapshot.deleteItems(Array(snapshot.itemIdentifiers.prefix(50)))
    }
  }

  private func recordChange(of item: Int) -> Int {
    model.versions[item, default: 0] += 1
    return item
  }

  private func reconfigure() {
    let items = view.visibleCells.prefix(12) + view.preparedCells.prefix(12)
    let some = items.compactMap { ($0 as? StressCell)?.item }.filter { $0 % 3 == Int.random(in: 0..<3, using: &random) }
    source.reconfigureItems(some.map { recordChange(of: $0) })
  }

  private func click() {
    let point = Point(x: .random(in: 0...400, using: &random), y: .random(in: 0...300, using: &random))
    harness.sendEvent(.pointerMoved(point))
    isPressed.toggle()
    guard isPressed else { return harness.sendEvent(.pointerUp(point, button: .primary, modifiers: [])) }
    harness.sendEvent(.pointerDown(point, button: .primary, clicks: random.chance(oneIn: 3) ? 2 : 1, modifiers: []))
    guard !random.chance(oneIn: 3) else { return }
    isPressed = false
    harness.sendEvent(.pointerUp(point, button: .primary, modifiers: []))
  }

  private func changeSettings() {
    switch Int.random(in: 0..<5, using: &random) {
    case 0: view.isPrefetchingEnabled.toggle()
    case 1: DemonstrationSwitches(view).isCellPrefetchingEnabled.toggle()
    case 2: view.reducesMotion.toggle()
    case 3: view.allowsMultipleSelection = true
    default: source.prefetching = source.prefetching == nil ? observer : nil
    }
  }

  private func replaceDataSource() {
    // A callback during a replacement replaces none: the view would not display the one that is stored.
    guard !isReplacing else { return }
    isReplacing = true
    defer { isReplacing = false }
    let snapshot = source.snapshot()
    source = StressHarness.makeSource(view, registrations, header)
    source.prefetching = observer
    source.apply(snapshot)
  }

  /// Leaves the window, and enters it again immediately or in a later frame.
  private func leaveWindow() {
    harness.window.removeParticipant(view)
    #expect(!view.isAnimatingUpdates || view.isCallingClient)
    if random.chance(oneIn: 2) { return enterWindow() }
    actions.pending.append { [unowned self] in enterWindow() }
  }

  func enterWindow() {
    harness.window.removeParticipant(view)
    harness.window.addParticipant(view)
  }

  private func resize() {
    size = Size(width: Bool.random(using: &random) ? 400 : 360, height: .random(in: 4...7, using: &random) * 50)
    harness.resize(to: size)
  }
}

// MARK: - Invariants

extension StressHarness {
  /// Checks the invariants of every frame.
  func checkInvariants() {
    let counts = view.statistics
    #expect(view.cellController.isBalanced)
    #expect(counts.created == counts.visible + counts.waiting + counts.pooled + counts.discarded)
    #expect(counts.waiting == view.preparedCells.count)
    #expect(counts.visible == observer.displayed.count)
    #expect(counts.pooled == view.pooledCellCount)
    if !view.isAnimatingUpdates { #expect(counts.visible == view.visibleCells.count) }
    let live = view.visibleCells + view.preparedCells
    #expect(Set(live.map(ObjectIdentifier.init)).count == live.count, "a cell is listed twice")
    for case let cell as StressCell in live {
      let path = view.indexPath(for: cell)
      #expect(path.map { item(at: $0) } == cell.item, "\(cell.item) is at \(String(describing: path))")
    }
    let headers = view.supplementaryStatistics
    #expect(headers.created == headers.visible + headers.waiting + headers.pooled + headers.discarded)
    #expect(headers.visible == observer.displayedHeaders.count && headers.pooled == view.pooledSupplementaryCount)
    #expect(headers.waiting == view.preparedSupplementaryViews.count)
    #expect(observer.currentSelection() == observer.selected, "a selection that was not reported")
    #expect(observer.selected.allSatisfy(source.displayedSnapshot().contains))
    #expect(completed == Array(0..<completed.count), "completions out of order: \(completed.suffix(5))")
  }

  /// Waits until the view is idle, and compares it with a new view.
  func checkIdleState() {
    remainingCalls = 0
    actions.pending = []
    enterWindow()
    if isPressed { harness.sendEvent(.pointerUp(.zero, button: .primary, modifiers: [])) }
    isPressed = false
    harness.sendEvent(.pointerLeft)
    view.applyScrollEvent(.stop)
    harness.runUntilIdle()
    #expect(harness.runUntilIdle() == 0, "the loop does not become idle")
    checkInvariants()
    #expect(!view.isAnimatingUpdates && completed.count == requestedCompletions)
    if !view.isPrefetchingEnabled || source.prefetching == nil { #expect(observer.prefetched.isEmpty) }
    for case let header as HeaderView in view.visibleSupplementaryViews(ofKind: "header") {
      let section = header.attributes?.identity.section.flatMap { source.sectionIdentifier(for: $0) } ?? -1
      #expect(header.text == "\(section): \(source.snapshot().numberOfItems(inSection: section))")
    }
    let fresh = StressHarness(source.snapshot(), like: self)
    #expect(fresh.view.contentOffset == view.contentOffset)
    #expect(fresh.harness.lastFrameCommands == harness.lastFrameCommands)
    #expect(observer.prefetched.allSatisfy(source.displayedSnapshot().contains))
  }

  /// Creates a view with the items, layout, selection and offset of another one.
  private convenience init(_ snapshot: Source.Snapshot, like other: StressHarness) {
    self.init([], seed: 0, hasHeaders: other.hasHeaders)
    callsBack = false
    model.versions = other.model.versions
    view.setCollectionViewLayout(StressHarness.layout(columns: other.columns, hasHeaders))
    if other.size != size { harness.resize(to: other.size) }
    source.applySnapshotUsingReloadData(snapshot)
    harness.runUntilIdle()
    view.allowsMultipleSelection = true
    for path in other.view.indexPathsForSelectedItems { view.selectItem(at: path, animated: false) }
    view.focusedIndexPath = other.view.focusedIndexPath
    view.scroll(to: other.view.contentOffset, animated: false)
    harness.runUntilIdle()
    harness.run(frames: 1)
  }
}
