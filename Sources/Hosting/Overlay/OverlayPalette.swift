import FramePacing
import Rendering

/// The overlay's type and colours: one a phase, quiet enough to be lived with, apart enough to be told apart.
enum OverlayPalette {
  static let textStyle = TextStyle(size: 11, weight: .medium, hasMonospacedDigits: true)
  static let panelBackground = Color(hex: 0x0B0C0E, alpha: 246)
  /// Around the panel, which would else have no edge over what is as dark.
  static let border = Color(hex: 0xFFFFFF, alpha: 46)
  static let text = Color(hex: 0xE9EAEE)
  static let secondaryText = Color(hex: 0x8B8D98)
  static let grid = Color(hex: 0xFFFFFF, alpha: 30)
  static let deadline = Color(hex: 0xFFD166, alpha: 200)
  static let good = Color(hex: 0x7BD88F)
  static let warning = Color(hex: 0xFFD166)
  static let critical = Color(hex: 0xFF6B6B)

  static func color(of verdict: HitchRating) -> Color {
    switch verdict {
    case .good: good
    case .warning: warning
    case .critical: critical
    }
  }

  /// The colour of a late frame's mark.
  static func color(of hitchClass: HitchClass) -> Color {
    switch hitchClass {
    case .none: grid
    case .commitLate: critical
    case .slackOverrun: Color(hex: 0xE78BE7)
    case .presentLate: Color(hex: 0xFF9F5A)
    case .ownWorkers: Color(hex: 0xFFC2A1)
    case .wakeLate: Color(hex: 0xD7F25C)
    case .external: Color(hex: 0xF2F4F8)
    }
  }

  /// The phases that a bar stacks, from the bottom up.
  static let phases: [FramePhase] = [.events, .update, .collect, .layout, .commit, .upload, .raster, .slack, .present]

  static func color(of phase: FramePhase) -> Color {
    switch phase {
    case .events: Color(hex: 0x9AA0AC)
    case .update: Color(hex: 0xB9A3E3)
    case .collect: Color(hex: 0x6FC3DF)
    case .layout: Color(hex: 0x8BD3A7)
    case .commit: Color(hex: 0x7FB2FF)
    case .upload: Color(hex: 0xC98A96)
    case .raster: Color(hex: 0x5B7FD1)
    case .slack: Color(hex: 0x3E4A63)
    case .present: Color(hex: 0x6D6E78)
    }
  }
}
