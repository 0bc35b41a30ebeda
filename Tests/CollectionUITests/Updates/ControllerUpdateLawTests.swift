import CollectionUI
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

@Suite("After an update, every controller equals one that was created for the new items")
struct ControllerUpdateLawTests {
  nonisolated static let seeds = TestScale.seeds(0..<8)

  @Test("Displayed, waiting and reconfigured cells", arguments: seeds)
  func cells(seed: Int) {
    /// The names of the items that cells were made for.
    var names: [ObjectIdentifier: Int] = [:]
    var hosts: [CellHostDouble] = []
    UpdateLaw.check(seed: seed) { items, _, _ in
      let host = CellHostDouble()
      hosts.append(host)
      host.solution = ControllerHostDouble.layout(of: 400)
      host.waitingArea = 0..<400
      let waiting = items.filter { $0.value % 20 == 0 }
      let displayed = items.filter { $0.value % 20 != 0 }
      _ = host.cells.setVisibleRuns(IndexRuns(displayed.keys.sorted()).ranges)
      host.cells.fillVisibleCells(from: host)
      for (index, cell) in host.cells.displayedEntries { names[ObjectIdentifier(cell)] = displayed[index] }
      for (index, name) in waiting {
        while host.cells.nextStep(at: index) != nil { host.cells.prepareStep(at: index, from: host) }
        if let cell = host.cells.waitingCell(at: index) { names[ObjectIdentifier(cell)] = name }
      }
      return host
    } _: { host, map in
      _ = host.cells.applyToDisplayedCells(map)
      host.cells.apply(map)
    } _: { (host: CellHostDouble) -> [[[Int]]] in
      let entries = host.cells.displayedEntries.map { ($0.index, $0.cell) }
      let waiting = host.cells.waitingCells.map { ($0.itemIndex ?? -1, $0) }
      for (index, cell) in entries { #expect(cell.itemIndex == index) }
      for (index, cell) in waiting { #expect(host.cells.waitingCell(at: index) === cell) }
      func named(_ cells: [(Int, CollectionViewCell)]) -> [[Int]] {
        cells.map { [$0.0, names[ObjectIdentifier($0.1)] ?? -1] }.sorted { $0[0] < $1[0] }
      }
      return [named(entries), named(waiting)]
    }
  }

  @Test("Cells that leave in an animated update", arguments: seeds)
  func animatedCells(seed: Int) {
    var names: [ObjectIdentifier: Int] = [:]
    UpdateLaw.check(seed: seed) { items, _, _ in
      let host = UpdateAnimatorHostDouble(count: 400)
      host.bounds.size.height = 20_000
      host.animator.begin()
      for (index, name) in items {
        let cell = CollectionViewCell()
        names[ObjectIdentifier(cell)] = name
        #expect(host.animator.retain(cell, at: index))
      }
      return host
    } _: { host, map in
      _ = host.animator.apply(map, removed: [])
    } _: { (host: UpdateAnimatorHostDouble) -> [Int: Int] in
      var bound: [Int: Int] = [:]
      host.animator.forEachBoundCell { bound[$0] = names[ObjectIdentifier($1)] }
      return bound
    }
  }

  @Test("The selection", arguments: seeds)
  func selection(seed: Int) {
    UpdateLaw.check(seed: seed) { items, _, counts in
      let host = InteractionHostDouble(count: counts.total)
      host.selection.select(.replace(IndexRuns(items.keys.sorted())))
      return host
    } _: {
      $0.apply($1)
    } _: {
      $0.selected
    }
  }

  @Test("The pressed and the hovered item", arguments: seeds)
  func press(seed: Int) {
    var chosen: Int?
    UpdateLaw.check(seed: seed) { items, _, counts in
      chosen = chosen ?? items.values.min()
      let host = InteractionHostDouble(count: counts.total)
      if let index = items.first(where: { $0.value == chosen })?.key {
        host.scroll(to: host.solution.frame(ofItem: index).minY, animated: false)
        host.press.movePointer(to: host.point(of: index))
        host.press.beginPress(at: host.point(of: index), clicks: 1, [], isCatch: false)
      }
      return host
    } _: {
      $0.apply($1)
    } _: { (host: InteractionHostDouble) -> [[Int]] in
      let highlighted = (0..<host.itemCount).filter {
        var state = CellConfigurationState()
        host.press.setState(of: $0, in: &state)
        return state.isHighlighted
      }
      return [[host.press.hoveredItem].compactMap(\.self), highlighted]
    }
  }

  @Test("The dragged item", arguments: seeds)
  func drag(seed: Int) {
    var chosen: Int?
    UpdateLaw.check(seed: seed) { items, _, counts in
      chosen = chosen ?? items.values.min()
      let host = InteractionHostDouble(count: counts.total)
      host.movesAllItems = true
      if let index = items.first(where: { $0.value == chosen })?.key {
        #expect(host.drag.begin(index, from: nil, byPointer: true))
      }
      return host
    } _: {
      $0.apply($1)
    } _: {
      $0.drag.movingItem
    }
  }

  @Test("The items under a rubber band and those selected before it", arguments: seeds)
  func rubberBand(seed: Int) {
    UpdateLaw.check(seed: seed) { items, _, counts in
      let host = InteractionHostDouble(count: counts.total)
      host.selection.select(.replace(IndexRuns(items.keys.sorted())))
      host.band.begin(at: Point(x: 20, y: 20), to: Point(x: 120, y: 220), effect: .toggles)
      host.band.advance()
      return host
    } _: {
      $0.apply($1)
    } _: { (host: InteractionHostDouble) -> [Int] in
      for _ in 0..<20 where host.band.needsFrames { host.band.advance() }
      return host.selected
    }
  }

  @Test("The offsets and the scroll bars of orthogonal sections", arguments: seeds)
  func orthogonalSections(seed: Int) {
    UpdateLaw.check(seed: seed) { _, sections, counts in
      let host = OrthogonalHostDouble(counts)
      for (index, name) in sections where counts.items(inSection: index).count > 0 {
        host.jump(index, to: Double(name + 5))
        #expect(host.offset(of: index) == Double(name + 5))
      }
      return host
    } _: {
      $0.apply($1)
    } _: { host -> [[Double]] in
      host.controller.update(at: host.lastInstant)
      return [
        (0..<host.solution.itemCounts.numberOfSections).map { host.offset(of: $0) },
        host.content.subviews.map(\.frame.minY).sorted(),
      ]
    }
  }

  @Test("The section that a finger drags, and the one that a held key scrolls", arguments: seeds)
  func scrolledSections(seed: Int) {
    var chosen: Int?
    UpdateLaw.check(seed: seed) { _, sections, counts in
      let hosts = (finger: OrthogonalHostDouble(counts), key: OrthogonalHostDouble(counts))
      let existing = sections.filter { counts.items(inSection: $0.key).count > 0 }
      chosen = chosen ?? existing.values.min()
      if let index = existing.first(where: { $0.value == chosen })?.key {
        #expect(hosts.finger.pan(.began, at: index, by: -20))
        hosts.key.pointerLocation = hosts.key.point(of: index)
        #expect(hosts.key.key(.right))
        hosts.key.pointerLocation = nil
      }
      return hosts
    } _: { hosts, map in
      hosts.finger.apply(map)
      hosts.key.apply(map)
    } _: { hosts -> [Int?] in
      let finger = hosts.finger.scrolledSection { _ = hosts.finger.pan(.moved, at: 0, by: -1) }
      let key = hosts.key.scrolledSection { hosts.key.runFrames(30) }
      return [finger, key]
    }
  }

  @Test("The sizes that cells prefer, also those requested but not in the layout yet", arguments: seeds)
  func preferredSizes(seed: Int) {
    UpdateLaw.check(seed: seed) { items, _, counts in
      let host = LayoutHostDouble(counts, names: items, estimatedHeight: 50)
      host.preferredHeights[-1] = 50
      for name in items.values { host.preferredHeights[name] = Double(20 + name % 7 * 10) }
      host.showAll()
      return host
    } changes: { host, map, changes in
      host.requestSizesOfAllCells()
      host.apply(map, changes)
    } _: { host in
      (0..<host.itemCount).map { host.solution.frame(ofItem: $0) }
    }
  }
}
