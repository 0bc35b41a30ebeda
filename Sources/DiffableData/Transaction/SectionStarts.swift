/// Where each section begins when the items of all sections are one list.
struct SectionStarts {
  /// The first index of each section, and the number of all items behind them.
  private var starts: [Int] = [0]

  init(_ counts: [Int]) {
    starts.reserveCapacity(counts.count + 1)
    var start = 0
    for count in counts {
      start += count
      starts.append(start)
    }
  }

  func count(ofSection section: Int) -> Int { starts[section + 1] - starts[section] }

  func offset(of place: ItemPosition) -> Int { starts[place.section] + place.item }
}
