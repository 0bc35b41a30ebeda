internal import VitrineDataStructures
internal import VitrineGeometry

extension MeasuredBody {
  /// Returns whether the item has self-sizing sides and its size is not fixed.
  ///
  /// - Complexity: O(log n).
  func usesPreferredSize(ofItem item: Int) -> Bool {
    !group.measuredSides(ofSlot: item % slotCount).isEmpty && !sizes.isFrozen(item: item)
  }

  /// Records the size that a cell prefers; only its self-sizing sides are used.
  ///
  /// - Complexity: O(log n + ``MeasuredChunk/maximumCount``).
  mutating func setPreferredSize(width: Int, height: Int, ofItem item: Int, burst: UInt32) -> PreferredSizeResult {
    let (group, slot) = item.quotientAndRemainder(dividingBy: slotCount)
    let sides = self.group.measuredSides(ofSlot: slot)
    guard !sides.isEmpty else { return .unchanged }
    let before = (frames: frames(ofGroup: group), length: length, breadth: breadth)
    if stale.contains(group) { placeGroup(group) }
    let old = frame(ofItem: item)
    let size = MeasuredSize(
      width: sides.contains(.width) ? width : old.width, height: sides.contains(.height) ? height : old.height)
    freeze(through: group)
    let outcome = sizes.record(size, ofItem: item, burst: epoch &+ burst)
    if outcome != .unchanged { placeGroup(group) }
    followEstimate()
    if case .frozen(let size) = outcome { return .frozen(Double(size.side(flow)) / container.scale.pixelsPerPoint) }
    return before == (frames(ofGroup: group), length, breadth) ? .unchanged : .changed
  }

  /// Permits the size of an item to change again.
  mutating func unfreezeSize(ofItem item: Int) { sizes.unfreeze(item: item) }

  // MARK: - Estimates of unmeasured groups

  /// Fixes the length of the floating groups up to a given one at the current estimate.
  mutating func freeze(through group: Int) {
    let first = groupCount - floatingCount
    guard group >= first else { return }
    let number = group - first + 1
    let leaf = chunks.leafCount - 1
    let template = chunks[leaf: leaf].template
    var frozen: [MeasuredChunk] = []
    if leaf > 0, canFollow(leaf - 1, number, as: template) {
      chunks.update(leaf: leaf - 1) { chunk in
        chunk.setTemplate(template)
        chunk.append(number)
      }
    } else {
      frozen.append(MeasuredChunk(count: number, template: template))
    }
    floatingCount -= number
    if floatingCount > 0 {
      chunks.update(leaf: leaf) { $0.append(-number) }
      if !frozen.isEmpty { chunks.replaceLeaves(leaf..<leaf, with: frozen) }
    } else {
      chunks.replaceLeaves(leaf..<(leaf + 1), with: frozen)
    }
  }

  /// Returns whether unmeasured groups with a template can join a chunk without changing any length.
  private func canFollow(_ leaf: Int, _ number: Int, as template: MeasuredTemplate) -> Bool {
    let chunk = chunks[leaf: leaf]
    guard chunk.isBlank || chunk.count + number <= MeasuredChunk.maximumCount else { return false }
    return chunk.template == template || isComplete(leaf)
  }

  /// Returns whether no group of a chunk uses its template: all its items were measured and all its groups placed.
  func isComplete(_ leaf: Int) -> Bool {
    let position = chunks.position(ofLeaf: leaf)
    let chunk = chunks[position]
    guard chunk.isFull else { return false }
    let first = position.firstElement * slotCount
    let end = first + chunk.count * slotCount
    return sizes.count(in: first..<end) == end - first
  }

  /// Updates the length of the floating groups to the current estimate.
  mutating func followEstimate() {
    guard floatingCount > 0, chunks[leaf: chunks.leafCount - 1].template.expectedLength != estimate.length else {
      return
    }
    let template = expectedTemplate()
    chunks.update(leaf: chunks.leafCount - 1) { $0.setTemplate(template) }
  }

  /// Returns an unmeasured group with the currently estimated length.
  mutating func expectedTemplate() -> MeasuredTemplate {
    let template = template(expectedLength: estimate.length)
    maximumReach = max(maximumReach, template.slots.reach)
    return template
  }

  /// Returns an unmeasured group with the given estimated length.
  ///
  /// The self-sizing lengths of its items are scaled in proportion.
  func template(expectedLength: Int) -> MeasuredTemplate {
    if expectedLength == initial.expectedLength { return initial }
    let share = Double(expectedLength) / Double(initial.expectedLength)
    let sizes = initial.slots.frames.map { frame in
      let length = Int((Double(frame.length(flow)) * share).rounded())
      return flow == .vertical
        ? MeasuredSize(width: frame.width, height: length) : MeasuredSize(width: length, height: frame.height)
    }
    let slots = group.solved(measured: { sizes[$0] }, atLeast: group.sharesLength ? expectedLength : 0)
    return MeasuredTemplate(expectedLength: expectedLength, slots: slots, spacing: initial.spacing, sizes: sizes)
  }
}

// MARK: - Finalizing

