import Glibc

/// Writes ICC profiles: three primaries and a curve, or a curve for gray.
public struct ICCProfileWriter: Sendable {
  /// X, Y and Z of red, green and blue under daylight of 5,000 kelvin.
  public var primaries: [[Double]] = ICCProfileWriter.standard
  /// The conversion of levels to light.
  public var curve = Curve.parametric
  /// Whether the profile is one of gray levels.
  public var isGrey = false

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - primaries: X, Y and Z of red, green and blue under daylight of 5,000 kelvin. Default: those of sRGB.
  ///   - curve: The conversion of levels to light. Default: that of sRGB.
  ///   - isGrey: Whether the profile is one of gray levels. Default: false.
  public init(primaries: [[Double]] = ICCProfileWriter.standard, curve: Curve = .parametric, isGrey: Bool = false) {
    self.primaries = primaries
    self.curve = curve
    self.isGrey = isGrey
  }

  /// A conversion of levels to light.
  public enum Curve: Sendable {
    /// The formula of sRGB.
    case parametric
    /// The curve of sRGB as a table.
    case table
    /// A power function.
    case gamma(Double)
  }

  /// The primaries of sRGB.
  public static let standard = [[0.4361, 0.2225, 0.0139], [0.3851, 0.7169, 0.0971], [0.1431, 0.0606, 0.7139]]
  /// Primaries with red and green exchanged, so that the conversion is unmistakable.
  public static let exchanged = [standard[1], standard[0], standard[2]]

  /// The primaries of Display P3, which shows all colors of sRGB.
  public static let wide = [[0.5151, 0.2412, -0.0011], [0.2920, 0.6922, 0.0419], [0.1571, 0.0666, 0.7841]]
  /// Primaries of a display that shows fewer colors than sRGB.
  public static let narrow = [[0.3968, 0.2236, 0.0342], [0.3794, 0.6758, 0.1307], [0.1881, 0.1006, 0.6600]]

  /// The bytes of the profile.
  public var bytes: [UInt8] {
    var tags: [(String, [UInt8])] = [("wtpt", xyz([0.9642, 1, 0.8249]))]
    if isGrey {
      tags.append(("kTRC", curveBytes))
    } else {
      for (name, values) in zip(["rXYZ", "gXYZ", "bXYZ"], primaries) { tags.append((name, xyz(values))) }
      for name in ["rTRC", "gTRC", "bTRC"] { tags.append((name, curveBytes)) }
    }
    var table = big(tags.count, 4)
    var data: [UInt8] = []
    let start = 128 + 4 + tags.count * 12
    for (name, content) in tags {
      table += Array(name.utf8) + big(start + data.count, 4) + big(content.count, 4)
      data += content
      while data.count % 4 != 0 { data.append(0) }
    }
    var header = big(start + data.count, 4) + [0, 0, 0, 0, 4, 0x30, 0, 0] + Array("mntr".utf8)
    header += Array((isGrey ? "GRAY" : "RGB ").utf8) + Array("XYZ ".utf8) + [UInt8](repeating: 0, count: 12)
    header += Array("acsp".utf8) + [UInt8](repeating: 0, count: 28)
    header += fixed(0.9642) + fixed(1) + fixed(0.8249)
    header += [UInt8](repeating: 0, count: 128 - header.count)
    return header + table + data
  }

  private var curveBytes: [UInt8] {
    switch curve {
    case .parametric:
      return Array("para".utf8) + big(0, 4) + big(3, 2) + big(0, 2)
        + [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045].flatMap(fixed)
    case .table:
      let levels = (0..<1024).map { step -> [UInt8] in
        let level = Double(step) / 1023
        let light = level <= 0.04045 ? level / 12.92 : pow((level + 0.055) / 1.055, 2.4)
        return big(Int((light * 65_535).rounded()), 2)
      }
      return Array("curv".utf8) + big(0, 4) + big(1024, 4) + levels.flatMap { $0 }
    case .gamma(let power):
      return Array("curv".utf8) + big(0, 4) + big(1, 4) + big(Int((power * 256).rounded()), 2) + [0, 0]
    }
  }

  private func xyz(_ values: [Double]) -> [UInt8] { Array("XYZ ".utf8) + big(0, 4) + values.flatMap(fixed) }

  private func fixed(_ value: Double) -> [UInt8] { big(Int((value * 65_536).rounded()), 4) }

  private func big(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
