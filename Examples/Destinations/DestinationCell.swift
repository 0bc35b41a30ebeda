import CollectionUI
import ExampleSupport
import VitrineImages

/// A cell that shows a post: its picture, with title, region, likes and caption below.
final class DestinationCell: CollectionViewCell {
  private static let radius = 10.0
  private static let margin = 4.0

  private let pictureView = ImageView()
  private let failureLabel = Label(style: ExampleTheme.bodyStyle, color: .white, alignment: .center)
  private let titleLabel = Label(style: ExampleTheme.headlineStyle, color: .white)
  private let likesLabel = Label(style: ExampleTheme.captionStyle, color: .white, alignment: .trailing)
  private let regionLabel = Label(style: ExampleTheme.captionStyle, color: .white)
  private let damageLabel = Label(style: ExampleTheme.captionStyle, color: .white, alignment: .trailing)
  private let captionView = Paragraph(
    style: ExampleTheme.bodyStyle, color: .white, lineHeight: 20, numberOfLines: 4, alignment: .leading)

  required init() {
    super.init()
    pictureView.cornerRadius = Self.radius
    for view in [pictureView, failureLabel, titleLabel, likesLabel, regionLabel, damageLabel, captionView] {
      addSubview(view)
    }
  }

  override func willEnterReusePool() {
    pictureView.image = nil
    pictureView.placeholderImage = nil
  }

  /// Whether the cell shows neither its picture nor a failure.
  var isWaiting: Bool { !pictureView.showsImage && failureLabel.text.isEmpty }

  /// The picture that the cell shows.
  var image: Bitmap? { pictureView.image }
  /// The displayed reason why there is no picture, or an empty string.
  var failureText: String { failureLabel.text }
  /// The displayed note about a damaged picture, or an empty string.
  var damageText: String { damageLabel.text }
  /// The displayed number of likes.
  var likesText: String { likesLabel.text }

  /// Configures the cell with a post and the current state of its asset.
  func configure(with post: DestinationPost, asset: Asset<DestinationPost.AssetID>, theme: ExampleTheme) {
    showText(of: post, theme: theme)
    let hasPicture = !asset.isPlaceholder && asset.failure == nil
    pictureView.image = hasPicture ? asset.image : nil
    // The placeholder stays until the picture is a texture.
    if !hasPicture { pictureView.placeholderImage = asset.image }
    failureLabel.text = asset.failure?.description ?? ""
    showDamage(asset.isDamaged)
  }

  /// Configures the cell with a post and its picture, or a placeholder.
  func configure(with post: DestinationPost, image: DecodedImage?, placeholder: Bitmap?, theme: ExampleTheme) {
    showText(of: post, theme: theme)
    pictureView.placeholderImage = placeholder
    show(image)
    failureLabel.text = ""
  }

  /// Shows a picture without changing the rest of the cell.
  func show(_ image: DecodedImage?) {
    pictureView.image = image?.bitmap
    showDamage(image?.isDamaged ?? false)
  }

  /// Shows the reason why there is no picture.
  func showFailure(_ text: String) { failureLabel.text = text }

  /// Shows or hides the note that the picture is damaged.
  private func showDamage(_ isDamaged: Bool) {
    let text = isDamaged ? "picture is damaged" : ""
    guard text != damageLabel.text else { return }
    damageLabel.text = text
    setNeedsLayout()
  }

  private func showText(of post: DestinationPost, theme: ExampleTheme) {
    pictureView.placeholderColor = theme.placeholder
    pictureView.cornerColor = theme.background
    failureLabel.textColor = theme.secondaryText
    titleLabel.textColor = theme.primaryText
    regionLabel.textColor = theme.secondaryText
    damageLabel.textColor = theme.warning
    likesLabel.textColor = theme.secondaryText
    captionView.textColor = theme.secondaryText
    titleLabel.text = post.title
    regionLabel.text = post.region
    captionView.text = post.caption
    likesLabel.text = "\(post.likes) likes"
  }

