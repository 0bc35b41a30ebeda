internal import DataStructures
internal import Geometry

extension MeasuredBody {
  /// Whether an item's cell is asked for the size that it prefers: the rules say so, and it was not frozen.
  ///
  /// - Complexity: O(log n).
  func asksForSize(ofItem item: Int) -> Bool {
    let (group, slot) = item.quotientAndRemainder(dividingBy: slotCount)
    guard !self.group.asks(ofSlot: slot).isEmpty else { return false }
    let position = chunks.position(ofElement: group)
    let chunk = chunks[position]
    return chunk.restless.isEmpty || !chunk.isFrozen(item: (group - position.firstElement) * slotCount + slot)
  }

  /// The size of an item that was measured.
  func measuredSize(ofItem item: Int) -> MeasuredSize? {
    let position = chunks.position(ofElement: item / slotCount)
    return chunks[position].size(ofItem: item - position.firstElement * slotCount)
  }

  /// Everything that may be final is: what floats is so until it is settled or measured.
  var isSettled: Bool { true }

  /// Lets all groups up to the end of a stretch keep what is expected of them now.
  ///
  /// - Returns: that nothing moved.
  /// - Complexity: O(log n), and O(n / 32,768) when a chunk begins.
  mutating func settle(_ stretch: Range<Int>) -> Bool {
    guard floating > 0, !stretch.isEmpty else { return false }
    let end = min(length, stretch.upperBound)
    guard end > start(ofGroup: groupCount - floating) else { return false }
    freeze(through: group(atOffset: end - 1))
    return false
  }

  /// Takes the size that a cell asks for; only sides that the rules leave to the cell count.
  ///
  /// - Complexity: O(log n + ``MeasuredChunk/most``).
  mutating func setPreferredSize(width: Int, height: Int, ofItem item: Int) -> SizeVerdict {
    let (group, slot) = item.quotientAndRemainder(dividingBy: slotCount)
    let sides = self.group.asks(ofSlot: slot)
    guard !sides.isEmpty else { return .unchanged }
    let old = frame(ofItem: item)
    let lengthBefore = length
    let size = MeasuredSize(
      width: sides.contains(.width) ? width : old.width, height: sides.contains(.height) ? height : old.height)
    freeze(through: group)
    let leaf = isolate(group)
    let place = group - leaf.firstElement
    let (rules, count, flow, epoch) = (self.group, slotCount, flow, epoch)
    let change = chunks.update(leaf: leaf.leaf) { chunk in
      let before = chunk.measured
      let frames = chunk.frames(of: place, slotCount: count, flow: flow)
      let outcome = chunk.record(size, ofItem: place * count + slot, epoch: epoch)
      let placed = outcome == .same ? nil : chunk.place(place, by: rules)
      let after = chunk.measured
      return (
        outcome: outcome, hasMoved: frames != chunk.frames(of: place, slotCount: count, flow: flow),
        groups: after.groups - before.groups, length: after.length - before.length, placed: placed
      )
    }
    estimate.add(groups: change.groups, length: change.length)
    let hasBroadened = note(change.placed)
    followEstimate()
    switch change.outcome {
    case .frozen(let size): return .frozen(Double(size.side(flow)) / room.scale.pixelsPerPoint)
    case .same: return .unchanged
    case .taken: return change.hasMoved || hasBroadened || length != lengthBefore ? .changed : .unchanged
    }
  }

  /// Takes in how a group was placed, and tells whether the section reaches further or less far across now.
  mutating func note(_ placed: MeasuredSlots?) -> Bool {
    guard let placed else { return false }
    let old = breadth
    broadest = max(broadest ?? 0, placed.breadth)
    longest = max(longest ?? 0, placed.length)
    farthest = max(farthest, placed.reach)
    return breadth != old
  }

  // MARK: What is expected of the others

  /// Lets groups up to one, which were to follow the mean, keep what it is now.
  mutating func freeze(through group: Int) {
    let first = groupCount - floating
    guard group >= first else { return }
    let number = group - first + 1
    let leaf = chunks.leafCount - 1
    let template = chunks[leaf: leaf].template
    var kept: [MeasuredChunk] = []
    if leaf == 0 || !chunks[leaf: leaf - 1].canTake(number, as: template) {
      kept.append(MeasuredChunk(count: number, template: template))
    } else {
      chunks.update(leaf: leaf - 1) { $0.take(number, as: template) }
    }
    floating -= number
    if floating > 0 {
      chunks.update(leaf: leaf) { $0.append(-number) }
      if !kept.isEmpty { chunks.replaceLeaves(leaf..<leaf, with: kept) }
    } else {
      chunks.replaceLeaves(leaf..<(leaf + 1), with: kept)
    }
  }

  /// Gives a group a chunk that is short enough to hold measures.
  mutating func isolate(_ group: Int) -> SummedPosition {
    let position = chunks.position(ofElement: group)
    let chunk = chunks[position]
    guard chunk.count > MeasuredChunk.most else { return position }
    let first = (group - position.firstElement) / MeasuredChunk.most * MeasuredChunk.most
    let end = min(chunk.count, first + MeasuredChunk.most)
    let parts = [first, end - first, chunk.count - end].filter { $0 > 0 }
    chunks.replaceLeaves(
      position.leaf..<(position.leaf + 1), with: parts.map { MeasuredChunk(count: $0, template: chunk.template) })
    return chunks.position(ofElement: group)
  }

  /// Gives the groups that follow the mean the length that it is now.
  mutating func followEstimate() {
    guard floating > 0, chunks[leaf: chunks.leafCount - 1].template.level != estimate.level else { return }
    let template = expectedTemplate()
    chunks.update(leaf: chunks.leafCount - 1) { $0.setTemplate(template) }
  }

  /// A group of which nothing was measured, as long as is expected now.
  mutating func expectedTemplate() -> MeasuredTemplate {
    let template = template(level: estimate.level)
    farthest = max(farthest, template.slots.reach)
    return template
  }

  /// A group of which nothing was measured and that is expected to be as long as a level.
  ///
  /// What cells are asked for along the flow is taken longer or shorter in proportion.
  func template(level: Int) -> MeasuredTemplate {
    if level == initial.level { return initial }
    let share = Double(level) / Double(initial.level)
    let sizes = initial.slots.frames.map { frame in
      let length = Int((Double(frame.length(flow)) * share).rounded())
      return flow == .vertical
        ? MeasuredSize(width: frame.width, height: length) : MeasuredSize(width: length, height: frame.height)
    }
    let slots = group.solved(measured: { sizes[$0] }, atLeast: group.sharesLength ? level : 0)
    return MeasuredTemplate(level: level, slots: slots, spacing: initial.spacing, sizes: sizes)
  }
}
