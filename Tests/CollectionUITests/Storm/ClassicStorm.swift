import CollectionEngine
import CollectionLayout
import DiffableData
import struct FoundationEssentials.IndexPath
import FramePacing
import Geometry
import ScrollPhysics
import TestSupport
import Testing
import Views

@testable import CollectionUI

/// A view whose data source is asked by path, in a loop, to which anything may happen in any order.
final class ClassicStorm {
  /// Numbers in arrays; a cell that is asked for and is not there is a broken law.
  final class Source: CollectionViewDataSource {
    var sections: [[Int]]
    var onAsk: () -> Void = {}
    let registrations = (0..<2).map { _ in
      CellRegistration<StormCell, Int> { cell, _, item in cell.show(item, version: 0) }
    }

    init(_ sections: [[Int]]) { self.sections = sections }

    func numberOfSections(in view: CollectionView) -> Int { sections.count }
    func collectionView(_ view: CollectionView, numberOfItemsInSection section: Int) -> Int { sections[section].count }
    func collectionView(_ view: CollectionView, cellForItemAt indexPath: IndexPath) -> CollectionViewCell {
      let items = sections.indices.contains(indexPath.section) ? sections[indexPath.section] : []
      #expect(items.indices.contains(indexPath.item), "\(indexPath) is asked for and is not there")
      let item = items.indices.contains(indexPath.item) ? items[indexPath.item] : -1
      let cell = view.dequeueConfiguredReusableCell(
        using: registrations[item % 5 == 0 ? 1 : 0], for: indexPath, item: item)
      onAsk()
      return cell
    }
  }

