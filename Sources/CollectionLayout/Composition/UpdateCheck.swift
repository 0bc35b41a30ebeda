internal import DataStructures

/// Whether an update can be one of the items that a layout was solved for.
struct UpdateCheck {
  private let update: LayoutUpdate
  private let former: ItemCounts

  init(_ update: LayoutUpdate, from former: ItemCounts) {
    self.update = update
    self.former = former
  }

  /// Stops the program with a sentence that names the contradiction, if there is one.
  ///
  /// - Complexity: O(e) for e ranges of edits, and O(s) where sections came, went or moved.
  func demandConsistent() {
    demandSections()
    var growth = 0
    var last = -1
    for edit in update.edits {
      checkPrecondition(
        (0..<update.counts.numberOfSections).contains(edit.section),
        "An update edits section \(edit.section) of \(update.counts.numberOfSections).")
      checkPrecondition(
        edit.section > last, "An update names the edits of section \(edit.section) behind those of \(last).")
      last = edit.section
      let before = formerCount(of: edit.section)
      let after = update.counts.items(inSection: edit.section).count
      demandRanges(edit.removals, within: before, "removes", edit.section)
      demandRanges(edit.insertions, within: after, "inserts", edit.section)
      demandRanges(edit.changes, within: after, "changes", edit.section)
      demandGrowth(of: edit.section, from: before, by: edit.growth, to: after)
      growth += edit.growth
    }
    guard update.formerSections == nil else { return demandOthersStayed() }
    checkPrecondition(
      former.total + growth == update.counts.total,
      "There were \(former.total) items and an update's edits add \(growth), but it counts \(update.counts.total).")
  }

  private func formerCount(of section: Int) -> Int {
    guard let formerSections = update.formerSections else { return former.items(inSection: section).count }
    return formerSections[section].map { former.items(inSection: $0).count } ?? 0
  }

  private func demandSections() {
    guard let formerSections = update.formerSections else {
      checkPrecondition(
        former.numberOfSections == update.counts.numberOfSections,
        "There were \(former.numberOfSections) sections and an update counts \(update.counts.numberOfSections), but"
          + " names no sections that came or went.")
      return
    }
    checkPrecondition(
      formerSections.count == update.counts.numberOfSections,
      "An update counts \(update.counts.numberOfSections) sections and says of \(formerSections.count) which they were."
    )
    var isTaken = [Bool](repeating: false, count: former.numberOfSections)
    for case let place? in formerSections {
      checkPrecondition(
        isTaken.indices.contains(place), "An update names section \(place) of \(former.numberOfSections) before.")
      checkPrecondition(!isTaken[place], "An update says of two sections that they were section \(place).")
      isTaken[place] = true
    }
  }

  /// Sections that stayed and have no edits have as many items as before.
  private func demandOthersStayed() {
    guard let formerSections = update.formerSections else { return }
    var edits = update.edits[...]
    for (section, place) in formerSections.enumerated() {
      if edits.first?.section == section {
        edits = edits.dropFirst()
      } else if let place {
        demandGrowth(
          of: section, from: former.items(inSection: place).count, by: 0,
          to: update.counts.items(inSection: section).count)
      }
    }
  }

  private func demandGrowth(of section: Int, from before: Int, by growth: Int, to after: Int) {
    // A new section may come with its items and without edits.
    if growth == 0, before == 0, update.formerSections?[section] == .some(nil) { return }
    checkPrecondition(
      before + growth == after,
      "Section \(section) had \(before) items and an update's edits add \(growth), but it counts \(after).")
  }

  private func demandRanges(_ ranges: [Range<Int>], within count: Int, _ verb: String, _ section: Int) {
    var end = 0
    for range in ranges {
      checkPrecondition(
        range.lowerBound >= end && range.upperBound <= count,
        "An update \(verb) places \(range) of section \(section), which do not ascend within its \(count) items.")
      end = range.upperBound
    }
  }
}