  /// The height of the picture depends on the width, and the height of the caption on its text.
  override func preferredLayoutAttributesFitting(_ attributes: LayoutAttributes) -> LayoutAttributes {
    var attributes = attributes
    let width = attributes.frame.width
    captionView.sizeToFit(width: max(0, width - 2 * Self.margin))
    attributes.frame.size.height = Self.captionTop(width: width) + captionView.frame.height
    return attributes
  }

  override func layoutSubviews() {
    let width = bounds.width
    let innerWidth = max(0, width - 2 * Self.margin)
    pictureView.frame = Rect(x: 0, y: 0, width: width, height: DestinationsLayout.pictureHeight(width: width))
    failureLabel.frame = pictureView.frame
    let top = pictureView.frame.maxY + 10
    titleLabel.frame = Rect(x: Self.margin, y: top, width: max(0, innerWidth - 96), height: 20)
    // One point lower, because smaller type in a box of the same height would be above the title's baseline.
    likesLabel.frame = Rect(
      x: Self.margin + max(0, innerWidth - 88), y: top + 1, width: min(innerWidth, 88), height: 20)
    let regionWidth = damageLabel.text.isEmpty ? innerWidth : max(0, innerWidth - 128)
    regionLabel.frame = Rect(x: Self.margin, y: top + 22, width: regionWidth, height: 16)
    damageLabel.frame = Rect(
      x: Self.margin + max(0, innerWidth - 120), y: top + 22, width: min(innerWidth, 120), height: 16)
    captionView.sizeToFit(width: innerWidth)
    captionView.frame.origin = Point(x: Self.margin, y: Self.captionTop(width: width))
  }

  private static func captionTop(width: Double) -> Double { DestinationsLayout.pictureHeight(width: width) + 54 }
}

/// The placeholders of pictures: gradients of a few pixels, scaled to the size of the picture.
final class Placeholders {
  private let theme: ExampleTheme
  private var images: [Int: Bitmap] = [:]
  private static let kindCount = 8

  init(theme: ExampleTheme) { self.theme = theme }

  /// Returns the placeholder of a picture, or nil if it cannot be allocated.
  func image(for asset: DestinationPost.AssetID) -> Bitmap? {
    let kind = Int(SeededRandom.mix(UInt64(asset)) % UInt64(Self.kindCount))
    if let bitmap = images[kind] { return bitmap }
    images[kind] = makeImage(kind)
    return images[kind]
  }

  private func makeImage(_ kind: Int) -> Bitmap? {
    guard let size = PixelSize(width: 2, height: 8) else { return nil }
    let tone = Self.tones[kind % Self.tones.count]
    return try? Bitmap(size: size, isOpaque: true) { pixels in
      let words = pixels.bindMemory(to: UInt32.self)
      for row in 0..<size.height {
        let color = blend(theme.placeholder, tone, 0.30 - 0.20 * Double(row) / Double(size.height - 1))
        for column in 0..<size.width { words[row * size.width + column] = UInt32(littleEndian: color.packed) }
      }
    }
  }

  private func blend(_ start: Color, _ end: Color, _ fraction: Double) -> Color {
    func channel(_ from: UInt8, _ to: UInt8) -> UInt8 { UInt8(Double(from) + (Double(to) - Double(from)) * fraction) }
    return Color(
      red: channel(start.red, end.red), green: channel(start.green, end.green), blue: channel(start.blue, end.blue))
  }

  private static let tones: [Color] = [
    Color(hex: 0x6C8FBF), Color(hex: 0xC98F6A), Color(hex: 0x7FA886), Color(hex: 0xB08BB5), Color(hex: 0x5FA3A3),
    Color(hex: 0xC2A86B), Color(hex: 0x8A93C4), Color(hex: 0xB57F86),
  ]
}
