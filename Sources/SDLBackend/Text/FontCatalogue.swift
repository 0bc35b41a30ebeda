import Glibc
package import VitrineRendering

/// The font files for lines of text, among those that Debian's packages install.
///
/// A fixed list is used rather than a font configuration library, so that the same files give the same pixels on every
/// machine.
package struct FontCatalogue {
  /// The folder that contains `opentype` and `truetype`.
  package let folder: String

  /// Creates a catalogue of a folder.
  package init(folder: String = "/usr/share/fonts") { self.folder = folder }

  /// The packages of the preferred fonts, for the message that no font was found.
  static let packages = ["fonts-inter", "fonts-noto-core", "fonts-dejavu-core"]

  /// The package of the colour emoji font.
  static let emojiPackage = "fonts-noto-color-emoji"

  /// The path of the colour emoji font, or nil if it is not readable.
  package var emojiFile: String? { readablePath("truetype/noto/NotoColorEmoji.ttf") }

  /// Returns the readable files for a weight, the preferred ones first, using `access`.
  package func files(for weight: TextStyle.Weight) -> [String] {
    let names =
      switch weight {
      case .regular:
        ["opentype/inter/Inter-Regular.otf", "truetype/noto/NotoSans-Regular.ttf", "truetype/dejavu/DejaVuSans.ttf"]
      case .medium:
        ["opentype/inter/Inter-Medium.otf", "truetype/noto/NotoSans-Regular.ttf", "truetype/dejavu/DejaVuSans.ttf"]
      case .semibold:
        ["opentype/inter/Inter-SemiBold.otf", "truetype/noto/NotoSans-Bold.ttf", "truetype/dejavu/DejaVuSans-Bold.ttf"]
      }
    return names.compactMap(readablePath)
  }

  /// Returns the readable files for a writing system, the preferred ones first.
  func files(for system: WritingSystem) -> [String] { system.files.compactMap(readablePath) }

  private func readablePath(_ name: String) -> String? {
    let path = "\(folder)/\(name)"
    return access(path, R_OK) == 0 ? path : nil
  }
}

/// A script that the text fonts do not cover, with the fonts of Debian that do.
struct WritingSystem {
  /// The script's ISO 15924 tag, which selects the shaping rules.
  let tag: String
  /// The scalars of the script, in ascending order.
  let ranges: [ClosedRange<UInt32>]
  /// Whether the script is written from right to left.
  let isRightToLeft: Bool
  /// The font files, relative to the folder of fonts, the preferred ones first.
  let files: [String]

  /// Returns the writing system of a scalar, or nil for Latin, Greek, Cyrillic and common characters.
  /// - Complexity: O(1) below U+0530, O(systems) above.
  static func system(for scalar: Unicode.Scalar) -> WritingSystem? {
    let value = scalar.value
    guard value >= 0x0530 else { return nil }
    return allSystems.first { system in system.ranges.contains { $0.contains(value) } }
  }

  private init(_ tag: String, _ ranges: [ClosedRange<UInt32>], files: [String], isRightToLeft: Bool = false) {
    self.tag = tag
    self.ranges = ranges
    self.files = files
    self.isRightToLeft = isRightToLeft
  }

  /// Returns a writing system that is covered by a Noto font.
  private static func notoSystem(
    _ tag: String, _ name: String, _ ranges: ClosedRange<UInt32>..., isRightToLeft: Bool = false
  ) -> WritingSystem {
    WritingSystem(
      tag, ranges, files: ["truetype/noto/Noto\(name)-Regular.ttf"], isRightToLeft: isRightToLeft)
  }

  private static let eastAsianFiles = [
    "opentype/noto/NotoSansCJK-Regular.ttc", "truetype/droid/DroidSansFallbackFull.ttf",
    "truetype/wqy/wqy-microhei.ttc", "truetype/wqy/wqy-zenhei.ttc",
  ]

