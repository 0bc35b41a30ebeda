internal import VitrineDataStructures

extension MeasuredBody {
  /// Applies edits of the items; measured sizes stay with their items.
  ///
  /// Groups that gain or lose items become stale.
  ///
  /// - Complexity: O(k (log n + n / 32,768 + ``MeasuredChunk/maximumCount``) + r) for k edits of n items and r ranges
  ///   of stale groups. No group is placed.
  mutating func update(_ edits: SectionEdits, content: any SectionContent, container: SectionContainer) -> Bool {
    guard container == self.container, let content = content as? any MeasurableContent,
      content.measurableGroup(in: container).hasSameRules(as: group)
    else { return false }
    splice(edits)
    return true
  }

  /// Returns the number of removed and inserted ranges plus the number of changed items.
  func cost(of edits: SectionEdits) -> Int {
    edits.removals.count + edits.insertions.count + edits.dataChanges.reduce(0) { $0 + $1.count }
  }

  /// Applies edits while the rules stay the same.
  mutating func splice(_ edits: SectionEdits) {
    epoch &+= 1
    spliceGroups(edits)
    sizes.splice(edits)
    itemCount += edits.countDelta
    // Measured items may have moved into floating groups.
    if let last = sizes.lastItem { freeze(through: last / slotCount) }
    stale.remove((groupCount - floatingCount)..<Int.max)
    for item in removalPositions(of: edits) { join(around: chunks.position(ofElement: item / slotCount).leaf) }
    followEstimate()
  }

  /// Returns the positions after the update at which items were removed.
  private func removalPositions(of edits: SectionEdits) -> [Int] {
    guard chunks.leafCount > 0 else { return [] }
    return EditSteps(edits, of: itemCount - edits.countDelta).compactMap { step in
      step.removed > 0 ? step.retained.upperBound + step.shift : nil
    }
  }

  /// Inserts and removes groups to match the number of items, and records which groups are stale.
  ///
  /// The measured sizes of a group stay with the group that contains most of its items now, or with an adjacent one.
  private mutating func spliceGroups(_ edits: SectionEdits) {
    let newCount = itemCount + edits.countDelta
    var updatedStale = StaleGroups()
    // The number of groups inserted so far, minus those removed.
    var shift = 0
    for step in EditSteps(edits, of: itemCount) {
      appendStaleGroups(to: &updatedStale, step, movedBy: shift, of: newCount)
      let item = step.retained.upperBound
      let newGroupCount = groupCount(forItems: itemCount + step.shift + step.inserted - step.removed)
      let newShift = newGroupCount - groupCount(forItems: itemCount)
      if newShift > shift { insertGroups(newShift - shift, at: groupCount(forItems: item) + shift) }
      if newShift < shift {
        // Removes groups that were deleted completely, if there are enough of them.
        let number = shift - newShift
        let first = min(groupCount(forItems: item), groupCount(forItems: item + step.removed) - number) + shift
        removeGroups(first..<(first + number))
      }
      shift = newShift
    }
    stale = updatedStale
  }

  /// Returns the number of groups for a number of items.
  private func groupCount(forItems items: Int) -> Int { (items + slotCount - 1) / slotCount }

  /// Appends the stale groups among those that contain the items retained before an edit and the items inserted by it.
  private func appendStaleGroups(
    to updatedStale: inout StaleGroups, _ step: EditSteps.Step, movedBy shift: Int, of newCount: Int
  ) {
    let start = step.retained.lowerBound + step.shift
    let end = step.retained.upperBound + step.shift
    let isAligned = step.shift.isMultiple(of: slotCount)
    if !step.retained.isEmpty {
      // Complete groups, and the groups at both ends that also contain other items.
      let first = groupCount(forItems: start)
      let whole = first..<max(first, end == newCount ? groupCount(forItems: end) : end / slotCount)
      updatedStale.append((start / slotCount)..<first)
      if isAligned {
        updatedStale.append(stale, in: (whole.lowerBound - shift)..<(whole.upperBound - shift), movedBy: shift)
      } else {
        updatedStale.append(whole)
      }
      if end < newCount { updatedStale.append((end / slotCount)..<groupCount(forItems: end)) }
    }
    // Complete groups that are inserted between complete groups have their estimated layout.
    let isWhole = isAligned && end.isMultiple(of: slotCount) && step.inserted.isMultiple(of: slotCount)
    if step.inserted > 0, !isWhole {
      updatedStale.append((end / slotCount)..<groupCount(forItems: end + step.inserted))
    }
  }

  // MARK: - Inserting and removing groups

  private mutating func removeGroups(_ range: Range<Int>) {
    let floatingStart = groupCount - floatingCount
    floatingCount -= max(0, range.upperBound - max(range.lowerBound, floatingStart))
    removeFromEstimate(range)
    chunks.removeElements(range)
  }

  private mutating func insertGroups(_ number: Int, at group: Int) {
    // Groups after the last known one are floating.
    guard group < groupCount - floatingCount else { return appendFloating(number) }
    chunks.insertElements(number, at: group)
  }

  /// Appends groups after all others.
  private mutating func appendFloating(_ number: Int) {
    if floatingCount > 0 {
      chunks.update(leaf: chunks.leafCount - 1) { $0.append(number) }
    } else {
      let chunk = MeasuredChunk(count: number, template: expectedTemplate())
      chunks.replaceLeaves(chunks.leafCount..<chunks.leafCount, with: [chunk])
    }
    floatingCount += number
  }

