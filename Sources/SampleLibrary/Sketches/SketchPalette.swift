import DataStructures

/// The colours of a sketch, as they are shown: parts of 255 with the display's own curve, not of linear light.
struct SketchPalette: Sendable {
  /// The hour, as a title names it.
  let hour: String
  /// The sky's colour at the top, half way, and at the horizon.
  let sky: (top: Tint, middle: Tint, low: Tint)
  /// The light's own colour, and how strongly it colours the sky about it.
  let light: Tint
  let glow: Float
  /// The colours of the farthest ridge and of the nearest.
  let ridges: (far: Tint, near: Tint)

  private init(
    _ hour: String, sky top: UInt32, _ middle: UInt32, _ low: UInt32, light: UInt32, glow: Float, far: UInt32,
    near: UInt32
  ) {
    self.hour = hour
    sky = (SketchPalette.shown(top), SketchPalette.shown(middle), SketchPalette.shown(low))
    self.light = SketchPalette.shown(light)
    self.glow = glow
    ridges = (SketchPalette.shown(far), SketchPalette.shown(near))
  }

  private static func shown(_ hex: UInt32) -> Tint {
    Tint(Float(hex >> 16 & 0xFF), Float(hex >> 8 & 0xFF), Float(hex & 0xFF), 255)
  }

  /// All of them.
  static let all = [
    SketchPalette(
      "at dawn", sky: 0x7E93B8, 0xC9B8C4, 0xF6D9BE, light: 0xFFF0D2, glow: 0.55, far: 0xB4A9B8, near: 0x3E4A5C),
    SketchPalette(
      "in morning mist", sky: 0xA9BECB, 0xCBD3D3, 0xEDE3D2, light: 0xFFF8E6, glow: 0.5, far: 0xC2CBCC, near: 0x5E7271),
    SketchPalette(
      "in the morning", sky: 0x5E93C2, 0x9CC3DD, 0xE2ECEC, light: 0xFFFDF2, glow: 0.4, far: 0x9DB6BE, near: 0x3F6650),
    SketchPalette(
      "at noon", sky: 0x4A86BC, 0x86B6DA, 0xD6E6EC, light: 0xFFFFFA, glow: 0.3, far: 0x93B0B9, near: 0x4C7549),
    SketchPalette(
      "under grey skies", sky: 0x8C99A4, 0xB0B9BF, 0xDADCDA, light: 0xECECE8, glow: 0.15, far: 0xA5AEB1, near: 0x4B5A5B),
    SketchPalette(
      "in the afternoon", sky: 0x5F8FB9, 0xA9C6D6, 0xF1E2C6, light: 0xFFF6DC, glow: 0.45, far: 0xA8B2AC, near: 0x5F6B3F),
    SketchPalette(
      "in golden light", sky: 0x7C9CBC, 0xD9C3A2, 0xFBD391, light: 0xFFF1C4, glow: 0.7, far: 0xC2A284, near: 0x5B4A34),
    SketchPalette(
      "at sunset", sky: 0x56688F, 0xC2919A, 0xF8B878, light: 0xFFE2A8, glow: 0.75, far: 0xA87C80, near: 0x3A3145),
    SketchPalette(
      "at dusk", sky: 0x46527F, 0x8D85A8, 0xE2BBA8, light: 0xF7D8C6, glow: 0.35, far: 0x8681A0, near: 0x2D3150),
    SketchPalette(
      "in the blue hour", sky: 0x1B3361, 0x456A9E, 0xA2B0C2, light: 0xD8E0EA, glow: 0.25, far: 0x54749E, near: 0x15264A),
    SketchPalette(
      "by moonlight", sky: 0x101D36, 0x22395A, 0x46617E, light: 0xE6EBEA, glow: 0.3, far: 0x2E4866, near: 0x0C1628),
  ]

  private static let subjects = [
    "Far ridges", "Quiet hills", "High valley", "Ridge behind ridge", "Blue hills", "Long slopes", "Open country",
    "The pass", "Soft hills", "Before the mountains", "Wide valley", "Folded hills",
  ]

  /// The place of a picture's palette among all.
  static func index(of identity: UInt64) -> Int { Int((identity >> 17) % UInt64(all.count)) }

  /// What a picture is called, such as "Far ridges at dusk".
  static func title(of identity: UInt64) -> String {
    "\(subjects[Int((identity >> 41) % UInt64(subjects.count))]) \(all[index(of: identity)].hour)"
  }
}
