import Glibc
import VitrineImageDecodingCore

/// A tone mapping of HDR images (ITU-R BT.2100: PQ and HLG) to sRGB that preserves hue and dark areas.
///
/// Each pixel's light is scaled as a whole. Diffuse white is 203 cd/m² (ITU-R BT.2408), and the display on which an
/// image was mastered is assumed to peak at 1,000 cd/m². The range between is compressed as in ITU-R BT.2390-8, section
/// 5.4.1.
struct HDRToneMapping: Hashable {
  /// The HDR transfer functions, by their ITU-T H.273 code points.
  enum Transfer: Int, Hashable {
    /// SMPTE ST 2084.
    case perceptualQuantizer = 16
    /// ARIB STD-B67.
    case hybridLogGamma = 18
  }

  private let transfer: Transfer
  /// The matrix to linear sRGB, in rows.
  private let matrix: [SIMD3<Float>]
  /// The contribution of each colour to the luminance.
  private let brightness: SIMD3<Float>

  /// The light of each encoded level: in cd/m² for PQ, and scene light of 0 to 1 for HLG.
  private let light: [Float]
  /// The factor for a pixel's light, by the PQ level of its brightest colour.
  private let gains: [Float]
  /// The sRGB levels, 0 to 255, of linear light from black to white.
  private let levels: [UInt8]

  private static let steps = 4096
  private static let diffuseWhite: Float = 203
  private static let displayPeak: Float = 1000

  /// Creates the lookup tables, or returns nil for code points of ITU-T H.273 that are not HDR.
  ///
  /// - Complexity: About 12,000 powers, under a millisecond.
  init?(primaries: Int, transfer: Int) {
    guard let transfer = Transfer(rawValue: transfer),
      let space = CodedColorSpace(primaries: primaries, transfer: transfer.rawValue),
      let own = HDRToneMapping.toXYZ(space.primaries),
      let standard = CodedColorSpace(primaries: 1, transfer: 13).flatMap({ HDRToneMapping.toXYZ($0.primaries) }),
      let back = HDRToneMapping.inverse(standard)
    else { return nil }
    self.transfer = transfer
    matrix = HDRToneMapping.product(back, own).map { SIMD3(Float($0[0]), Float($0[1]), Float($0[2])) }
    brightness = SIMD3(Float(own[1][0]), Float(own[1][1]), Float(own[1][2]))
    let last = Double(HDRToneMapping.steps - 1)
    light = (0..<HDRToneMapping.steps).map { step in
      let level = Double(step) / last
      return Float(
        transfer == .perceptualQuantizer
          ? HDRToneMapping.candela(ofPQ: level) : HDRToneMapping.scene(ofHLG: level))
    }
    gains = (0..<HDRToneMapping.steps).map { step in
      let level = Double(step) / last
      let before = HDRToneMapping.candela(ofPQ: level)
      return before > 0 ? Float(HDRToneMapping.candela(ofPQ: HDRToneMapping.compressed(level)) / before) : 1
    }
    levels = (0..<HDRToneMapping.steps).map { step in
      let light = Double(step) / last
      let level = light <= 0.003_130_8 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
      return UInt8(truncatingIfNeeded: Int(level * 255 + 0.5))
    }
  }

  /// Converts a pixel to sRGB.
  ///
  /// - Parameter color: The encoded levels, 0 to 255, which need not be integers.
  /// - Returns: Red, green and blue.
  func convert(_ color: SIMD3<Float>) -> (UInt8, UInt8, UInt8) {
    let scale = Float(HDRToneMapping.steps - 1) / 255
    let index = (color * scale + 0.5).clamped(
      lowerBound: .zero, upperBound: SIMD3(repeating: Float(HDRToneMapping.steps - 1)))
    var bright = SIMD3(light[Int(index.x)], light[Int(index.y)], light[Int(index.z)])
    if transfer == .hybridLogGamma {
      // The light of a 1,000 cd/m² display, scaled by the scene's luminance rather than per channel.
      let scene = (bright * brightness).sum()
      bright *= HDRToneMapping.displayPeak * Float(pow(Double(max(scene, 1e-6)), 0.2))
    }
    let number =
      transfer == .perceptualQuantizer
      ? Int(index.max())
      : Int(HDRToneMapping.pq(ofCandela: Double(bright.max())) * Double(HDRToneMapping.steps - 1) + 0.5)
    bright *= gains[min(HDRToneMapping.steps - 1, number)] / HDRToneMapping.diffuseWhite
    return (level(bright, 0), level(bright, 1), level(bright, 2))
  }

