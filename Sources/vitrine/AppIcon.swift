import VitrineGeometry
import VitrineRendering

/// The window's icon, drawn procedurally: hills under a low sun in a rounded square.
enum AppIcon {
  private static let side = 128

  /// The icon's pixels, or nil if memory is insufficient.
  static var bitmap: Bitmap? {
    guard let size = PixelSize(width: side, height: side) else { return nil }
    return try? Bitmap(size: size, isOpaque: false) { pixels in
      let words = pixels.bindMemory(to: UInt32.self)
      for row in 0..<side {
        for column in 0..<side {
          let x = (Double(column) + 0.5) / Double(side)
          let y = (Double(row) + 0.5) / Double(side)
          words[row * side + column] = UInt32(littleEndian: color(x, y).opacity(coverage(x, y)).packed)
        }
      }
    }
  }

  /// Returns the share of a pixel that lies inside the rounded square.
  private static func coverage(_ x: Double, _ y: Double) -> Double {
    let radius = 0.2
    let dx = max(0, abs(x - 0.5) - 0.46 + radius)
    let dy = max(0, abs(y - 0.5) - 0.46 + radius)
    return max(0, min(1, (radius - (dx * dx + dy * dy).squareRoot()) * Double(side) + 0.5))
  }

  private static func color(_ x: Double, _ y: Double) -> Color {
    let near = 0.70 + 0.10 * hillHeight(at: x * 2.2 + 0.3)
    let far = 0.56 + 0.13 * hillHeight(at: x * 1.7 + 0.85)
    if y > near { return mixed(Color(hex: 0x1F3A4D), Color(hex: 0x16293A), (y - near) * 3) }
    if y > far { return mixed(Color(hex: 0x3E6580), Color(hex: 0x2C4E68), (y - far) * 4) }
    let sun = ((x - 0.66) * (x - 0.66) + (y - 0.40) * (y - 0.40)).squareRoot()
    if sun < 0.11 { return Color(hex: 0xFFF1CF) }
    let sky = mixed(Color(hex: 0x6C8FBF), Color(hex: 0xF6B98A), y * 1.7)
    return mixed(Color(hex: 0xFFE2B0), sky, (sun - 0.11) * 5)
  }

  /// Returns the height of a smooth hill line between -1 and 1.
  ///
  /// It consists of parabolas, so that no trigonometry is needed.
  private static func hillHeight(at x: Double) -> Double {
    let phase = x - x.rounded(.down)
    let half = phase < 0.5 ? phase : phase - 0.5
    let arch = 16 * half * (0.5 - half)
    return phase < 0.5 ? -arch : arch
  }

  private static func mixed(_ first: Color, _ second: Color, _ share: Double) -> Color {
    let share = max(0, min(1, share))
    func channel(_ from: UInt8, _ to: UInt8) -> UInt8 { UInt8(Double(from) + (Double(to) - Double(from)) * share) }
    return Color(
      red: channel(first.red, second.red), green: channel(first.green, second.green),
      blue: channel(first.blue, second.blue))
  }
}
