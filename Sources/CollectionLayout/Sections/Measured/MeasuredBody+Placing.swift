internal import DataStructures
internal import Geometry

extension MeasuredBody {
  /// To place an item of a group costs about as much as to break this many into justified rows.
  private static let weight = 4

  /// Everything that may be final is: what floats is so until it is settled or measured.
  var isSettled: Bool { stale.isEmpty }

  /// Places the groups in a stretch by the items that they hold; all up to its end keep what is expected of them now.
  ///
  /// - Complexity: O(log n + g + ``MeasuredChunk/most``) for g groups in the stretch, and O(n / 32,768) where a chunk
  ///   begins.
  mutating func settle(_ stretch: Range<Int>) -> Bool {
    let seen = stretch.clamped(to: 0..<max(1, length))
    guard itemCount > 0, !seen.isEmpty else { return false }
    // A view is seen whose item is not.
    let first = group(atOffset: max(0, seen.lowerBound - farthest))
    let last = group(atOffset: min(length, seen.upperBound + farthest) - 1)
    freeze(through: group(atOffset: seen.upperBound - 1))
    return settle(groups: first..<(last + 1))
  }

  /// Places groups by the items that they hold.
  ///
  /// - Returns: whether any item moved or the length changed.
  mutating func settle(groups: Range<Int>) -> Bool {
    var left = Int.max
    return place(staleIn: groups, atMost: &left)
  }

  /// - Complexity: That of a number of items, O(log n) for each chunk of groups of which no item was measured, and
  ///   O(``MeasuredChunk/most``).
  mutating func refine(atMost items: Int) -> Bool {
    var left = max(1, items / (slotCount * MeasuredBody.weight))
    return place(staleIn: 0..<groupCount, atMost: &left)
  }

  /// Places a group by the items that it holds.
  mutating func place(_ group: Int) {
    let position = chunks.isolate(group)
    let place = group - position.firstElement
    _ = self.place(place..<(place + 1), in: position)
    stale.remove(group..<(group + 1))
  }

  private mutating func place(staleIn groups: Range<Int>, atMost left: inout Int) -> Bool {
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

  /// Places the first of some groups, those of one chunk.
  ///
  /// - Returns: where those begin that were not looked at, how many were placed, and whether any moved.
  private mutating func placeFirst(
    of groups: Range<Int>, atMost most: Int
  ) -> (end: Int, placed: Int, hasMoved: Bool) {
    var first = groups.lowerBound
    var position = chunks.position(ofElement: first)
    if chunks[position].isBlank {
      // Nothing changes before the next item that was measured.
      let end = min(groups.upperBound, position.firstElement + chunks[position].count)
      guard let next = sizes.firstItem(from: first * slotCount), next < end * slotCount else { return (end, 0, false) }
      first = max(first, next / slotCount)
      position = chunks.isolate(first)
    }
    let end = min(groups.upperBound, position.firstElement + chunks[position].count)
    let places = (first - position.firstElement)..<(end - position.firstElement)
    let some = places.prefix(most)
    let hasMoved = place(some, in: position)
    if chunks[leaf: position.leaf].isBlank { join(around: position.leaf) }
    return (position.firstElement + some.upperBound, some.count, hasMoved)
  }

  /// Places groups of a chunk by what is known of their items now.
  ///
  /// - Returns: whether any moved.
  private mutating func place(_ places: Range<Int>, in position: SummedPosition) -> Bool {
    let first = (position.firstElement + places.lowerBound) * slotCount
    let known = sizes.sizes(ofItems: first..<(first + places.count * slotCount))
    let template = chunks[position].template
    let breadthBefore = breadth
    var placed = PlacedGroups()
    for place in places {
      let slots = (place - places.lowerBound) * slotCount
      guard known[slots..<(slots + slotCount)].contains(where: { $0 != nil }) else { continue }
      let solved = group.solved(
        measured: { known[slots + $0] ?? template.placedSize(ofSlot: $0) }, atLeast: 0)
      placed.append(place, solved, isRow: group.isRow)
      broadest = max(broadest ?? 0, solved.breadth)
      longest = max(longest ?? 0, solved.length)
      farthest = max(farthest, solved.reach)
    }
    let change = chunks.update(leaf: position.leaf) { chunk in
      let before = chunk.measured
      let hasMoved = chunk.setGroups(places, to: placed)
      let after = chunk.measured
      return (hasMoved: hasMoved, groups: after.groups - before.groups, length: after.length - before.length)
    }
    estimate.add(groups: change.groups, length: change.length)
    return change.hasMoved || breadth != breadthBefore
  }
}
