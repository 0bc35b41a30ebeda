import VitrineGeometry
import VitrineRendering
import VitrineViews

/// The bar above the photographs: buttons, the path of the folder, the texts of the ``TitleBar``, the search field and the
/// slider for the size.
///
/// It only lays out its controls. In a narrow window the slider is hidden first, then the path and the search field,
/// which a button shows instead of the texts.
final class HeaderBar: View, ThemedView {
  /// The widths of the bar from which it has space for its parts.
  private static let least = (crumbs: 960.0, slider: 860.0, field: 760.0)
  private static let buttonSize = Size(width: 36, height: BarButton.height)
  private static let spacing = 2.0
  private static let edge = 8.0

  /// The colors.
  var theme: Theme {
    didSet { for crumb in crumbs { crumb.arrow.tint = theme.tertiaryText } }
  }
  /// The texts and the progress.
  let titleBar: TitleBar
  /// The buttons before the texts.
  let leadingButtons: [BarButton]
  /// The buttons at the end, for menus.
  let menuButtons: [BarButton]
  /// The search field.
  let searchField: SearchField
  /// The button that shows the search field if there is no space for it.
  let searchButton: BarButton
  /// The slider for the size of the photographs.
  let slider: Slider
  /// The buttons of the folders above the one that is shown.
  private(set) var crumbs: [Crumb] = []
  /// Whether the search field is shown although there is no space for it beside the texts.
  var isSearchExpanded = false {
    didSet { if isSearchExpanded != oldValue { setNeedsLayout() } }
  }

  /// A folder of the path, followed by an arrow.
  struct Crumb {
    let button: BarButton
    let arrow: IconView
  }

  /// Creates a bar with its controls.
  init(
    titleBar: TitleBar, leadingButtons: [BarButton], menuButtons: [BarButton], searchField: SearchField,
    searchButton: BarButton, slider: Slider
  ) {
    theme = titleBar.theme
    self.titleBar = titleBar
    self.leadingButtons = leadingButtons
    self.menuButtons = menuButtons
    self.searchField = searchField
    self.searchButton = searchButton
    self.slider = slider
    super.init()
    addSubview(titleBar)
    for button in leadingButtons + menuButtons { addSubview(button) }
    addSubview(slider)
    addSubview(searchButton)
    addSubview(searchField)
  }

  /// Replaces the buttons of the path.
  func setCrumbs(_ crumbs: [Crumb]) {
    for crumb in self.crumbs {
      crumb.button.removeFromSuperview()
      crumb.arrow.removeFromSuperview()
    }
    self.crumbs = crumbs
    for crumb in crumbs {
      addSubview(crumb.button)
      addSubview(crumb.arrow)
    }
    setNeedsLayout()
  }

  /// All controls that can be pressed now, in reading order.
  var controls: [Control] {
    let all: [Control] =
      leadingButtons + crumbs.map(\.button) + [searchButton, searchField, slider] + menuButtons
    return all.filter { !$0.isHidden && $0.isEnabled }
  }

  override func layoutSubviews() {
    let resources = window?.resources
    let top = ((bounds.height - HeaderBar.buttonSize.height) / 2).rounded()
    func frame(_ x: Double, _ width: Double) -> Rect {
      Rect(x: x, y: top, width: width, height: HeaderBar.buttonSize.height)
    }
    titleBar.frame = bounds
    var start = HeaderBar.edge
    for button in leadingButtons where !button.isHidden {
      button.frame = frame(start, HeaderBar.buttonSize.width)
      start += HeaderBar.buttonSize.width + HeaderBar.spacing
    }
    var end = bounds.width - HeaderBar.edge
    for button in menuButtons.reversed() where !button.isHidden {
      end -= HeaderBar.buttonSize.width
      button.frame = frame(end, HeaderBar.buttonSize.width)
      end -= HeaderBar.spacing
    }
    slider.isHidden = bounds.width < HeaderBar.least.slider
    if !slider.isHidden {
      end -= 124
      slider.frame = frame(end, 120)
    }
    let hasField = bounds.width >= HeaderBar.least.field
    searchButton.isHidden = hasField || isSearchExpanded
    searchField.isHidden = !hasField && !isSearchExpanded
    if hasField {
      let width = max(160, min(260, (bounds.width * 0.19).rounded()))
      end -= width + 8
      searchField.frame = frame(end, width)
    } else if isSearchExpanded {
      searchField.frame = frame(start, max(0, end - start - 4))
      end = start
    } else {
      end -= HeaderBar.buttonSize.width
      searchButton.frame = frame(end, HeaderBar.buttonSize.width)
    }
    start += 6
    let showsCrumbs = bounds.width >= HeaderBar.least.crumbs
    for crumb in crumbs {
      let width = resources.map { min(140, crumb.button.preferredWidth(in: $0)) } ?? 0
      (crumb.button.isHidden, crumb.arrow.isHidden) = (!showsCrumbs, !showsCrumbs)
      guard showsCrumbs else { continue }
      crumb.button.frame = frame(start, width)
      crumb.arrow.frame = Rect(x: start + width, y: ((bounds.height - 16) / 2).rounded(), width: 16, height: 16)
      start += width + 18
    }
    titleBar.insets = (start + (crumbs.isEmpty || !showsCrumbs ? 4 : 6), bounds.width - end + 12)
  }
}