  private func level(_ bright: SIMD3<Float>, _ channel: Int) -> UInt8 {
    let light = max(0, min(1, (bright * matrix[channel]).sum()))
    return levels[Int(light * Float(HDRToneMapping.steps - 1) + 0.5)]
  }

  // MARK: - Light

  /// Returns the light in cd/m² of a PQ level of 0 to 1 (SMPTE ST 2084).
  private static func candela(ofPQ level: Double) -> Double {
    let power = pow(level, 32.0 / 2523)
    return 10_000 * pow(max(0, power - 107.0 / 128) / (2413.0 / 128 - 2392.0 / 128 * power), 16_384.0 / 2610)
  }

  private static func pq(ofCandela light: Double) -> Double {
    let power = pow(min(1, light / 10_000), 2610.0 / 16_384)
    return pow((107.0 / 128 + 2413.0 / 128 * power) / (1 + 2392.0 / 128 * power), 2523.0 / 32)
  }

  /// Returns the scene light, 0 to 1, of an HLG level (ITU-R BT.2100, table 5).
  private static func scene(ofHLG level: Double) -> Double {
    level <= 0.5 ? level * level / 3 : (exp((level - 0.559_910_73) / 0.178_832_77) + 0.284_668_92) / 12
  }

  /// Compresses a PQ level below that of diffuse white, with a Hermite spline above the knee.
  private static func compressed(_ level: Double) -> Double {
    let source = pq(ofCandela: Double(displayPeak))
    let most = pq(ofCandela: Double(diffuseWhite)) / source
    let start = 1.5 * most - 0.5
    let share = min(1, level / source)
    guard share > start else { return level }
    let t = (share - start) / (1 - start)
    let (square, cube) = (t * t, t * t * t)
    let shown =
      (2 * cube - 3 * square + 1) * start + (cube - 2 * square + t) * (1 - start) + (3 * square - 2 * cube) * most
    return shown * source
  }

  // MARK: - Matrices

  /// Returns the matrix from RGB with the given primaries to XYZ, with a white luminance of 1, or nil if the primaries
  /// are collinear.
  private static func toXYZ(_ points: [Double]) -> [[Double]]? {
    let columns = stride(from: 0, to: 8, by: 2).map { place -> [Double] in
      let (x, y) = (points[place], points[place + 1])
      return [x / y, 1, (1 - x - y) / y]
    }
    let rows = (0..<3).map { row in (0..<3).map { columns[$0][row] } }
    guard let back = inverse(rows) else { return nil }
    let amounts = back.map { row in (0..<3).reduce(0) { $0 + row[$1] * columns[3][$1] } }
    return rows.map { row in (0..<3).map { row[$0] * amounts[$0] } }
  }

  private static func product(_ left: [[Double]], _ right: [[Double]]) -> [[Double]] {
    left.map { row in (0..<3).map { column in (0..<3).reduce(0) { $0 + row[$1] * right[$1][column] } } }
  }

  private static func inverse(_ m: [[Double]]) -> [[Double]]? {
    func minor(_ row: Int, _ column: Int) -> Double {
      let (r, c) = ((0..<3).filter { $0 != row }, (0..<3).filter { $0 != column })
      return m[r[0]][c[0]] * m[r[1]][c[1]] - m[r[0]][c[1]] * m[r[1]][c[0]]
    }
    let determinant = m[0][0] * minor(0, 0) - m[0][1] * minor(0, 1) + m[0][2] * minor(0, 2)
    guard abs(determinant) > 1e-12 else { return nil }
    return (0..<3).map { row in
      (0..<3).map { column in ((row + column) % 2 == 0 ? 1 : -1) * minor(column, row) / determinant }
    }
  }
}

extension PictureColors {
  /// The conversion to sRGB to apply before rounding if the image is HDR; otherwise nil.
  var hdrToneMapping: HDRToneMapping? {
    guard case .coded(let primaries, let transfer) = self else { return nil }
    return HDRToneMapping(primaries: primaries, transfer: transfer)
  }
}
