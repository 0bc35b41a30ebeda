import VitrineGeometry
import VitrineRendering
import VitrineViews

/// A bar at the lower edge of the viewer with the name, the position and the size of the picture, and its magnification.
final class ViewerBar: View, ThemedView {
  /// The number of steps of the slider.
  static let stepCount = 41
  private static let sliderWidth = 140.0
  private static let percentWidth = 56.0
  private static let spacing = 16.0
  /// The width that is left to the name and the details before there is another button beside that of the menu.
  private static let textWidth = 320.0
  /// The width of the space between buttons, from the beginning of one to that of the next.
  private static let buttonStep = BarButton.height + 8
  /// The width from which there is a slider.
  private static let minimumWidthForSlider = 640.0

  /// The buttons that return to the photographs, and that show the previous and the next picture.
  let backButton: BarButton
  let previousButton: BarButton
  let nextButton: BarButton
  /// The buttons of what else can be done with the picture; the last one opens the menu of everything.
  let compareButton: BarButton
  let rotateButton: BarButton
  let filmStripButton: BarButton
  let informationButton: BarButton
  let slideShowButton: BarButton
  let menuButton: BarButton
  /// The slider of the magnification, from the whole picture to the largest magnification.
  let slider: Slider
  private let nameLabel: Label
  private let detailsLabel: Label
  private let percentLabel: Label

  /// The colors.
  var theme: Theme {
    didSet { updateColors() }
  }
  /// The opacity of the bar, 0 to 1.
  var opacity = 1.0 {
    didSet { updateColors() }
  }

  /// Creates a bar.
  init(theme: Theme) {
    self.theme = theme
    backButton = BarButton(icon: SharedIcon(.back), toolTip: "Back to the photographs (Esc)", theme: theme)
    previousButton = BarButton(icon: SharedIcon(.previous), toolTip: "Previous picture (←)", theme: theme)
    nextButton = BarButton(icon: SharedIcon(.next), toolTip: "Next picture (→)", theme: theme)
    compareButton = BarButton(
      icon: SharedIcon(.compare), toolTip: "Compare with the next picture (C)", theme: theme)
    rotateButton = BarButton(icon: SharedIcon(.rotate), toolTip: "Rotate right (R)", theme: theme)
    filmStripButton = BarButton(icon: SharedIcon(.filmStrip), toolTip: "Film strip (T)", theme: theme)
    informationButton = BarButton(icon: SharedIcon(.information), toolTip: "Information (I)", theme: theme)
    slideShowButton = BarButton(icon: SharedIcon(.play), toolTip: "Slide show (F8)", theme: theme)
    menuButton = BarButton(icon: SharedIcon(.menu), toolTip: "Menu", theme: theme)
    slider = Slider(theme: theme)
    slider.stepCount = ViewerBar.stepCount
    slider.toolTip = "Zoom"
    nameLabel = Label(style: Theme.titleStyle, color: .white)
    detailsLabel = Label(style: Theme.detailStyle, color: .white, alignment: .trailing)
    percentLabel = Label(style: Theme.detailStyle, color: .white, alignment: .trailing)
    super.init()
    isUserInteractionEnabled = false
    nameLabel.lineBreakMode = .byTruncatingMiddle
    for view in [nameLabel, detailsLabel, percentLabel] { addSubview(view) }
    for control in controls { addSubview(control) }
    updateColors()
  }

  private var controls: [Control] { [backButton, previousButton, nextButton, slider] + actions }

  /// The buttons at the trailing edge.
  private var actions: [BarButton] {
    [compareButton, rotateButton, filmStripButton, informationButton, slideShowButton, menuButton]
  }

  private var hasSlider: Bool { bounds.width >= ViewerBar.minimumWidthForSlider }

  /// The buttons at the trailing edge for which there is room; the menu has what the others do.
  private var visibleActions: [BarButton] {
    let zoom = hasSlider ? ViewerBar.percentWidth + ViewerBar.sliderWidth + ViewerBar.spacing + 4 : 0
    let room = bounds.width - Metrics.margin - 4 * ViewerBar.buttonStep - zoom - ViewerBar.textWidth
    return actions.suffix(1 + min(actions.count - 1, max(0, Int(room / ViewerBar.buttonStep))))
  }

  private func updateColors() {
    nameLabel.textColor = theme.primaryText.opacity(opacity)
    detailsLabel.textColor = theme.secondaryText.opacity(opacity)
    percentLabel.textColor = theme.secondaryText.opacity(opacity)
    backgroundColor = theme.viewerBar.opacity(opacity)
    // Controls cannot fade.
    for control in controls {
      control.theme = theme
      control.isHidden = opacity < 1
    }
    if !slider.isEnabled || !hasSlider { slider.isHidden = true }
    for button in actions.dropLast(visibleActions.count) { button.isHidden = true }
  }

  /// Shows the name of the picture, and its position and size.
  func show(name: String, details: String) {
    guard name != nameLabel.text || details != detailsLabel.text else { return }
    nameLabel.text = name
    detailsLabel.text = details
    setNeedsLayout()
  }

  /// Shows a magnification.
  ///
  /// - Parameters:
  ///   - percent: The magnification in percent, or nil if the picture cannot be enlarged.
  ///   - step: The step of the slider.
  func showMagnification(percent: Int?, step: Int) {
    slider.step = step
    percentLabel.text = percent.map { "\($0) %" } ?? ""
    guard slider.isEnabled != (percent != nil) else { return }
    slider.isEnabled = percent != nil
    updateColors()
  }

  override func layoutSubviews() {
    updateColors()
    let side = BarButton.height
    var end = bounds.width - Metrics.margin / 2
    for button in visibleActions.reversed() {
      button.frame = Rect(x: end - side - 4, y: ((bounds.height - side) / 2).rounded(), width: side + 4, height: side)
      end -= side + 8
    }
    end -= ViewerBar.spacing / 2
    percentLabel.isHidden = !hasSlider
    if hasSlider {
      percentLabel.frame = Rect(
        x: end - ViewerBar.percentWidth, y: 0, width: ViewerBar.percentWidth, height: bounds.height)
      end -= ViewerBar.percentWidth + 4
      slider.frame = Rect(x: end - ViewerBar.sliderWidth, y: 0, width: ViewerBar.sliderWidth, height: bounds.height)
      end -= ViewerBar.sliderWidth + ViewerBar.spacing
    }
    var start = Metrics.margin / 2
    for button in [backButton, previousButton, nextButton] {
      button.frame = Rect(x: start, y: ((bounds.height - side) / 2).rounded(), width: side + 4, height: side)
      start += side + 8
    }
    start += 4
    let inner = max(0, end - start)
    let preferredWidth = window.map { detailsLabel.measuredWidth(in: $0.resources) + 1 } ?? 0
    let nameWidth = window.map { nameLabel.measuredWidth(in: $0.resources) + 1 } ?? 0
    // In a narrow window the name has precedence, if it needs the room.
    let room = max(inner * 0.6, inner - nameWidth - ViewerBar.spacing)
    let detailsWidth = preferredWidth <= room ? preferredWidth : 0
    detailsLabel.isHidden = detailsWidth == 0
    detailsLabel.frame = Rect(x: end - detailsWidth, y: 0, width: detailsWidth, height: bounds.height)
    nameLabel.frame = Rect(
      x: start, y: 0, width: max(0, inner - detailsWidth - (detailsWidth > 0 ? ViewerBar.spacing : 0)),
      height: bounds.height)
  }
}
