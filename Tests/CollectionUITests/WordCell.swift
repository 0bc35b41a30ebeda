import CollectionUI
import Geometry
import Rendering
import Views

/// Shows a word as a bar whose length and colour depend on it, and counts what is done with it.
final class WordCell: CollectionViewCell {
  var word = "" {
    didSet { if word != oldValue { setNeedsDisplay() } }
  }
  private(set) var reuses = 0
  private(set) var drawings = 0
  /// What it was told to look like, each time that it was.
  private(set) var told: [CellConfigurationState] = []
  /// Called in every drawing.
  var onDraw: (() -> Void)?

  /// How often somebody asked for its name.
  private(set) var namings = 0

  override var accessibilityLabel: String {
    namings += 1
    return word
  }

  override func prepareForReuse() {
    super.prepareForReuse()
    reuses += 1
  }

  override func updateConfiguration(using state: CellConfigurationState) { told.append(state) }

  override func draw(in context: DrawContext) {
    drawings += 1
    onDraw?()
    context.fill(bounds, WordCell.color(of: word))
    context.fill(Rect(x: 2, y: 2, width: Double(WordCell.letters(of: word) % 90 + 1), height: 4), .white)
  }

  /// The colour that shows a word.
  static func color(of word: String) -> Color { Color(hex: letters(of: word) & 0xFFFFFF) }

  private static func letters(of word: String) -> UInt32 {
    word.unicodeScalars.reduce(UInt32(7)) { $0 &* 31 &+ $1.value }
  }
}
