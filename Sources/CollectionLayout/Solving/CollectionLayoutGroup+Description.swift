public import Geometry

extension CollectionLayoutGroup {
  /// The group drawn in characters, for people who look for a mistake.
  ///
  /// Each cell's place is a box with its number, counted from 0, in the order in which items take them. The drawing
  /// is 65 characters wide or high, whatever the group's size. Lines follow with the frame of each place and of each supplementary
  /// view in points.
  ///
  /// - Parameter container: the room of the section, in points; what shares are shares of.
  /// - Complexity: O(k) for k places.
  public func visualDescription(in container: Size = Size(width: 640, height: 640)) -> String {
    let room = SectionRoom(
      size: LayoutEnvironment(containerSize: container).containerSize, flow: .vertical, scale: .one,
      interGroupSpacing: 0, isOpenAcross: true)
    let template = GroupSolver.solve(self, in: room)
    var lines = ["group \(template.width) x \(template.height), places: \(template.slots.count)"]
    lines += GroupPicture(template, longest: 64).lines
    for (index, slot) in template.slots.enumerated() {
      let asks = [slot.asksForWidth ? "width" : nil, slot.asksForHeight ? "height" : nil].compactMap { $0 }
      let estimate = asks.isEmpty ? "" : ", estimated \(asks.joined(separator: " and "))"
      lines.append("\(index): \(slot.frame.words)\(slot.zIndex == 0 ? "" : ", z \(slot.zIndex)")\(estimate)")
    }
    for view in template.supplementaries {
      let owner =
        view.slots.count == 1 ? "\(view.slots.lowerBound)" : "\(view.slots.lowerBound)-\(view.slots.upperBound - 1)"
      lines.append("\(view.kind) of \(owner): \(view.frame.words), z \(view.zIndex)")
    }
    return lines.joined(separator: "\n")
  }
}

extension PixelFrame {
  fileprivate var words: String { "\(minX), \(minY), \(width) x \(height)" }
}
