internal import DataStructures
internal import Geometry

extension MeasuredBody {
  /// Whether an item's cell is asked for the size that it prefers: the rules say so, and it was not frozen.
  ///
  /// - Complexity: O(log n).
  func asksForSize(ofItem item: Int) -> Bool {
    !group.asks(ofSlot: item % slotCount).isEmpty && !sizes.isFrozen(item: item)
  }

  /// Takes the size that a cell asks for; only sides that the rules leave to the cell count.
  ///
  /// - Complexity: O(log n + ``MeasuredChunk/most``).
  mutating func setPreferredSize(width: Int, height: Int, ofItem item: Int) -> SizeVerdict {
    let (group, slot) = item.quotientAndRemainder(dividingBy: slotCount)
    let sides = self.group.asks(ofSlot: slot)
    guard !sides.isEmpty else { return .unchanged }
    let before = (frames: frames(ofGroup: group), length: length, breadth: breadth)
    if stale.contains(group) { place(group) }
    let old = frame(ofItem: item)
    let size = MeasuredSize(
      width: sides.contains(.width) ? width : old.width, height: sides.contains(.height) ? height : old.height)
    freeze(through: group)
    let outcome = sizes.record(size, ofItem: item, epoch: epoch)
    if outcome != .same { place(group) }
    followEstimate()
    if case .frozen(let size) = outcome { return .frozen(Double(size.side(flow)) / room.scale.pixelsPerPoint) }
    return before == (frames(ofGroup: group), length, breadth) ? .unchanged : .changed
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
    if leaf > 0, canFollow(leaf - 1, number, as: template) {
      chunks.update(leaf: leaf - 1) { chunk in
        chunk.setTemplate(template)
        chunk.append(number)
      }
    } else {
      kept.append(MeasuredChunk(count: number, template: template))
    }
    floating -= number
    if floating > 0 {
      chunks.update(leaf: leaf) { $0.append(-number) }
      if !kept.isEmpty { chunks.replaceLeaves(leaf..<leaf, with: kept) }
    } else {
      chunks.replaceLeaves(leaf..<(leaf + 1), with: kept)
    }
  }

  /// Whether groups of which nothing is known, with a template, may join a chunk without changing any length.
  private func canFollow(_ leaf: Int, _ number: Int, as template: MeasuredTemplate) -> Bool {
    let chunk = chunks[leaf: leaf]
    guard chunk.isBlank || chunk.count + number <= MeasuredChunk.most else { return false }
    return chunk.template == template || isComplete(leaf)
  }

  /// Whether the template of a chunk stands for nothing: all its items were measured, and all its groups placed so.
  func isComplete(_ leaf: Int) -> Bool {
    let position = chunks.position(ofLeaf: leaf)
    let chunk = chunks[position]
    guard chunk.isFull else { return false }
    let first = position.firstElement * slotCount
    let end = first + chunk.count * slotCount
    return sizes.count(in: first..<end) == end - first
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
