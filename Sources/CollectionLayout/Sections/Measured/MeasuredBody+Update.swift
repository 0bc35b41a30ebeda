internal import DataStructures

extension MeasuredBody {
  /// Takes in what came, went or changed; every size that was measured stays with its item.
  ///
  /// Groups into which items move, or out of which they do, are stale from then on.
  ///
  /// - Complexity: O(k (log n + n / 32,768 + ``MeasuredChunk/most``) + r) for k edits of n items, and r ranges of groups
  ///   that were stale; no group is placed.
  mutating func update(_ edits: SectionEdits, content: any SectionContent, room: SectionRoom) -> Bool {
    guard room == self.room, let content = content as? any MeasurableContent,
      content.measurableGroup(in: room).hasSameRules(as: group)
    else { return false }
    splice(edits)
    return true
  }

  /// Runs of items that come or go, and as many items as changed.
  func cost(of edits: SectionEdits) -> Int {
    edits.removals.count + edits.insertions.count + edits.changes.reduce(0) { $0 + $1.count }
  }

  /// Takes edits in whose rules are the same.
  mutating func splice(_ edits: SectionEdits) {
    epoch &+= 1
    spliceGroups(edits)
    sizes.splice(edits)
    itemCount += edits.growth
    // What was measured may have moved on into groups that were to follow the mean.
    if let last = sizes.lastItem { freeze(through: last / slotCount) }
    stale.remove((groupCount - floating)..<Int.max)
    for place in seams(of: edits) { join(around: chunks.position(ofElement: place / slotCount).leaf) }
    followEstimate()
  }

  /// Where items went, in places after the update.
  private func seams(of edits: SectionEdits) -> [Int] {
    guard chunks.leafCount > 0 else { return [] }
    return EditSteps(edits, of: itemCount - edits.growth).compactMap { step in
      step.removed > 0 ? step.kept.upperBound + step.shift : nil
    }
  }

  /// Takes groups in and out where items come and go, as many as make room for all, and notes which are stale.
  ///
  /// What was known of a group stays with the group in which most of its items are now, or one beside it.
  private mutating func spliceGroups(_ edits: SectionEdits) {
    let newCount = itemCount + edits.growth
    var staleNow = StaleGroups()
    // By how many places groups are moved on.
    var shift = 0
    for step in EditSteps(edits, of: itemCount) {
      append(to: &staleNow, step, movedBy: shift, of: newCount)
      let place = step.kept.upperBound
      let groupCount = groups(holding: itemCount + step.shift + step.inserted - step.removed)
      let newShift = groupCount - groups(holding: itemCount)
      if newShift > shift { insertGroups(newShift - shift, at: groups(holding: place) + shift) }
      if newShift < shift {
        // Groups that went as a whole, where there are so many.
        let number = shift - newShift
        let first = min(groups(holding: place), groups(holding: place + step.removed) - number) + shift
        removeGroups(first..<(first + number))
      }
      shift = newShift
    }
    stale = staleNow
  }

  /// How many groups a number of items is in.
  private func groups(holding items: Int) -> Int { (items + slotCount - 1) / slotCount }

  /// Takes in which of the groups are stale that hold what stays before an edit, and what comes with it.
  private func append(to staleNow: inout StaleGroups, _ step: EditSteps.Step, movedBy shift: Int, of newCount: Int) {
    let start = step.kept.lowerBound + step.shift
    let end = step.kept.upperBound + step.shift
    let isAligned = step.shift.isMultiple(of: slotCount)
    if !step.kept.isEmpty {
      // Whole groups, and those at both ends that also hold something else.
      let first = groups(holding: start)
      let whole = first..<max(first, end == newCount ? groups(holding: end) : end / slotCount)
      staleNow.append((start / slotCount)..<first)
      if isAligned {
        staleNow.append(stale, in: (whole.lowerBound - shift)..<(whole.upperBound - shift), movedBy: shift)
      } else {
        staleNow.append(whole)
      }
      if end < newCount { staleNow.append((end / slotCount)..<groups(holding: end)) }
    }
    // Whole groups that come between whole ones are as they are expected.
    let isWhole = isAligned && end.isMultiple(of: slotCount) && step.inserted.isMultiple(of: slotCount)
    if step.inserted > 0, !isWhole { staleNow.append((end / slotCount)..<groups(holding: end + step.inserted)) }
  }

  // MARK: Groups that come and go

  private mutating func removeGroups(_ range: Range<Int>) {
    let floatingStart = groupCount - floating
    floating -= max(0, range.upperBound - max(range.lowerBound, floatingStart))
    count(out: range)
    chunks.removeElements(range)
  }

  private mutating func insertGroups(_ number: Int, at group: Int) {
    // What comes behind all that is known floats.
    guard group < groupCount - floating else { return appendFloating(number) }
    chunks.insertElements(number, at: group)
  }

  /// Takes groups in behind all others.
  private mutating func appendFloating(_ number: Int) {
    if floating > 0 {
      chunks.update(leaf: chunks.leafCount - 1) { $0.append(number) }
    } else {
      let chunk = MeasuredChunk(count: number, template: expectedTemplate())
      chunks.replaceLeaves(chunks.leafCount..<chunks.leafCount, with: [chunk])
    }
    floating += number
  }

  /// Takes groups out of the mean.
  private mutating func count(out range: Range<Int>) {
    var position = chunks.position(ofElement: range.lowerBound)
    while true {
      let chunk = chunks[position]
      let places = range.clamped(to: position.firstElement..<(position.firstElement + chunk.count))
      let measured = chunk.measured(
        in: (places.lowerBound - position.firstElement)..<(places.upperBound - position.firstElement))
      estimate.add(groups: -measured.groups, length: -measured.length)
      guard position.firstElement + chunk.count < range.upperBound else { return }
      position = chunks.position(ofLeaf: position.leaf + 1)
    }
  }

  /// Makes one chunk of short neighbours, so that what is removed group by group leaves no crumbs.
  mutating func join(around leaf: Int) {
    let last = chunks.leafCount - (floating > 0 ? 1 : 0)
    for left in [leaf - 1, leaf] where left >= 0 && left + 1 < last {
      let (one, other) = (chunks[leaf: left], chunks[leaf: left + 1])
      let areBlank = one.isBlank && other.isBlank
      guard areBlank || one.count + other.count <= MeasuredChunk.most / 2 else { continue }
      var joined = one
      if one.template != other.template {
        guard isComplete(left) || isComplete(left + 1) else { continue }
        // The template of a chunk that is complete stands for nothing.
        if isComplete(left) { joined.setTemplate(other.template) }
      }
      joined.append(other)
      chunks.replaceLeaves(left..<(left + 2), with: [joined])
      return
    }
  }
}
