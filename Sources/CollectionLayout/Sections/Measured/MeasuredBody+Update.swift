internal import DataStructures

extension MeasuredBody {
  /// Takes in what came, went or changed; every size that was measured stays with its item.
  ///
  /// - Complexity: for k edits of n rows O(k (log n + n / 32,768 + ``MeasuredChunk/most``)); with more items a group,
  ///   O(m + n / 512) for m items that were measured behind the first edit.
  mutating func update(_ edits: SectionEdits, content: any SectionContent, room: SectionRoom) -> Bool {
    guard room == self.room, let content = content as? any MeasurableContent,
      content.measurableGroup(in: room).hasSameRules(as: group)
    else { return false }
    splice(edits)
    return true
  }

  /// Rows that come or go are looked at, and as many of those that changed; with more items a group, what was measured
  /// behind the first edit.
  func cost(of edits: SectionEdits) -> Int {
    let changes = edits.changes.reduce(0) { $0 + $1.count }
    guard slotCount > 1, let first = MeasuredBody.firstPlace(of: edits), first < itemCount else {
      return edits.removals.count + edits.insertions.count + changes
    }
    let leaf = chunks.position(ofElement: first / slotCount).leaf
    return (leaf..<chunks.leafCount).reduce(changes) { $0 + 1 + chunks[leaf: $1].sizes.count }
  }

  /// Takes edits in whose rules are the same.
  mutating func splice(_ edits: SectionEdits) {
    epoch &+= 1
    if slotCount == 1 {
      for range in edits.removals.reversed() { removeRows(range) }
      for range in edits.insertions { insertRows(range.count, at: range.lowerBound) }
      itemCount += edits.growth
    } else {
      reflow(edits)
    }
    followEstimate()
  }

  static func firstPlace(of edits: SectionEdits) -> Int? {
    [edits.removals.first?.lowerBound, edits.insertions.first?.lowerBound].compactMap { $0 }.min()
  }

  // MARK: One item a group

  private mutating func removeRows(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    let first = chunks.position(ofElement: range.lowerBound)
    let last = chunks.position(ofElement: range.upperBound - 1)
    let floatingStart = groupCount - floating
    floating -= max(0, range.upperBound - max(range.lowerBound, floatingStart))
    let start = range.lowerBound - first.firstElement
    let end = range.upperBound - last.firstElement
    if first.leaf == last.leaf, range.count < chunks[first].count {
      let change = chunks.update(leaf: first.leaf) { chunk in
        let before = chunk.measured
        chunk.remove(start..<end)
        return (before: before, after: chunk.measured)
      }
      count(out: change.before)
      count(in: change.after)
      join(around: first.leaf)
      return
    }
    for leaf in first.leaf...last.leaf { count(out: chunks[leaf: leaf].measured) }
    let parts = [chunks[first].part(0..<start), chunks[last].part(end..<chunks[last].count)]
      .filter { $0.count > 0 }
    for part in parts { count(in: part.measured) }
    chunks.replaceLeaves(first.leaf..<(last.leaf + 1), with: parts)
    join(around: first.leaf)
  }

  private mutating func insertRows(_ number: Int, at row: Int) {
    guard number > 0 else { return }
    // What comes behind all that is known floats.
    if row >= groupCount - floating { return appendFloating(number) }
    let position = chunks.position(ofElement: row)
    let place = row - position.firstElement
    let chunk = chunks[position]
    if chunk.isBlank || chunk.count + number <= MeasuredChunk.most {
      chunks.update(leaf: position.leaf) { $0.insert(number, at: place) }
      return
    }
    // A chunk that is full falls in halves, so that rows that come one by one do not leave one chunk each.
    let halves = number <= MeasuredChunk.most / 2
    let cut = halves ? chunk.count / 2 : place
    var parts = [chunk.part(0..<cut), chunk.part(cut..<chunk.count)]
    if halves {
      if place < cut { parts[0].insert(number, at: place) } else { parts[1].insert(number, at: place - cut) }
    } else {
      parts.insert(MeasuredChunk(count: number, template: chunk.template), at: 1)
    }
    chunks.replaceLeaves(position.leaf..<(position.leaf + 1), with: parts.filter { $0.count > 0 })
  }

  /// Takes groups in behind all others.
  mutating func appendFloating(_ number: Int) {
    if floating > 0 {
      chunks.update(leaf: chunks.leafCount - 1) { $0.append(number) }
    } else {
      let chunk = MeasuredChunk(count: number, template: expectedTemplate())
      chunks.replaceLeaves(chunks.leafCount..<chunks.leafCount, with: [chunk])
    }
    floating += number
  }

  /// Makes one chunk of short neighbours, so that what is removed row by row leaves no crumbs.
  private mutating func join(around leaf: Int) {
    let last = chunks.leafCount - (floating > 0 ? 1 : 0)
    for left in [leaf - 1, leaf] where left >= 0 && left + 1 < last {
      let (one, other) = (chunks[leaf: left], chunks[leaf: left + 1])
      guard one.count + other.count <= MeasuredChunk.most / 2 else { continue }
      guard one.template == other.template || one.isComplete || other.isComplete else { continue }
      let joined = MeasuredChunk([one, other], template: one.isComplete ? other.template : one.template)
      chunks.replaceLeaves(left..<(left + 2), with: [joined])
      return
    }
  }

  mutating func count(in measured: (groups: Int, length: Int)) {
    estimate.add(groups: measured.groups, length: measured.length)
  }

  mutating func count(out measured: (groups: Int, length: Int)) {
    estimate.add(groups: -measured.groups, length: -measured.length)
  }
}