  private static let allSystems: [WritingSystem] = [
    notoSystem("Armn", "SansArmenian", 0x0530...0x058F, 0xFB13...0xFB17),
    notoSystem("Hebr", "SansHebrew", 0x0590...0x05FF, 0xFB1D...0xFB4F, isRightToLeft: true),
    notoSystem(
      "Arab", "SansArabic", 0x0600...0x06FF, 0x0750...0x077F, 0x08A0...0x08FF, 0xFB50...0xFDFF, 0xFE70...0xFEFE,
      isRightToLeft: true),
    notoSystem("Syrc", "SansSyriac", 0x0700...0x074F, isRightToLeft: true),
    notoSystem("Thaa", "SansThaana", 0x0780...0x07BF, isRightToLeft: true),
    notoSystem("Nkoo", "SansNKo", 0x07C0...0x07FF, isRightToLeft: true),
    notoSystem("Adlm", "SansAdlam", 0x1E900...0x1E95F, isRightToLeft: true),
    notoSystem("Deva", "SansDevanagari", 0x0900...0x097F, 0xA8E0...0xA8FF),
    notoSystem("Beng", "SansBengali", 0x0980...0x09FF), notoSystem("Guru", "SansGurmukhi", 0x0A00...0x0A7F),
    notoSystem("Gujr", "SansGujarati", 0x0A80...0x0AFF), notoSystem("Orya", "SansOriya", 0x0B00...0x0B7F),
    notoSystem("Taml", "SansTamil", 0x0B80...0x0BFF), notoSystem("Telu", "SansTelugu", 0x0C00...0x0C7F),
    notoSystem("Knda", "SansKannada", 0x0C80...0x0CFF), notoSystem("Mlym", "SansMalayalam", 0x0D00...0x0D7F),
    notoSystem("Sinh", "SansSinhala", 0x0D80...0x0DFF), notoSystem("Thai", "SansThai", 0x0E00...0x0E7F),
    notoSystem("Laoo", "SansLao", 0x0E80...0x0EFF), notoSystem("Tibt", "SerifTibetan", 0x0F00...0x0FFF),
    notoSystem("Mymr", "SansMyanmar", 0x1000...0x109F, 0xA9E0...0xA9FF, 0xAA60...0xAA7F),
    notoSystem("Geor", "SansGeorgian", 0x10A0...0x10FF, 0x1C90...0x1CBF, 0x2D00...0x2D2F),
    notoSystem("Ethi", "SansEthiopic", 0x1200...0x139F, 0x2D80...0x2DDF, 0xAB00...0xAB2F),
    notoSystem("Cher", "SansCherokee", 0x13A0...0x13FF, 0xAB70...0xABBF),
    notoSystem("Khmr", "SansKhmer", 0x1780...0x17FF, 0x19E0...0x19FF),
    notoSystem("Mong", "SansMongolian", 0x1800...0x18AF),
    WritingSystem("Hang", [0x1100...0x11FF, 0x3130...0x318F, 0xA960...0xA97F, 0xAC00...0xD7FF], files: eastAsianFiles),
    WritingSystem("Kana", [0x3040...0x30FF, 0x31F0...0x31FF], files: eastAsianFiles),
    WritingSystem(
      "Hani",
      [
        0x2E80...0x303F, 0x3100...0x312F, 0x3190...0x31EF, 0x3200...0x9FFF, 0xF900...0xFAFF, 0xFE30...0xFE4F,
        0xFF00...0xFFEF, 0x20000...0x3FFFF,
      ], files: eastAsianFiles),
    WritingSystem(
      "Zsym", [0x2190...0x2BFF, 0x1D400...0x1D7FF, 0x1F000...0x1FAFF],
      files: [
        "truetype/noto/NotoSansSymbols2-Regular.ttf", "truetype/noto/NotoSansSymbols-Regular.ttf",
        "truetype/noto/NotoSansMath-Regular.ttf", "truetype/noto/NotoEmoji-Regular.ttf",
      ]),
  ]
}
