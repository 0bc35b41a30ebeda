import Glibc
package import VitrineRendering

/// The font files for lines in Latin, Greek and Cyrillic letters, among those that Debian's packages install.
///
/// A fixed list is used, so that the same files give the same pixels on every machine, and no font is searched for at
/// launch. All other lines use the fonts that fontconfig finds (``PangoLayouter``).
package nonisolated struct FontCatalogue {
  /// The folder that contains `opentype` and `truetype`.
  package let folder: String

  /// Creates a catalogue of a folder.
  package init(folder: String = FontCatalogue.systemFolder) { self.folder = folder }

  /// The folder of Debian's packages.
  package static let systemFolder = "/usr/share/fonts"

  /// Returns the font families for text that needs several fonts, the preferred ones first.
  ///
  /// Fontconfig finds fonts for other characters. It would prefer DejaVu for some scripts that Noto covers better.
  static func families(for design: TextStyle.Design) -> [String] {
    switch design {
    case .default: ["Inter"] + sansFamilies
    case .serif: ["Noto Serif", "DejaVu Serif", "Noto Serif Hebrew", "serif"] + sansFamilies
    case .monospaced: ["Noto Sans Mono", "DejaVu Sans Mono", "monospace"] + sansFamilies
    }
  }

  /// The names of families that fontconfig replaces by installed ones.
  static let genericFamilies: Set<String> = [
    "sans-serif", "sans", "serif", "monospace", "system-ui", "cursive", "fantasy", "emoji", "math",
  ]

  private static let sansFamilies = [
    "Noto Sans", "Noto Sans Hebrew", "Noto Sans Arabic", "Noto Sans Armenian", "Noto Sans Georgian", "sans-serif",
  ]

  /// The packages of the preferred fonts, for the message that no font was found.
  static let packages = ["fonts-inter", "fonts-noto-core", "fonts-dejavu-core"]

  /// The package of the colour emoji font.
  static let emojiPackage = "fonts-noto-color-emoji"

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
      case .bold:
        ["opentype/inter/Inter-Bold.otf", "truetype/noto/NotoSans-Bold.ttf", "truetype/dejavu/DejaVuSans-Bold.ttf"]
      case .light:
        [
          "opentype/inter/Inter-Light.otf", "truetype/noto/NotoSans-Light.ttf", "truetype/noto/NotoSans-Regular.ttf",
          "truetype/dejavu/DejaVuSans.ttf",
        ]
      }
    return names.compactMap(readablePath)
  }

  private func readablePath(_ name: String) -> String? {
    let path = "\(folder)/\(name)"
    return access(path, R_OK) == 0 ? path : nil
  }
}
