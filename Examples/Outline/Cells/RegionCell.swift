import ExampleSupport
import Geometry
import Rendering
import Views

/// A region: an indicator that turns when it is expanded, its name, and how many destinations it has.
final class RegionCell: OutlineCell {
  private let disclosure = DisclosureView()
  private let name = Label(style: OutlineStyle.regionStyle, color: .white)
  private let count = Label(style: OutlineStyle.detailStyle, color: .white, alignment: .trailing)

  required init() {
    super.init()
    for view in [disclosure, name, count] { addSubview(view) }
    themeDidChange()
  }

  /// Shows a region.
  func show(_ region: Region, angle: Double) {
    name.text = region.id
    count.text = "\(region.destinations.count)"
    disclosure.angle = angle
  }

  override func themeDidChange() {
    super.themeDidChange()
    name.color = theme.primaryText
    count.color = theme.secondaryText
    disclosure.tint = theme.secondaryText
  }

  override func layoutSubviews() {
    guard let resources = window?.resources else { return }
    let (inset, side) = (OutlineStyle.inset, 16.0)
    disclosure.frame = Rect(x: inset, y: ((bounds.height - side) / 2).rounded(), width: side, height: side)
    let drop = OutlineStyle.drop(of: OutlineStyle.detailStyle, beside: OutlineStyle.regionStyle, in: resources)
    count.frame = Rect(x: bounds.width - inset - 48, y: drop, width: 48, height: bounds.height)
    let start = OutlineStyle.indent
    name.frame = Rect(x: start, y: 0, width: max(0, count.frame.minX - start - inset), height: bounds.height)
  }
}