extension MeasuredBody {
  /// The cost of placing an item of a group, as a number of items to break into justified rows.
  private static let weight = 4

  /// Whether no group is stale; floating groups count as finalized.
  var areFramesFinal: Bool { stale.isEmpty }

  /// Places the stale groups in a range, and fixes the length of all floating groups before its end.
  ///
  /// - Complexity: O(log n + g + ``MeasuredChunk/maximumCount``) for g groups in the range, plus O(n / 32,768) where a
  ///   chunk starts.
  mutating func finalizeFrames(in span: Range<Int>) -> Bool {
    let seen = span.clamped(to: 0..<max(1, length))
    guard itemCount > 0, !seen.isEmpty else { return false }
    // A view may be visible while its item is not.
    let first = group(atOffset: max(0, seen.lowerBound - maximumReach))
    let last = group(atOffset: min(length, seen.upperBound + maximumReach) - 1)
    freeze(through: group(atOffset: seen.upperBound - 1))
    return finalizeFrames(ofGroups: first..<(last + 1))
  }

  /// Places the stale groups in a range with the items that they contain now.
  ///
  /// - Returns: Whether any item moved or the length changed.
  mutating func finalizeFrames(ofGroups groups: Range<Int>) -> Bool {
    var left = Int.max
    return placeStaleGroups(in: groups, atMost: &left)
  }

  /// - Complexity: O(items), plus O(log n) for each chunk of unmeasured groups and O(``MeasuredChunk/maximumCount``).
  mutating func finalizeFrames(itemBudget items: Int) -> Bool {
    var left = max(1, items / (slotCount * MeasuredBody.weight))
    return placeStaleGroups(in: 0..<groupCount, atMost: &left)
  }

  /// Places a group with the items that it contains now.
  mutating func placeGroup(_ group: Int) {
    let position = chunks.isolate(group)
    let index = group - position.firstElement
    _ = placeGroups(index..<(index + 1), in: position)
    stale.remove(group..<(group + 1))
  }

  private mutating func placeStaleGroups(in groups: Range<Int>, atMost left: inout Int) -> Bool {
    let before = length
    var hasMoved = false
    while left > 0, let next = stale.first(in: groups) {
      let step = placeFirst(of: next, atMost: left)
      stale.remove(next.lowerBound..<step.end)
      left -= max(1, step.placed)
      if step.hasMoved { hasMoved = true }
    }
    followEstimate()
    return hasMoved || length != before
  }

  /// Places the first groups of a range, which belong to one chunk.
  ///
  /// - Returns: The end of the processed range, the number of placed groups, and whether any of them moved.
  private mutating func placeFirst(
    of groups: Range<Int>, atMost most: Int
  ) -> (end: Int, placed: Int, hasMoved: Bool) {
    var first = groups.lowerBound
    var position = chunks.position(ofElement: first)
    if chunks[position].isBlank {
      // Nothing changes before the next measured item.
      let end = min(groups.upperBound, position.firstElement + chunks[position].count)
      guard let next = sizes.firstItem(from: first * slotCount), next < end * slotCount else { return (end, 0, false) }
      first = max(first, next / slotCount)
      position = chunks.isolate(first)
    }
    let end = min(groups.upperBound, position.firstElement + chunks[position].count)
    let indexes = (first - position.firstElement)..<(end - position.firstElement)
    let firstIndexes = indexes.prefix(most)
    let hasMoved = placeGroups(firstIndexes, in: position)
    if chunks[leaf: position.leaf].isBlank { join(around: position.leaf) }
    return (position.firstElement + firstIndexes.upperBound, firstIndexes.count, hasMoved)
  }

  /// Places groups of a chunk with the sizes that are known now.
  ///
  /// - Returns: Whether any group moved.
  private mutating func placeGroups(_ indexes: Range<Int>, in position: SummedPosition) -> Bool {
    let first = (position.firstElement + indexes.lowerBound) * slotCount
    let known = sizes.sizes(ofItems: first..<(first + indexes.count * slotCount))
    let template = chunks[position].template
    let breadthBefore = breadth
    var placed = PlacedGroups()
    for index in indexes {
      let slots = (index - indexes.lowerBound) * slotCount
      guard known[slots..<(slots + slotCount)].contains(where: { $0 != nil }) else { continue }
      let solved = group.solved(
        measured: { known[slots + $0] ?? template.placedSize(ofSlot: $0) }, atLeast: 0)
      placed.append(index, solved, isRow: group.isRow)
      maximumBreadth = max(maximumBreadth ?? 0, solved.breadth)
      maximumLength = max(maximumLength ?? 0, solved.length)
      maximumReach = max(maximumReach, solved.reach)
    }
    let change = chunks.update(leaf: position.leaf) { chunk in
      let before = chunk.measured
      let hasMoved = chunk.setGroups(indexes, to: placed)
      let after = chunk.measured
      return (hasMoved: hasMoved, groups: after.groups - before.groups, length: after.length - before.length)
    }
    estimate.add(groups: change.groups, length: change.length)
    return change.hasMoved || breadth != breadthBefore
  }
}