  let view = CollectionView(layout: WordGrid.layout(columns: 2))
  let stage: WindowHarness
  let watch = StormWatch()
  let actor = FrameActor()
  private(set) var source: Source
  private var random: SeededGenerator
  private var next = 1_000
  private var calls = 0
  private var completed: [Int] = []
  private var asked = 0
  private var isReplacing = false

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    stage = WindowHarness(root: view)
    stage.window.addFirstParticipant(actor)
    stage.window.addParticipant(view)
    source = Source([Array(0..<50), Array(50..<60), Array(60..<120)])
    view.delegate = watch
    watch.currentSelection = { [unowned self] in
      Set(view.indexPathsForSelectedItems.map { item(at: $0) })
    }
    watch.onCall = { [unowned self] in callBack() }
    source.onAsk = { [unowned self] in callBack() }
    view.dataSource = source
  }

  /// Something happens, now or in the next frame's collect phase.
  func step() {
    calls = 3
    if Bool.random(using: &random) { act() } else { actor.next.append { [unowned self] in act() } }
    stage.run(frames: Int.random(in: 1...4, using: &random))
  }

  private func callBack() {
    guard calls > 0, random.chance(oneIn: 9) else { return }
    calls -= 1
    act()
  }

  private func act() {
    switch Int.random(in: 0..<18, using: &random) {
    case 0..<7: batch()
    case 7: single()
    case 8:
      // The data is other data from now on: said at once, as it is to be.
      if view.clientCallDepth == 0 {
        source.sections = source.sections.reversed()
        view.reloadData()
      }
    case 9: view.applyScrollEvent(.jump(to: .random(in: 0...3_000, using: &random)))
    case 10:
      view.applyScrollEvent(.steady(velocity: .random(in: -6_000...6_000, using: &random)), at: stage.clock.now())
    case 11:
      view.setCollectionViewLayout(
        WordGrid.layout(columns: .random(in: 1...4, using: &random)), animated: Bool.random(using: &random))
    case 12: view.scrollToItem(at: path, at: .centeredVertically, animated: Bool.random(using: &random))
    case 13: view.selectItem(at: path, animated: false)
    case 14:
      view.select([.all, .clear, .choose(5), .extend(to: 30, adds: true)].randomElement(using: &random) ?? .clear)
    case 15: if random.chance(oneIn: 4) { replace() } else { view.focusedIndexPath = path }
    case 16: leave()
    default: if random.chance(oneIn: 2) { view.reducesMotion.toggle() } else { view.isPrefetchingEnabled.toggle() }
    }
  }

  private func item(at path: IndexPath) -> Int {
    guard source.sections.indices.contains(path.section) else { return -1 }
    let items = source.sections[path.section]
    return items.indices.contains(path.item) ? items[path.item] : -1
  }

  private var path: IndexPath {
    IndexPath(item: .random(in: 0..<40, using: &random), section: .random(in: 0..<3, using: &random))
  }

  private func takeTicket() -> Int {
    defer { asked += 1 }
    return asked
  }

  /// Changes the data, and names every change.
  private func edit() {
    let before = source.sections
    var after: [[Int]] = []
    for (section, items) in before.enumerated() {
      var kept: [Int] = []
      for (place, item) in items.enumerated() {
        if random.chance(oneIn: 12) {
          view.deleteItems(at: [IndexPath(item: place, section: section)])
        } else {
          kept.append(item)
          if random.chance(oneIn: 20) {
            view.reconfigureItems(at: [IndexPath(item: place, section: section)])
          } else if random.chance(oneIn: 25) {
            view.reloadItems(at: [IndexPath(item: place, section: section)])
          }
        }
      }
      after.append(kept)
    }
    for section in after.indices {
      var fresh: [Int] = []
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        next += 1
        fresh.append(next)
        after[section].insert(next, at: Int.random(in: 0...after[section].count, using: &random))
      }
      for item in fresh {
        if let place = after[section].firstIndex(of: item) {
          view.insertItems(at: [IndexPath(item: place, section: section)])
        }
      }
    }
    source.sections = after
  }

  private func batch() {
    let ticket = takeTicket()
    let moves = random.chance(oneIn: 6)
    view.performBatchUpdates(animated: Bool.random(using: &random)) { [unowned self] in
      if moves {
        source.sections = [source.sections[1], source.sections[2], source.sections[0]]
        view.moveSection(0, toSection: 2)
      } else {
        edit()
      }
    } completion: { [unowned self] _ in
      completed.append(ticket)
      callBack()
    }
  }

  private func single() {
    guard view.clientCallDepth == 0, !source.sections[0].isEmpty else { return }
    source.sections[0].removeFirst()
    view.deleteItems(at: [IndexPath(item: 0, section: 0)])
  }

  private func replace() {
    guard !isReplacing, view.clientCallDepth == 0 else { return }
    isReplacing = true
    defer { isReplacing = false }
    source.onAsk = {}
    source = Source(source.sections)
    source.onAsk = { [unowned self] in callBack() }
    view.dataSource = source
  }

  private func leave() {
    stage.window.removeParticipant(view)
    stage.window.addParticipant(view)
  }

  /// What holds after every frame.
  func checkLaws() {
    let counts = view.statistics
    #expect(view.lifecycle.isBalanced)
    #expect(counts.visible == watch.displayed.count && counts.waiting == view.preparedCells.count)
    for case let cell as StormCell in view.visibleCells + view.preparedCells {
      let path = view.indexPath(for: cell)
      #expect(path.map { item(at: $0) } == cell.item)
    }
    #expect(watch.currentSelection() == watch.selected)
    #expect(completed == Array(0..<completed.count), "\(completed.suffix(5))")
  }

  /// What holds when everything has come to rest.
  func checkRest() {
    calls = 0
    view.applyScrollEvent(.stop)
    stage.runUntilIdle()
    #expect(stage.runUntilIdle() == 0)
    checkLaws()
    #expect(completed.count == asked && !view.isAnimatingUpdates)
    let all = Array(source.sections.joined())
    #expect(view.itemCount == all.count)
    #expect(view.visibleCells.compactMap { ($0 as? StormCell)?.item } == Array(all[view.visibleRange]))
    let range = view.visibleRange
    let first = range.first.flatMap { view.frameOfItem(at: view.indexPath(at: $0)) }
    #expect(all.isEmpty || first.map { $0.maxY > view.contentOffset && $0.minY <= view.contentOffset } == true)
  }
}
