internal import DataStructures

/// Updates where a group has more than one item: items shift between groups, and their sizes with them.
extension MeasuredBody {
  /// An item that was measured, at its place in the section.
  private struct Moved {
    let place: Int
    let size: MeasuredSize
    let restless: RestlessItem?
  }

  /// Takes edits in, and places every measured group anew from the chunk of the first edit on.
  mutating func reflow(_ edits: SectionEdits) {
    let newCount = itemCount + edits.growth
    defer { itemCount = newCount }
    guard let first = MeasuredBody.firstPlace(of: edits) else { return }
    let newGroups = (newCount + slotCount - 1) / slotCount
    guard groupCount > 0 else { return newGroups > 0 ? appendFloating(newGroups) : () }
    let leaf = chunks.position(ofElement: first / slotCount).leaf
    let firstGroup = chunks.position(ofLeaf: leaf).firstElement
    let moved = measured(from: leaf, after: edits)
    for old in leaf..<chunks.leafCount { count(out: chunks[leaf: old].measured) }

    var runs = (leaf..<chunks.leafCount).map {
      MeasuredChunk(count: chunks[leaf: $0].count, template: chunks[leaf: $0].template)
    }
    resize(&runs, by: newGroups - groupCount)
    if let last = moved.last { keepMeasured(&runs, through: last.place / slotCount, of: newGroups) }
    let built = built(runs, from: firstGroup, holding: moved)
    for chunk in built { count(in: chunk.measured) }
    chunks.replaceLeaves(leaf..<chunks.leafCount, with: built)
  }

  /// The items that were measured from a chunk on, as many as stay, at their new places.
  private func measured(from leaf: Int, after edits: SectionEdits) -> [Moved] {
    var moved: [Moved] = []
    var places = ShiftedPlaces(edits)
    var firstItem = chunks.position(ofLeaf: leaf).firstElement * slotCount
    for leaf in leaf..<chunks.leafCount {
      let chunk = chunks[leaf: leaf]
      var restless = chunk.restless[...]
      for item in chunk.sizes {
        var mind: RestlessItem?
        if restless.first?.place == item.place { mind = restless.popFirst() }
        guard let place = places.place(after: firstItem + Int(item.place)) else { continue }
        moved.append(Moved(place: place, size: item.size, restless: mind))
      }
      firstItem += chunk.count * slotCount
    }
    return moved
  }

  /// Makes the last of some runs longer or shorter.
  private mutating func resize(_ runs: inout [MeasuredChunk], by growth: Int) {
    if growth > 0 {
      if floating > 0, let last = runs.indices.last {
        runs[last].append(growth)
      } else {
        runs.append(MeasuredChunk(count: growth, template: expectedTemplate()))
      }
      floating += growth
    }
    var surplus = max(0, -growth)
    floating = max(0, floating - surplus)
    while surplus > 0, let last = runs.indices.last {
      let part = min(surplus, runs[last].count)
      surplus -= part
      if part == runs[last].count { runs.removeLast() } else { runs[last].append(-part) }
    }
  }

  /// Lets the groups that float begin behind the last one in which an item was measured.
  private mutating func keepMeasured(_ runs: inout [MeasuredChunk], through group: Int, of groups: Int) {
    let kept = group + 1 - (groups - floating)
    guard kept > 0, let last = runs.indices.last else { return }
    floating -= kept
    runs.insert(MeasuredChunk(count: kept, template: runs[last].template), at: last)
    if floating > 0 { runs[last + 1].append(-kept) } else { runs.removeLast() }
  }

  /// Chunks of some runs with what was measured in them.
  private mutating func built(_ runs: [MeasuredChunk], from firstGroup: Int, holding moved: [Moved]) -> [MeasuredChunk]
  {
    var built: [MeasuredChunk] = []
    var rest = moved[...]
    var start = firstGroup
    for (index, run) in runs.enumerated() {
      let end = start + run.count
      let floats = floating > 0 && index == runs.count - 1
      while start < end {
        // Up to the window of the next item that was measured nothing is known.
        let next = rest.first.map { $0.place / slotCount } ?? end
        let skipped = min(end, next) - start
        let blank =
          next < end && run.count > MeasuredChunk.most
          ? skipped / MeasuredChunk.most * MeasuredChunk.most : next < end ? 0 : skipped
        if blank > 0 {
          if !floats, let last = built.last, last.isBlank, last.template == run.template {
            built[built.count - 1].append(blank)
          } else {
            built.append(MeasuredChunk(count: blank, template: run.template))
          }
          start += blank
          continue
        }
        var chunk = MeasuredChunk(count: min(MeasuredChunk.most, end - start), template: run.template)
        hold(&rest, in: &chunk, from: start)
        built.append(chunk)
        start += chunk.count
      }
    }
    return built
  }

  /// Takes what was measured in a chunk that begins at a group into it.
  private mutating func hold(_ moved: inout ArraySlice<Moved>, in chunk: inout MeasuredChunk, from start: Int) {
    let firstItem = start * slotCount
    var groups: [Int] = []
    while let item = moved.first, item.place < firstItem + chunk.count * slotCount {
      moved.removeFirst()
      let place = item.place - firstItem
      chunk.sizes.append(ItemSize(place: Int32(place), size: item.size))
      if var restless = item.restless {
        restless.place = Int32(place)
        chunk.restless.append(restless)
      }
      if groups.last != place / slotCount { groups.append(place / slotCount) }
    }
    for place in groups { _ = note(chunk.place(place, by: group)) }
  }
}
