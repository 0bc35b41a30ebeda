internal import Geometry

extension GroupBox {
  /// The sizes that cells said, in pixels; nothing for a side that is not known yet.
  typealias Measured = (_ slot: Int) -> (width: Int?, height: Int?)

  /// Finds how long all boxes have to be along the axes where cells are asked.
  ///
  /// - Complexity: O(b) for b boxes.
  mutating func findNeeds(_ measured: Measured) {
    if case .line(var line) = content {
      // Held by the line alone, its boxes are changed in place.
      content = .item
      for index in line.boxes.indices { line.boxes[index].findNeeds(measured) }
      content = .line(line)
    }
    findOwnNeed(measured)
  }

  /// Finds how long the box has to be, from boxes within it that know.
  mutating func findOwnNeed(_ measured: Measured) {
    need = estimate
    switch content {
    case .item:
      let size = measured(slots.lowerBound)
      takeNeed(.horizontal, size.width.map(Double.init) ?? estimate.width)
      takeNeed(.vertical, size.height.map(Double.init) ?? estimate.height)
    case .placed: break
    case .line(var line):
      content = .item
      line.shareNeeds(.horizontal)
      line.shareNeeds(.vertical)
      takeNeed(.horizontal, line.need(.horizontal, estimate: estimate.width))
      takeNeed(.vertical, line.need(.vertical, estimate: estimate.height))
      content = .line(line)
    }
  }

  private mutating func takeNeed(_ axis: Axis, _ length: Double) {
    if isAsked(axis) { need[axis] = min(max(1, length), Double(SectionRoom.longest)) }
  }
}

extension GroupLine {
  /// Gives all boxes that are uniform along an axis what the largest of them needs.
  fileprivate mutating func shareNeeds(_ axis: Axis) {
    guard boxes.contains(where: { $0.isUniform(axis) }) else { return }
    let largest = boxes.reduce(0) { $1.isUniform(axis) ? max($0, $1.need[axis]) : $0 }
    for index in boxes.indices where boxes[index].isUniform(axis) { boxes[index].need[axis] = largest }
  }
}
