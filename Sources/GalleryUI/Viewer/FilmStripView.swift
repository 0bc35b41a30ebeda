import CollectionUI
import struct FoundationEssentials.IndexPath
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineGeometry
import VitrineRendering
import VitrineViews

/// A row of thumbnails at the lower edge of the viewer, in a section that scrolls across.
final class FilmStripView: View, ThemedView {
  /// The height, in points.
  nonisolated static let height = side + 2 * inset
  /// The side of a thumbnail, in points.
  nonisolated static let side = 60.0
  private nonisolated static let inset = 6.0
  private nonisolated static let spacing = 4.0

  /// The thumbnails.
  let list: CollectionView
  /// The colors.
  var theme: Theme {
    didSet { backgroundColor = theme.viewerBar }
  }
  /// The index of the thumbnail to bring to the center, or nil once it is there.
  private var target: (index: Int, isAnimated: Bool)?

  /// Creates an empty strip.
  init(theme: Theme) {
    self.theme = theme
    list = CollectionView(
      layout: CompositionalLayout { _, _ in FilmStripView.section })
    list.allowsSelection = false
    super.init()
    backgroundColor = theme.viewerBar
    addSubview(list)
  }

  private nonisolated static var section: CollectionLayoutSection {
    let size = CollectionLayoutSize(width: .absolute(side), height: .absolute(side))
    let item = CollectionLayoutItem(
      layoutSize: CollectionLayoutSize(width: .fractionalWidth(1), height: .fractionalHeight(1)))
    var section = CollectionLayoutSection(group: .horizontal(layoutSize: size, repeatingSubitem: item, count: 1))
    section.orthogonalScrollingBehavior = .continuous
    section.interGroupSpacing = spacing
    section.contentInsets = DirectionalEdgeInsets(top: inset, leading: inset, bottom: inset, trailing: inset)
    return section
  }

  /// Brings a thumbnail to the center, as far as there are others beside it.
  ///
  /// - Parameters:
  ///   - index: The index of the thumbnail.
  ///   - isAnimated: Whether the strip moves there.
  func center(_ index: Int, isAnimated: Bool) {
    target = (index, isAnimated)
    setNeedsLayout()
  }

  override func layoutSubviews() {
    list.frame = bounds
    guard let target, bounds.width > 0 else { return }
    self.target = nil
    // The section scrolls in the width that the list was laid out with last.
    list.layoutIfNeeded()
    list.scrollToItem(
      at: IndexPath(item: target.index, section: 0), at: .centeredHorizontally, animated: target.isAnimated)
  }
}

/// A thumbnail of the film strip.
final class FilmStripCell: PressableCell {
  private let pictureView = ImageView()
  private var theme = Theme.dark
  private var isCurrent = false

  required init() {
    super.init()
    pictureView.isUserInteractionEnabled = false
    pictureView.cornerRadius = Metrics.smallCornerRadius
    addSubview(pictureView)
  }

  /// Shows a photograph without its picture.
  ///
  /// - Parameters:
  ///   - name: The name, for assistive technologies.
  ///   - isCurrent: Whether it is the viewed photograph.
  ///   - theme: The colors.
  ///   - onPress: The action of a click.
  func show(name: String, isCurrent: Bool, theme: Theme, onPress: @escaping () -> Void) {
    (self.theme, self.onPress, self.name) = (theme, onPress, name)
    pictureView.image = nil
    pictureView.placeholderColor = theme.placeholder
    pictureView.cornerColor = theme.viewerBar
    setCurrent(isCurrent)
  }

  private var name = ""

  /// The strip moves below the pointer, so that the next click is on another thumbnail.
  override var actsOnEveryClick: Bool { true }

  /// Shows the picture.
  func show(_ picture: Bitmap?) { pictureView.image = picture }

  /// Marks the thumbnail of the viewed photograph.
  func setCurrent(_ isCurrent: Bool) {
    self.isCurrent = isCurrent
    pictureView.imageOpacity = isCurrent || configurationState.isHovered ? 1 : 0.6
    setNeedsDisplay()
  }

  override func updateConfiguration(using state: CellConfigurationState) { setCurrent(isCurrent) }

  override func layoutSubviews() { pictureView.frame = bounds }

  override func draw(in context: DrawContext) {
    guard isCurrent else { return }
    context.fillRing(
      around: bounds, width: Metrics.focusWidth, cornerRadius: Metrics.smallCornerRadius, theme.accent)
  }

  override var accessibilityLabel: String { name }
}
