import Geometry

@testable import CollectionLayout

/// Lets tests solve groups at a pixel a point and look at the result as a picture.
enum GroupDrawing {
  static func room(
    _ width: Double, _ height: Double, flow: Axis = .vertical, scale: Double = 1, spacing: Double = 0
  ) -> SectionRoom {
    SectionRoom(
      size: Size(width: width, height: height), flow: flow, scale: DisplayScale(pixelsPerPoint: scale),
      interGroupSpacing: spacing)
  }

  /// The places of one group.
  static func picture(
    _ group: CollectionLayoutGroup, _ width: Int, _ height: Int, flow: Axis = .vertical,
    measured: GroupBox.Measured = { _ in (nil, nil) }
  ) -> String {
    let template = GroupSolver.solve(
      group, in: room(Double(width), Double(height), flow: flow), measured: measured)
    return CollectionLayoutTests.picture(
      of: template.slots.map(\.frame), width: flow == .horizontal ? template.width : width,
      height: flow == .vertical ? template.height : height)
  }

  /// The items of a section, and its views under the names that are given them.
  static func picture(
    _ body: any SectionBody, _ width: Int, _ height: Int, views: [String: Character] = [:]
  ) -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
    var frames = (0..<body.itemCount).map { (letters[$0 % letters.count], body.frame(ofItem: $0)) }
    var list: [BodySupplementary] = []
    body.appendSupplementaries(of: 0..<body.itemCount, to: &list)
    frames += list.map { (views[$0.kind] ?? "?", $0.frame) }
    return CollectionLayoutTests.picture(of: frames, width: width, height: height)
  }

  /// Points, or a share of the container along the same axis.
  static func item(
    _ width: CollectionLayoutDimension, _ height: CollectionLayoutDimension,
    edges: CollectionLayoutEdgeSpacing? = nil, insets: DirectionalInsets = .zero,
    views: [CollectionLayoutSupplementaryItem] = []
  ) -> CollectionLayoutItem {
    var item = CollectionLayoutItem(layoutSize: .init(width: width, height: height), supplementaryItems: views)
    item.edgeSpacing = edges
    item.contentInsets = insets
    return item
  }
}

extension CollectionLayoutSize {
  /// All of the container.
  static let full = CollectionLayoutSize(width: .fractionalWidth(1), height: .fractionalHeight(1))
  /// All of the container's width, and so many points.
  static func high(_ points: Double) -> CollectionLayoutSize {
    .init(width: .fractionalWidth(1), height: .absolute(points))
  }
}