  /// Removes the measured groups of a range from the estimate.
  private mutating func removeFromEstimate(_ range: Range<Int>) {
    var position = chunks.position(ofElement: range.lowerBound)
    while true {
      let chunk = chunks[position]
      let groups = range.clamped(to: position.firstElement..<(position.firstElement + chunk.count))
      let measured = chunk.measured(
        in: (groups.lowerBound - position.firstElement)..<(groups.upperBound - position.firstElement))
      estimate.add(groups: -measured.groups, length: -measured.length)
      guard position.firstElement + chunk.count < range.upperBound else { return }
      position = chunks.position(ofLeaf: position.leaf + 1)
    }
  }

  /// Joins a chunk with short neighbors, so that removing groups one by one does not leave many small chunks.
  mutating func join(around leaf: Int) {
    let last = chunks.leafCount - (floatingCount > 0 ? 1 : 0)
    for left in [leaf - 1, leaf] where left >= 0 && left + 1 < last {
      let (one, other) = (chunks[leaf: left], chunks[leaf: left + 1])
      let areBlank = one.isBlank && other.isBlank
      guard areBlank || one.count + other.count <= MeasuredChunk.maximumCount / 2 else { continue }
      var joined = one
      if one.template != other.template {
        guard isComplete(left) || isComplete(left + 1) else { continue }
        // No group of a complete chunk uses its template.
        if isComplete(left) { joined.setTemplate(other.template) }
      }
      joined.append(other)
      chunks.replaceLeaves(left..<(left + 2), with: [joined])
      return
    }
  }
}

// MARK: - Edit steps

/// The edits of a section in ascending order, each with the items that are retained before it.
struct EditSteps: Sequence, IteratorProtocol {
  /// Retained items, and the edit after the last of them.
  struct Step: Hashable {
    /// The indexes before the update of consecutive retained items.
    var retained: Range<Int>
    /// The distance by which the items move.
    var shift: Int
    /// The number of items removed after them.
    var removed = 0
    /// The number of items inserted after them; 0 if items are removed.
    var inserted = 0
  }

  private let itemCount: Int
  private var removals: ArraySlice<Range<Int>>
  private var insertions: ArraySlice<Range<Int>>
  private var position = 0
  private var shift = 0
  private var isDone = false

  /// Creates the steps of a section's edits.
  ///
  /// - Parameters:
  ///   - edits: The edits.
  ///   - itemCount: The number of items before the update.
  init(_ edits: SectionEdits, of itemCount: Int) {
    self.itemCount = itemCount
    removals = edits.removals[...]
    insertions = edits.insertions[...]
  }

  mutating func next() -> Step? {
    guard !isDone else { return nil }
    let insertion = insertions.first.map { $0.lowerBound - shift }
    var step = Step(retained: position..<itemCount, shift: shift)
    if let removal = removals.first, insertion.map({ removal.lowerBound <= $0 }) ?? true {
      removals.removeFirst()
      step.retained = position..<removal.lowerBound
      step.removed = removal.count
      position = removal.upperBound
      shift -= removal.count
    } else if let insertion {
      step.retained = position..<insertion
      step.inserted = insertions.removeFirst().count
      position = insertion
      shift += step.inserted
    } else {
      isDone = true
    }
    return step
  }
}

// MARK: - Stale groups

/// Groups whose layout does not match the items that they contain now.
struct StaleGroups: Hashable, Sendable {
  /// Ascending disjoint ranges.
  private(set) var ranges: [Range<Int>] = []

  var isEmpty: Bool { ranges.isEmpty }

  /// Returns whether a group is stale.
  ///
  /// - Complexity: O(log r) for r ranges.
  func contains(_ group: Int) -> Bool {
    let index = firstRange(endingAfter: group)
    return index < ranges.count && ranges[index].lowerBound <= group
  }

  /// Returns the first run of stale groups in a range.
  ///
  /// - Complexity: O(log r) for r ranges.
  func first(in groups: Range<Int>) -> Range<Int>? {
    let index = firstRange(endingAfter: groups.lowerBound)
    guard !groups.isEmpty, index < ranges.count, ranges[index].lowerBound < groups.upperBound else { return nil }
    return ranges[index].clamped(to: groups)
  }

  /// Adds groups that do not start before the last added ones.
  mutating func append(_ groups: Range<Int>) {
    guard !groups.isEmpty else { return }
    if let last = ranges.last, groups.lowerBound <= last.upperBound {
      ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, groups.upperBound)
    } else {
      ranges.append(groups)
    }
  }

  /// Adds the stale groups of another set in a range, moved by a distance.
  ///
  /// - Complexity: O(log r + m) for m of its r ranges.
  mutating func append(_ others: StaleGroups, in groups: Range<Int>, movedBy distance: Int) {
    guard !groups.isEmpty else { return }
    var index = others.firstRange(endingAfter: groups.lowerBound)
    while index < others.ranges.count, others.ranges[index].lowerBound < groups.upperBound {
      let range = others.ranges[index].clamped(to: groups)
      append((range.lowerBound + distance)..<(range.upperBound + distance))
      index += 1
    }
  }

  /// Removes groups.
  ///
  /// - Complexity: O(r) for r ranges.
  mutating func remove(_ groups: Range<Int>) {
    guard !groups.isEmpty else { return }
    let first = firstRange(endingAfter: groups.lowerBound)
    var end = first
    var remainder: [Range<Int>] = []
    while end < ranges.count, ranges[end].lowerBound < groups.upperBound {
      let range = ranges[end]
      if range.lowerBound < groups.lowerBound { remainder.append(range.lowerBound..<groups.lowerBound) }
      if range.upperBound > groups.upperBound { remainder.append(groups.upperBound..<range.upperBound) }
      end += 1
    }
    ranges.replaceSubrange(first..<end, with: remainder)
  }

  private func firstRange(endingAfter group: Int) -> Int {
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound <= group { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
