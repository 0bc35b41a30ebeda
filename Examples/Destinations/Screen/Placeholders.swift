import DataStructures
import ExampleSupport
import Geometry
import Rendering

/// What is shown in a picture's place: a few pixels from one calm tone to another, stretched over it.
final class Placeholders {
  private let theme: ExampleTheme
  private var painted: [Int: Bitmap] = [:]
  private static let kinds = 8

  init(theme: ExampleTheme) { self.theme = theme }

  /// The placeholder of a picture; nothing where memory is out.
  func placeholder(of asset: DestinationPost.AssetID) -> Bitmap? {
    let kind = Int(SplitMix64.mix(UInt64(asset)) % UInt64(Self.kinds))
    if let bitmap = painted[kind] { return bitmap }
    painted[kind] = paint(kind)
    return painted[kind]
  }

  private func paint(_ kind: Int) -> Bitmap? {
    guard let size = PixelSize(width: 2, height: 8) else { return nil }
    let tone = Self.tones[kind % Self.tones.count]
    return try? Bitmap(size: size, isOpaque: true) { pixels in
      let words = pixels.bindMemory(to: UInt32.self)
      for row in 0..<size.height {
        let color = mixed(theme.placeholder, tone, 0.30 - 0.20 * Double(row) / Double(size.height - 1))
        for column in 0..<size.width { words[row * size.width + column] = UInt32(littleEndian: color.packed) }
      }
    }
  }

  private func mixed(_ one: Color, _ other: Color, _ share: Double) -> Color {
    func channel(_ from: UInt8, _ to: UInt8) -> UInt8 { UInt8(Double(from) + (Double(to) - Double(from)) * share) }
    return Color(
      red: channel(one.red, other.red), green: channel(one.green, other.green), blue: channel(one.blue, other.blue))
  }

  private static let tones: [Color] = [
    Color(hex: 0x6C8FBF), Color(hex: 0xC98F6A), Color(hex: 0x7FA886), Color(hex: 0xB08BB5), Color(hex: 0x5FA3A3),
    Color(hex: 0xC2A86B), Color(hex: 0x8A93C4), Color(hex: 0xB57F86),
  ]
}
