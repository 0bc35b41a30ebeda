import Glibc
package import Rendering

/// Which font files a line of text may be set in, among those that Debian's packages install.
///
/// A fixed list and no font configuration library: the same files give the same pixels on every machine that has them.
package struct FontCatalogue {
  /// The folder that holds `opentype` and `truetype`.
  package let folder: String

  /// Makes a catalogue of a folder.
  package init(folder: String = "/usr/share/fonts") { self.folder = folder }

  /// The packages whose fonts are preferred, for the sentence that says there are none.
  static let packages = ["fonts-inter", "fonts-noto-core", "fonts-dejavu-core"]

  /// The package of the font of emoji in colour.
  static let emojiPackage = "fonts-noto-color-emoji"

  /// The font of emoji in colour, if it is there and readable.
  package var emojiFile: String? { readablePath("truetype/noto/NotoColorEmoji.ttf") }

  /// The readable files for reading text of a weight, the preferred first; the C function is `access`.
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

  /// The readable files for a writing system, the preferred first.
  func files(for system: WritingSystem) -> [String] { system.files.compactMap(readablePath) }

  private func readablePath(_ name: String) -> String? {
    let path = "\(folder)/\(name)"
    return access(path, R_OK) == 0 ? path : nil
  }
}
