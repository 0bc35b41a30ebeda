internal import Geometry

/// Finds which boxes a group has: how often lists are repeated, and what is in them.
///
/// That depends on estimates alone: a group keeps its number of places whatever its cells say later.
struct GroupBuilder {
  /// How many boxes are looked at, those that turn out not to fit counted with the others.
  private static let mostBoxes = 8 * CollectionLayoutGroup.mostPlaces

  private let room: SectionRoom
  private var slotCount = 0
  private var boxCount = 0

  private var isFull: Bool {
    slotCount >= CollectionLayoutGroup.mostPlaces || boxCount >= GroupBuilder.mostBoxes
  }

  private init(_ room: SectionRoom) { self.room = room }

  /// The boxes of the group that a section repeats.
  ///
  /// - Complexity: O(b) for b boxes, of which there are some ten thousand at most.
  static func boxes(of group: CollectionLayoutGroup, in room: SectionRoom) -> GroupBox {
    var builder = GroupBuilder(room)
    let longest = Double(SectionRoom.longest)
    var limit = Size(width: longest, height: longest)
    let container = Size(
      width: Double(room.pixelLength(.horizontal)), height: Double(room.pixelLength(.vertical)))
    let across = room.flow.cross
    if !room.isOpenAcross {
      limit[across] = max(1, container[across] - BoxMargins(group.edgeSpacing, in: room)[across].sum)
    }
    return builder.box(group, in: container, limit: limit)
  }

  private func pixels(_ dimension: CollectionLayoutDimension, in container: Size) -> Double {
    GroupBox.pixels(dimension, in: container, scale: room.scale.pixelsPerPoint)
  }

  /// - Parameters:
  ///   - container: what shares are shares of.
  ///   - limit: the longest that it may be.
  ///   - equal: the axis along which it is as long as its siblings, and how long.
  private mutating func box(
    _ subitem: any CollectionLayoutSubitem, in container: Size, limit: Size, equal: (axis: Axis, length: Double)? = nil
  ) -> GroupBox {
    subitem.contentInsets.demandUsable(of: "a layout subitem")
    boxCount += 1
    var estimate = Size.zero
    for axis in [Axis.horizontal, .vertical] {
      let length = equal?.axis == axis ? equal?.length : nil
      estimate[axis] = max(1, min(length ?? pixels(subitem.layoutSize[axis], in: container), limit[axis]))
    }
    var box = GroupBox(
      dimensions: subitem.layoutSize, equalAxis: equal?.axis, estimate: estimate, need: estimate,
      margins: BoxMargins(subitem.edgeSpacing, in: room),
      insets: BoxMargins(subitem.contentInsets, ignoring: subitem.layoutSize, in: room),
      supplementaryItems: subitem.supplementaryItems, slots: slotCount..<slotCount, content: .item)
    let first = slotCount
    if let group = subitem as? CollectionLayoutGroup {
      box.content = content(of: group, in: box)
    } else {
      slotCount += 1
    }
    box.slots = first..<slotCount
    box.findOwnNeed { _ in (nil, nil) }
    return box
  }

  private mutating func content(of group: CollectionLayoutGroup, in box: GroupBox) -> GroupBox.Content {
    var inner = Size.zero
    var limit = Size.zero
    for axis in [Axis.horizontal, .vertical] {
      inner[axis] = box.estimate[axis] - box.insets[axis].cut(to: box.estimate[axis]).sum
      limit[axis] = box.isAsked(axis) ? Double(SectionRoom.longest) : inner[axis]
    }
    let gap = Double(room.pixels(group.interItemSpacing?.points ?? 0))
    let gapIsFlexible = group.interItemSpacing?.isFlexible ?? false
    switch group.arrangement {
    case .custom(let provider):
      return .placed(placed(by: provider, in: inner))
    case .list(let axis, let subitems):
      let line = GroupLine(axis: axis, gap: gap, gapIsFlexible: gapIsFlexible, boxes: [])
      return .line(filled(line, with: subitems, inner: inner, limit: limit, isOpen: box.isAsked(axis)))
    case .repeating(let axis, let subitem, let count):
      let line = GroupLine(axis: axis, gap: gap, gapIsFlexible: gapIsFlexible, boxes: [])
      return .line(
        repeated(line, subitem, count: count, inner: inner, limit: limit, isOpen: box.isAsked(axis)))
    }
  }

  private mutating func placed(
    by provider: CollectionLayoutGroup.CustomItemProvider, in inner: Size
  ) -> [CollectionLayoutGroupCustomItem] {
    let scale = room.scale.pixelsPerPoint
    let size = Size(width: inner.width / scale, height: inner.height / scale)
    let given = provider(LayoutEnvironment(containerSize: size, scale: room.scale))
    // A group without a place would hold no item however often it was repeated.
    let items = given.isEmpty ? [.init(frame: Rect(origin: .zero, size: size))] : given
    let placed = Array(items.prefix(max(1, CollectionLayoutGroup.mostPlaces - slotCount)))
    slotCount += placed.count
    return placed
  }

  /// Walks the list again and again, until the next box would reach out of the line.
  ///
  /// An open line, which is as long as its cells say, has the whole list at least once.
  private mutating func filled(
    _ empty: GroupLine, with subitems: [any CollectionLayoutSubitem], inner: Size, limit: Size, isOpen: Bool
  ) -> GroupLine {
    var line = empty
    var end = 0.0
    // What a subitem takes of the line, once it is known: nothing is built in vain the second time round.
    var lengths: [Double] = []
    func fits(_ length: Double) -> Bool {
      let count = line.boxes.count
      let end = end + (count > 0 ? line.gap : 0) + length
      return count == 0 || PixelEdge.nearest(end) <= PixelEdge.nearest(inner[line.axis])
        || (isOpen && count < subitems.count)
    }
    while line.boxes.isEmpty || !isFull {
      let place = line.boxes.count % subitems.count
      if place < lengths.count, !fits(lengths[place]) { break }
      let before = slotCount
      let box = box(subitems[place], in: inner, limit: limit)
      let length = box.margins[line.axis].sum + box.need[line.axis]
      if place == lengths.count { lengths.append(length) }
      guard fits(length) else {
        slotCount = before
        break
      }
      end += (line.boxes.isEmpty ? 0 : line.gap) + length
      line.boxes.append(box)
    }
    return line
  }

  /// Shares the line out; where it is as long as its cells say, and the subitem is too, that stays as it is.
  private mutating func repeated(
    _ empty: GroupLine, _ subitem: any CollectionLayoutSubitem, count: Int, inner: Size, limit: Size, isOpen: Bool
  ) -> GroupLine {
    var line = empty
    let margins = BoxMargins(subitem.edgeSpacing, in: room)[line.axis].sum
    // Fewer where not even a pixel is left for each.
    let most = isOpen ? count : Int((inner[line.axis] + line.gap) / (1 + margins + line.gap))
    let count = max(1, min(count, most, CollectionLayoutGroup.mostPlaces))
    let room = inner[line.axis] - line.gap * Double(count - 1) - margins * Double(count)
    let keepsOwn = isOpen && subitem.layoutSize[line.axis].isEstimated
    for _ in 0..<count where line.boxes.isEmpty || !isFull {
      line.boxes.append(
        box(
          subitem, in: inner, limit: limit,
          equal: keepsOwn ? nil : (line.axis, max(1, room / Double(count)))))
    }
    return line
  }
}
