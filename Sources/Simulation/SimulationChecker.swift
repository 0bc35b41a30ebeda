import CollectionUI
import VitrineViews
import VitrineThreads
import VitrineScrollPhysics
import VitrineCollectionLayout
import VitrineCollectionEngine
import VitrineDataStructures
import VitrineFramePacing
import VitrineGalleryUI
import VitrineGeometry
import VitrineImagePipeline
import VitrinePhotoLibrary
import VitrineRendering

/// The first thing in a session that must not happen.
package nonisolated struct SimulationViolation: Hashable, Sendable, CustomStringConvertible {
  /// The name of what is checked, in one word.
  package var check: String
  /// What happened.
  package var detail: String
  /// The number of the step in or after which it happened.
  package var event: Int
  /// The simulated time in milliseconds.
  package var milliseconds: Int

  package var description: String { "\(check): \(detail) (step \(event), \(milliseconds) ms)" }
}

/// The checks of a simulated session: after each frame, after clicks, and at rest.
///
/// What the gallery displays is compared with simple models: a set of selected photographs, the list of files, the
/// positions of the last frame.
package final class SimulationChecker {
  /// A fault of the check itself, with which tests show that violations are found and shrunk.
  package enum PlantedFault: Sendable {
    /// No photograph may have the keyboard focus while the library has more than a number of photographs.
    case noFocusAbove(Int)
  }

  /// The selection that must follow from an input.
  struct Expectation {
    var description: String
    var items: Set<PhotoID>
  }

  private(set) var violation: SimulationViolation?
  private(set) var checkCount = 0
  private(set) var digest: UInt64 = 0

  private unowned let use: SimulatedUse
  private let fault: PlantedFault?
  private var inspection: GalleryInspection { GalleryInspection(use.screen) }
  private var lastSelection: Set<PhotoID> = []
  private var lastCells: [PhotoID: Seen] = [:]
  private var lastScrolledItem: PhotoID?
  private var lastOffset = 0.0
  private var lastRange = 0.0...0.0
  private var blankFrames: [PhotoID: Int] = [:]
  /// The largest number of cells that were displayed in a frame.
  private var mostCells = 0
  private var event = 0
  private var lastFeed: ObjectIdentifier?

  /// A cell in the last frame.
  private struct Seen {
    var y: Double
    var height: Double
    /// Whether nothing was shown, or the reason why there is no picture.
    var isBlank: Bool
    var version: UInt64?
    var order: Int
  }

  init(_ use: SimulatedUse, fault: PlantedFault?) { (self.use, self.fault) = (use, fault) }

  private func fail(_ check: String, _ detail: @autoclosure () -> String) {
    guard violation == nil else { return }
    violation = SimulationViolation(
      check: check, detail: detail(), event: event, milliseconds: Int((use.clock.now() - .zero).milliseconds))
  }

  private func expect(_ condition: Bool, _ check: String, _ detail: @autoclosure () -> String) {
    checkCount += 1
    if !condition { fail(check, detail()) }
  }

  /// Whether nothing but files and decoders changed for a time.
  private func isQuiet(for milliseconds: Double) -> Bool {
    let limit = FrameDuration.milliseconds(milliseconds)
    let now = use.clock.now()
    return now - use.lastInput > limit && now - use.lastDisturbance > limit
  }

  // MARK: - Frames

  /// Checks a frame.
  func frameDidEnd(after event: Int) {
    self.event = event
    guard violation == nil else { return }
    let feed = use.list.map(ObjectIdentifier.init) ?? ObjectIdentifier(use.feed)
    if lastFeed != feed {
      lastFeed = feed
      (lastSelection, lastCells, blankFrames) = ([], [:], [:])
    }
    let cells = inspection.cells
    let grid = use.screen.grid
    mostCells = max(mostCells, cells.count)
    checkNumbers(cells)
    checkItems(cells)
    checkSelection()
    checkBlanks(cells)
    checkAnchor(cells)
    var next: [PhotoID: Seen] = [:]
    for (order, cell) in cells.enumerated() {
      guard let item = cell.item, cell.index != nil else { continue }
      next[item] = Seen(
        y: cell.frame.minY, height: cell.frame.height, isBlank: cell.isBlank || cell.isBroken,
        version: inspection.version(of: item),
        order: order)
      digest = SplitMix64.mix(
        digest ^ UInt64(item.rawValue) ^ cell.frame.minY.bitPattern ^ (cell.isBlank ? 1 : 0) << 40)
    }
    lastCells = next
    lastScrolledItem = inspection.scrolledItem
    lastOffset = grid.contentOffset
    let range = grid.scroll.range
    lastRange = range.minimum...max(range.minimum, range.maximum)
  }

  private func checkNumbers(_ cells: [GalleryInspection.Cell]) {
    let grid = use.screen.grid
    let (offset, range) = (grid.contentOffset, grid.scroll.range)
    expect(
      offset.isFinite && (offset - range.clamp(offset)).magnitude <= range.viewportLength + 1, "offset",
      "the offset is \(offset) in \(range)")
    let counts = use.display.textureCounts
    expect(
      counts.invalidReleases == 0 || use.hasLostTextures, "textures",
      "\(counts.invalidReleases) releases of textures that do not exist")
    let statistics = use.pipeline.statistics
    let pixels = use.display.info.pixelSize
    let screen = Int(pixels.width * pixels.height) * 4
    let pictures = visiblePictureBytes(cells)
    // The viewer shows up to four pictures, enlarged in all their pixels.
    let viewed = inspection.isViewerShown ? 4 * (screen + (SimulatedDecoder.sourceSize?.bytesAtFourPerPixel ?? 0)) : 0
    expect(
      statistics.cacheBytes <= statistics.cacheLimit + pictures + viewed + 4 * screen + (4 << 20), "memory",
      "\(statistics.cacheBytes) bytes of pictures, of \(statistics.cacheLimit) and \(pictures) in view, "
        + "on a screen of \(screen)")
    expect(
      use.display.textureBytes <= statistics.cacheLimit + 2 * pictures + 2 * viewed + 16 * screen + (32 << 20),
      "memory",
      "\(use.display.textureBytes) bytes of textures, with \(pictures) in view, on a screen of \(screen)")
  }

  /// Returns the bytes of the pictures of cells, which exceed those of the screen if pictures are tall.
  private func visiblePictureBytes(_ cells: [GalleryInspection.Cell]) -> Int {
    let info = use.display.info
    let bytesPerPoint = Double(info.pixelSize.width * info.pixelSize.height) * 4 / (info.size.width * info.size.height)
    return Int(cells.reduce(0) { $0 + $1.picture.size.width * $1.picture.size.height } * bytesPerPoint)
  }

  /// Checks that each cell shows the photograph of its index, and none is shown twice.
  private func checkItems(_ cells: [GalleryInspection.Cell]) {
    var seen: Set<PhotoID> = []
    for cell in cells {
      guard let index = cell.index, let item = cell.item else { continue }
      expect(
        cell.item == cell.expectedItem, "items",
        "the cell of \(index) shows \(item), not \(cell.expectedItem.map { "\($0)" } ?? "nil")")
      expect(seen.insert(item).inserted, "items", "\(item) is displayed twice")
    }
  }

  /// Checks that only input selects photographs, and only their removal deselects them.
  private func checkSelection() {
    let selection = inspection.selectedItems
    defer { lastSelection = selection }
    switch fault {
    case .noFocusAbove(let limit):
      if use.library.count > limit { expect(inspection.focusedItem == nil, "planted", "a photograph has the focus") }
    case nil: break
    }
    guard isQuiet(for: 800), !inspection.isTypingName, !inspection.isViewerShown else { return }
    let left = lastSelection.filter { inspection.index(of: $0) != nil }
    expect(
      selection == left, "selection",
      "\(lastSelection.count) photographs were selected, of which \(left.count) are left, and now \(selection.count) are"
    )
  }

  /// Checks that what was seen does not become blank.
  private func checkBlanks(_ cells: [GalleryInspection.Cell]) {
    var blank: [PhotoID: Int] = [:]
    // Moving content uploads a megabyte of pixels in a frame.
    let mostBlankFrames = 4 + visiblePictureBytes(cells) >> 20
    for cell in cells {
      // A picture beyond the edge is uploaded once nothing moves.
      guard let item = cell.item, cell.index != nil, cell.hasSize, cell.isBlank, cell.picture.maxY > 1,
        cell.picture.minY < use.screen.grid.bounds.height - 1
      else { continue }
      let isKnown = inspection.hasTinyPreview(item) || inspection.hasPicture(item)
      if isKnown { blank[item] = (blankFrames[item] ?? 0) + 1 }
      guard use.clock.now() - use.lastDisturbance > .milliseconds(700) else { continue }
      if let last = lastCells[item], last.version == inspection.version(of: item) {
        // After input a cell may have another size, at which neither a picture nor a preview is in memory.
        expect(
          last.isBlank || !isKnown && !isQuiet(for: 1_000), "blank",
          "\(item) was shown in the last frame, and is blank")
      }
      // Its texture is uploaded meanwhile.
      expect(
        blank[item] ?? 0 <= mostBlankFrames, "blank",
        "\(item) is blank for \(blank[item] ?? 0) frames, although \(inspection.hasPicture(item) ? "its picture" : "a preview") is in memory"
      )
    }
    blankFrames = blank
  }

  /// Checks that changes of files do not move the first photographs in view that are left.
  private func checkAnchor(_ cells: [GalleryInspection.Cell]) {
    let grid = use.screen.grid
    guard isQuiet(for: 2_000), !grid.scroll.isMoving(at: grid.lastInstant), !inspection.isViewerShown,
      !inspection.isArranging, !inspection.isTypingName
    else { return }
    // The header may cover all of a low window.
    guard grid.bounds.height > grid.contentInset.top + 1 else { return }
    let range = grid.scroll.range
    // Content that shrinks moves at its end, and at its beginning it shows what is new.
    guard lastOffset > lastRange.lowerBound + 1, grid.contentOffset < range.maximum - 1,
      grid.contentOffset > range.minimum + 1, lastOffset < lastRange.upperBound - 1
    else { return }
    let top = grid.contentInset.top
    let left = lastCells.filter { inspection.index(of: $0.key) != nil && $0.value.y < grid.bounds.height }
    // A header that is pinned may cover the first one.
    let firsts = [top, top + 60].compactMap { line in
      left.filter { $0.value.y + $0.value.height > line + 1 }.min { $0.value.order < $1.value.order }
    }
    guard let (item, before) = firsts.last else { return }
    // A layout keeps one of the row. Where rows are packed, that may be in any row afterward.
    let isPacked = inspection.layout == .justified || inspection.layout == .mosaic
    // One to which the content was scrolled stays instead.
    let scrolled = lastScrolledItem
    let candidates = left.filter {
      $0.value.y + $0.value.height > top + 0.01 && (isPacked || $0.value.y <= before.y + 1 || $0.key == scrolled)
    }
    let stays = candidates.contains { candidate in
      guard let cell = cells.first(where: { $0.item == candidate.key && $0.index != nil }) else { return false }
      // Of one that is partly above the edge, and changes its height, the part above keeps its share.
      let hidden = max(0, top - candidate.value.y)
      let y = candidate.value.y + hidden - hidden * cell.frame.height / max(1, candidate.value.height)
      if candidate.key == scrolled, isAtDestination(cell.frame, after: candidate.value) { return true }
      return min((cell.frame.minY - y).magnitude, (cell.frame.minY - candidate.value.y).magnitude) <= 1.5
    }
    expect(stays, "anchor", "\(item), the first in view at \(before.y), and all others that are left moved")
  }

  /// Returns whether an item to which the content was scrolled is still there, also with another height.
  ///
  /// Its lower edge or its middle may stay, or its start is at the upper edge if it became too high.
  private func isAtDestination(_ frame: Rect, after before: Seen) -> Bool {
    let top = use.screen.grid.contentInset.top
    let isTooHigh = frame.height > use.screen.grid.bounds.height - top - 60
    return (frame.maxY - before.y - before.height).magnitude <= 1.5
      || (frame.midY - before.y - before.height / 2).magnitude <= 1.5
      || isTooHigh && frame.minY >= top - 1 && frame.minY <= top + 60
  }

  // MARK: - Input

  private var canExpectSelection: Bool {
    let grid = use.screen.grid
    return !use.isHidden && !inspection.isCovered && !inspection.isTypingName && !inspection.hasPendingUpdate
      && !inspection.hasPendingResults && !inspection.isArranging && !grid.scroll.isMoving(at: grid.lastInstant)
      && grid.itemCount > 0 && isQuiet(for: 400)
  }

  /// Returns the selection to which a click must lead, or nil if that is not certain.
  func expectation(ofClickAt point: Point, _ modifiers: KeyModifiers) -> Expectation? {
    let grid = use.screen.grid
    guard canExpectSelection, !modifiers.contains(.alt), point.y > grid.contentInset.top + 50,
      point.x < grid.bounds.width - 90
    else { return nil }
    let hit = inspection.cells.first { cell in
      let frame = cell.frame.offset(by: grid.frame.origin)
      return frame.minX + 4 < point.x && point.x < frame.maxX - 4 && frame.minY + 4 < point.y
        && point.y < frame.maxY - 4
    }
    guard let item = hit?.item, let index = hit?.index else { return nil }
    let before = inspection.selectedItems
    switch (modifiers.contains(.shift), modifiers.contains(.control)) {
    case (false, false): return Expectation(description: "a click", items: [item])
    case (false, true):
      return Expectation(description: "a click with Control", items: before.symmetricDifference([item]))
    case (true, let adds):
      let start = inspection.rangeStart.flatMap { inspection.index(of: $0) } ?? index
      let range = (min(start, index)...max(start, index)).compactMap { inspection.item(at: $0) }
      return Expectation(description: "a click with Shift", items: adds ? before.union(range) : Set(range))
    }
  }

  /// Returns the selection to which a key must lead, or nil if that is not certain.
  func expectation(ofKey key: Key, _ modifiers: KeyModifiers) -> Expectation? {
    guard canExpectSelection else { return nil }
    switch (key, modifiers) {
    case (.character("a"), .control):
      return Expectation(
        description: "Ctrl+A", items: Set((0..<use.screen.grid.itemCount).compactMap { inspection.item(at: $0) }))
    case (.right, []), (.left, []):
      guard let focused = inspection.focusedItem, let index = inspection.index(of: focused) else { return nil }
      let next = index + (key == .right ? 1 : -1)
      guard let item = inspection.item(at: next) else { return nil }
      return Expectation(description: "an arrow key", items: [item])
    default: return nil
    }
  }

  /// Checks the selection after an input.
  func check(_ expectation: Expectation) {
    guard violation == nil, !inspection.hasPendingUpdate, !inspection.isCovered else { return }
    let left = expectation.items.filter { inspection.index(of: $0) != nil }
    let selection = inspection.selectedItems
    expect(
      selection == left, "input",
      "after \(expectation.description) \(selection.count) photographs are selected, and not \(left.count): "
        + "\(selection.symmetricDifference(left).prefix(4))")
  }

  // MARK: - Rest

  /// Checks what must be true when nothing happened for a long time.
  ///
  /// - Parameters:
  ///   - frames: The number of frames meanwhile.
  ///   - reasons: What needed frames after them, and how often.
  ///   - retries: Whether failed pictures were to be requested again at the beginning or the end of the time.
  func checkRest(framesWhileAtRest frames: Int, reasons: [String: Int], allowsRetries retries: Bool) {
    guard violation == nil, !inspection.isViewerShown else { return }
    // Failed pictures that may be back are requested again, twice a second at most, and each answer may come in a frame of its
    // own.
    let mostFrames = retries ? min(400, 20 * (2 + inspection.cells.count)) : 0
    let grid = use.screen.grid
    expect(
      frames <= mostFrames, "rest",
      "\(frames) frames were drawn although nothing changed, for \(reasons.sorted { $0.key < $1.key })")
    expect(use.list?.isIdle ?? use.feed.isIdle, "rest", "the library is not read completely")
    expect(!inspection.hasPendingUpdate && !inspection.hasPendingResults, "rest", "an update is pending")
    expect(retries || use.pipeline.isIdle, "requests", "the pipeline is not idle")
    expect(
      retries || inspection.requestCount == 0, "requests",
      "\(inspection.requestCount) requests are pending, and no job is running"
    )
    checkContents()
    for cell in inspection.cells where cell.hasSize && cell.index != nil {
      expect(
        !cell.isWaiting, "pictures", "\(cell.item.map { "\($0)" } ?? "nil") shows neither a picture nor a reason")
    }
    let visible = inspection.cells.count { $0.index != nil }
    expect(
      inspection.pinnedCount <= visible, "requests",
      "\(inspection.pinnedCount) pictures are pinned for \(visible) cells")
    let range = grid.scroll.range
    expect(
      grid.contentOffset >= range.minimum - 1 && grid.contentOffset <= range.maximum + 1, "offset",
      "at rest the offset is \(grid.contentOffset) in \(range)")
    expect(
      grid.pooledCellCount + grid.preparedCells.count <= 300 + 6 * mostCells, "memory",
      "\(grid.pooledCellCount) cells in the pool and \(grid.preparedCells.count) prepared for \(visible), "
        + "and \(mostCells) at most")
  }

  /// Compares the photographs in the grid with the files.
  private func checkContents() {
    let words = Set(SimulatedDisk.searchableWords)
    let text = inspection.searchText
    guard text.isEmpty || words.contains(text) else { return }
    if let list = use.list { return checkList(list, text) }
    var expected: Set<PhotoPath> = []
    for (folder, names) in use.feed.listed {
      for name in names where text.isEmpty || name.contains(text) { expected.insert(folder.appending(name)) }
    }
    let sections = inspection.sections
    let items = sections.flatMap(\.items)
    let catalogue = use.library.catalogue
    let paths = items.map { item in
      catalogue.folder(of: item).map { $0.appending(Array(catalogue.name(of: item) ?? [])) } ?? PhotoPath("?")
    }
    let shown = Set(paths)
    expect(shown.count == paths.count, "contents", "a file is shown twice")
    expect(
      shown == expected, "contents",
      "\(shown.subtracting(expected).count) files are shown that are not there, such as "
        + "\(shown.subtracting(expected).map(\.printable).min() ?? "none"), and \(expected.subtracting(shown).count) "
        + "are missing, such as \(expected.subtracting(shown).map(\.printable).min() ?? "none"), of \(expected.count)")
    expect(use.screen.grid.itemCount == items.count, "contents", "the grid has another number of items")
    checkOrder(sections, catalogue)
  }

  /// Compares the pictures in the grid with those of a list.
  private func checkList(_ list: SimulatedListFeed, _ text: String) {
    guard let catalogue = use.library.catalogue as? ManifestRecords else {
      return fail("contents", "the records are not those of a list")
    }
    let sections = inspection.sections
    let items = sections.flatMap(\.items)
    let ids = items.map { catalogue.item(for: $0)?.id ?? "?" }
    let shown = Set(ids)
    expect(shown.count == ids.count, "contents", "a picture is shown twice")
    let expected = list.kept.union(list.listed).filter { id in
      text.isEmpty || list.items[id].map { $0.title.contains(text) } ?? false
    }
    expect(
      shown == expected, "contents",
      "\(shown.subtracting(expected).count) pictures are shown that are not listed, and "
        + "\(expected.subtracting(shown).count) of \(expected.count) are missing")
    for (item, id) in zip(items, ids) {
      expect(
        catalogue.item(for: item) == list.items[id], "contents", "the picture \(id) has not what the list states of it")
    }
    if use.library.sorting == .name, use.library.grouping != .month {
      let listed = list.listed.filter(shown.contains)
      let order = ids.filter(Set(listed).contains)
      expect(order == listed, "order", "the pictures are not in the order of the list")
    }
    expect(use.screen.grid.itemCount == items.count, "contents", "the grid has another number of items")
    checkOrder(sections, catalogue)
  }

  /// Checks the order within sections and of sections.
  private func checkOrder(_ sections: [(title: String, items: [PhotoID])], _ catalogue: any PhotoRecords) {
    let (grouping, sorting) = (use.library.grouping, use.library.sorting)
    for section in sections {
      expect(!section.items.isEmpty, "order", "the section \(section.title) is empty")
      for (one, other) in zip(section.items, section.items.dropFirst()) {
        let isOrdered: Bool
        switch sorting {
        case .size:
          let (first, second) = (catalogue.byteCount(of: one), catalogue.byteCount(of: other))
          isOrdered = first > second || first == second && areNamesOrdered(one, other, catalogue)
        case .date:
          let (first, second) = (catalogue.time(of: one), catalogue.time(of: other))
          guard let first, let second else {
            isOrdered = first != nil || second == nil
            break
          }
          isOrdered =
            first == second
            ? areNamesOrdered(one, other, catalogue) : grouping == .month ? first < second : first > second
        case .name:
          let (first, second) = (catalogue.folder(of: one), catalogue.folder(of: other))
          guard let first, let second else { continue }
          if first == second || grouping == .month {
            guard first == second else { continue }
            isOrdered = !NaturalOrder.precedes(catalogue.name(of: other) ?? [], catalogue.name(of: one) ?? [])
          } else {
            isOrdered = first.listingKey.lexicographicallyPrecedes(second.listingKey)
          }
        }
        expect(isOrdered, "order", "\(one) and \(other) are in the wrong order, by \(sorting) in \(grouping)")
      }
      if grouping == .folder, let first = section.items.first, let folder = catalogue.folder(of: first) {
        for item in section.items {
          expect(catalogue.folder(of: item) == folder, "order", "\(item) is in the section of another folder")
        }
      }
    }
    expect(Set(sections.map(\.title)).count == sections.count || grouping == .folder, "order", "two sections are equal")
  }

  /// Returns whether the names of two photographs are equal or in the order of names.
  private func areNamesOrdered(_ one: PhotoID, _ other: PhotoID, _ catalogue: any PhotoRecords) -> Bool {
    !NaturalOrder.precedes(catalogue.name(of: other) ?? [], catalogue.name(of: one) ?? [])
  }

  /// The contents that cannot be shown.
  private static let faulty: Set<SimulatedDisk.Content> = [.refused, .crashing, .hanging, .noPicture]

  /// Checks that all pictures that can be shown are shown, after all faults ended and everything was read again.
  func checkRecovery() {
    guard violation == nil, !inspection.isViewerShown, !use.hasBlamedFiles else { return }
    let catalogue = use.library.catalogue
    if let list = use.list, let records = catalogue as? ManifestRecords {
      let pictures = Dictionary(list.server.pictures.map { ($0.id, $0.content) }) { $1 }
      for cell in inspection.cells where cell.index != nil && cell.hasSize && cell.isBroken {
        guard let id = cell.item.flatMap({ records.item(for: $0)?.id }), let content = pictures[id] else { continue }
        expect(
          SimulationChecker.faulty.contains(content), "recovery",
          "the picture \(id) is not shown, although it can be decoded: \(cell.failure ?? "")")
      }
      return
    }
    for cell in inspection.cells {
      guard let item = cell.item, cell.index != nil, cell.hasSize, cell.isBroken,
        let folder = catalogue.folder(of: item), let name = catalogue.name(of: item)
      else { continue }
      let place = SimulatedDisk.Location(folder: folder, name: String(decoding: name, as: UTF8.self))
      guard let file = use.feed.disk[place] else { continue }
      expect(
        SimulationChecker.faulty.contains(file.content), "recovery",
        "\(folder.appending(place.name).printable) is not shown, although it can be decoded: \(cell.failure ?? "")")
    }
  }
}
