import CollectionUI
import ExampleSupport

/// A card with an emoji, above its rating or a loading indicator.
final class EmojiCell: CollectionViewCell {
  private static let cornerRadius = 12.0
  private static let ratingHeight = 20.0

  /// The colors of the cell.
  var theme = ExampleTheme.dark {
    didSet { if theme != oldValue { themeDidChange() } }
  }
  /// The emoji.
  var emoji = "" {
    didSet { emojiLabel.text = emoji }
  }
  /// The rating, or nil until it is loaded.
  var rating: EmojiRating? {
    didSet {
      ratingLabel.text = rating?.text ?? ""
      loadingIndicator.isHidden = rating != nil
    }
  }
  /// The indicator that is visible until the rating is loaded.
  let loadingIndicator = LoadingIndicator()

  private let emojiLabel = Label(style: TextStyle(size: 40), color: .white, alignment: .center)
  private let ratingLabel = Label(style: TextStyle(size: 14), color: .white, alignment: .center)

  required init() {
    super.init()
    addSubview(emojiLabel)
    addSubview(ratingLabel)
    addSubview(loadingIndicator)
    themeDidChange()
  }

  private func themeDidChange() {
    emojiLabel.textColor = theme.primaryText
    ratingLabel.textColor = theme.star
    loadingIndicator.color = theme.tertiaryText
    setNeedsDisplay()
  }

  override func prepareForReuse() {
    super.prepareForReuse()
    rating = nil
  }

  override func layoutSubviews() {
    let bottomHeight = min(bounds.height, 14 + EmojiCell.ratingHeight)
    let ratingFrame = Rect(x: 0, y: bounds.height - bottomHeight, width: bounds.width, height: EmojiCell.ratingHeight)
    emojiLabel.frame = Rect(x: 0, y: 8, width: bounds.width, height: max(0, ratingFrame.minY - 8))
    ratingLabel.frame = ratingFrame
    loadingIndicator.frame = ratingFrame
  }

  override func draw(in context: DrawContext) {
    context.fillRounded(bounds, radius: EmojiCell.cornerRadius, theme.surface)
  }
}

/// A row of dots, one for each star, along which a highlight moves.
final class LoadingIndicator: View {
  /// The number of positions of the highlight: each dot, and three without a highlight.
  static let phases = EmojiRating.maximumStars + 3
  private static let spacing = 14.0
  private static let diameter = 4.0

  /// The color of the dots.
  var color = Color.white {
    didSet { if color != oldValue { setNeedsDisplay() } }
  }
  /// The position of the highlight, less than ``phases``, or nil if there is none.
  var phase: Int? {
    didSet { if phase != oldValue, !isHidden { setNeedsDisplay() } }
  }

  override func draw(in context: DrawContext) {
    let count = EmojiRating.maximumStars
    let width = Double(count - 1) * LoadingIndicator.spacing + LoadingIndicator.diameter
    let y = context.scale.snapped((bounds.height - LoadingIndicator.diameter) / 2)
    for dot in 0..<count {
      let x = context.scale.snapped((bounds.width - width) / 2 + Double(dot) * LoadingIndicator.spacing)
      context.fillRounded(
        Rect(x: x, y: y, width: LoadingIndicator.diameter, height: LoadingIndicator.diameter),
        radius: LoadingIndicator.diameter / 2, color.opacity(opacity(of: dot)))
    }
  }

  /// Returns the opacity of a dot; the previously highlighted dot is brighter than the others.
  private func opacity(of dot: Int) -> Double {
    guard let phase else { return 0.5 }
    return dot == phase ? 1 : dot == phase - 1 ? 0.75 : 0.4
  }
}

/// A frame participant that animates the visible loading indicators and measures how long cells wait.
final class LoadingAnimator: FrameParticipant {
  private static let stepDuration = FrameDuration.milliseconds(150)

  /// The number of visible cells without a rating, times milliseconds.
  private(set) var waitingCellMilliseconds = 0.0
  private let grid: EmojiGrid
  private let reducesMotion: Bool
  private var phase = 0
  /// The target time of the last frame.
  private var target = FrameInstant.zero
  private var lastFrame: (shown: FrameInstant, waiting: Int)?

  /// Creates an animator for a grid.
  ///
  /// - Parameter reducesMotion: Whether the indicators stay still.
  init(of grid: EmojiGrid, reducesMotion: Bool) {
    self.grid = grid
    self.reducesMotion = reducesMotion
  }

  private var isMoving: Bool { !reducesMotion && grid.waitingCount > 0 }

  /// The time of the next step of the highlight, or nil if there is none; the window is idle until then.
  var nextFrame: FrameInstant? {
    guard isMoving else { return nil }
    let step = LoadingAnimator.stepDuration.nanoseconds
    return FrameInstant(nanoseconds: (target.nanoseconds / step + 1) * step)
  }

  func update(at target: FrameInstant) {
    self.target = target
    guard isMoving else { return }
    let next = Int(target.nanoseconds / LoadingAnimator.stepDuration.nanoseconds) % LoadingIndicator.phases
    guard next != phase else { return }
    phase = next
    for case let cell as EmojiCell in grid.collectionView.visibleCells where cell.rating == nil {
      cell.loadingIndicator.phase = next
    }
  }

  func frameDidEnd(_ record: FrameRecord) {
    if let lastFrame {
      waitingCellMilliseconds += Double(lastFrame.waiting) * (record.shown - lastFrame.shown).milliseconds
    }
    lastFrame = (record.shown, grid.waitingCount)
  }
}

extension ExampleTheme {
  /// The color of stars, a gold that is readable on the theme's cards.
  var star: Color { self == .light ? Color(hex: 0xB07A12) : Color(hex: 0xE3B85C) }
}
