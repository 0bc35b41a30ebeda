extension LightMood {
  /// The mood's colours, before a scene moves them a little.
  var atmosphere: Atmosphere {
    switch self {
    case .dawnMist:
      Atmosphere(
        sky: Self.sky(0xF6DDBF, 0xEFD3BC, 0xD5C9C4, 0xAEBCC9, 0x8AA5BF),
        sunlight: Tint(1.05, 0.74, 0.46, 0), skylight: Tint(0.27, 0.29, 0.34, 0),
        haze: Tint(hex: 0xDCCFC4), hazeLength: 11_000, glow: Tint(0.95, 0.62, 0.30, 0), glowReach: 0.34,
        disc: Tint(9, 7.4, 5, 0), cloudLit: Tint(hex: 0xFFE6C8), cloudShade: Tint(hex: 0xB9B4BC))
    case .dawnRose:
      Atmosphere(
        sky: Self.sky(0xF9D3AE, 0xEFC0B0, 0xC8ADBB, 0x969DBD, 0x6780AC),
        sunlight: Tint(0.95, 0.55, 0.36, 0), skylight: Tint(0.22, 0.22, 0.33, 0),
        haze: Tint(hex: 0xC4B2BD), hazeLength: 22_000, glow: Tint(0.75, 0.45, 0.24, 0), glowReach: 0.36,
        disc: Tint(10, 7, 4, 0), cloudLit: Tint(hex: 0xFBCDB8), cloudShade: Tint(hex: 0x8C88A6))
    case .morningClear:
      Atmosphere(
        sky: Self.sky(0xE6ECEC, 0xC9DDE8, 0x9CC3DD, 0x6F9FC8, 0x4F83B3),
        sunlight: Tint(1.12, 0.98, 0.80, 0), skylight: Tint(0.21, 0.27, 0.35, 0),
        haze: Tint(hex: 0xBFD3E2), hazeLength: 30_000, glow: Tint(0.3, 0.27, 0.2, 0), glowReach: 0.5,
        disc: Tint(20, 18, 15, 0), cloudLit: Tint(hex: 0xFFFCF4), cloudShade: Tint(hex: 0xA9BACB))
    case .noonClear:
      Atmosphere(
        sky: Self.sky(0xDCE9EF, 0xB4D3E8, 0x82B3DA, 0x558FC6, 0x3A74AE),
        sunlight: Tint(1.16, 1.08, 0.95, 0), skylight: Tint(0.20, 0.27, 0.37, 0),
        haze: Tint(hex: 0xB4CFE6), hazeLength: 40_000, glow: Tint(0.2, 0.2, 0.2, 0), glowReach: 0.5,
        disc: Tint(20, 19, 17, 0), cloudLit: Tint(hex: 0xFFFEFA), cloudShade: Tint(hex: 0xA3B4C8))
    case .noonHaze:
      Atmosphere(
        sky: Self.sky(0xE4E8E6, 0xD0DDE2, 0xAFCADA, 0x8AB1CC, 0x6F9CBE),
        sunlight: Tint(0.95, 0.87, 0.74, 0), skylight: Tint(0.27, 0.31, 0.37, 0),
        haze: Tint(hex: 0xCBD8DD), hazeLength: 15_000, glow: Tint(0.25, 0.24, 0.2, 0), glowReach: 0.6,
        disc: Tint(16, 15, 13, 0), cloudLit: Tint(hex: 0xFBFAF4), cloudShade: Tint(hex: 0xB5C0C9))
    case .overcast:
      Atmosphere(
        sky: Self.sky(0xDCDEDC, 0xC9CED0, 0xB0B9BF, 0x99A5AE, 0x8795A1),
        sunlight: Tint(0.20, 0.20, 0.19, 0), skylight: Tint(0.52, 0.56, 0.60, 0),
        haze: Tint(hex: 0xC3CACD), hazeLength: 13_000, glow: .zero, glowReach: 0.5,
        disc: .zero, cloudLit: Tint(hex: 0xE6E8E6), cloudShade: Tint(hex: 0x7C8893))
    case .storm:
      Atmosphere(
        sky: Self.sky(0xDAD2BC, 0xA6ABAB, 0x74818B, 0x535F6C, 0x3D4856),
        sunlight: Tint(0.72, 0.62, 0.44, 0), skylight: Tint(0.20, 0.23, 0.28, 0),
        haze: Tint(hex: 0x8E989E), hazeLength: 18_000, glow: Tint(0.2, 0.18, 0.12, 0), glowReach: 0.5,
        disc: .zero, cloudLit: Tint(hex: 0xB5B6B2), cloudShade: Tint(hex: 0x3C4653))
    case .afternoonWarm:
      Atmosphere(
        sky: Self.sky(0xF3E3C4, 0xD9DCCF, 0xA9C6D6, 0x77A5C8, 0x5688B6),
        sunlight: Tint(1.2, 0.93, 0.60, 0), skylight: Tint(0.21, 0.25, 0.31, 0),
        haze: Tint(hex: 0xD2D2C6), hazeLength: 24_000, glow: Tint(0.5, 0.38, 0.2, 0), glowReach: 0.5,
        disc: Tint(18, 15, 10, 0), cloudLit: Tint(hex: 0xFFF3DC), cloudShade: Tint(hex: 0xA7AEB8))
    default: eveningAtmosphere
    }
  }

  private var eveningAtmosphere: Atmosphere {
    switch self {
    case .goldenHour:
      Atmosphere(
        sky: Self.sky(0xFFD898, 0xF3D2A0, 0xCBC6B4, 0x94AFC2, 0x6A93B8),
        sunlight: Tint(1.25, 0.78, 0.36, 0), skylight: Tint(0.20, 0.22, 0.28, 0),
        haze: Tint(hex: 0xDFC7A4), hazeLength: 17_000, glow: Tint(1.15, 0.68, 0.26, 0), glowReach: 0.40,
        disc: Tint(14, 11, 6.5, 0), cloudLit: Tint(hex: 0xFFE2B0), cloudShade: Tint(hex: 0x9D98A2))
    case .sunsetAmber:
      Atmosphere(
        sky: Self.sky(0xFBC885, 0xECAE84, 0xC29A97, 0x878AA5, 0x566A93),
        sunlight: Tint(1.05, 0.50, 0.20, 0), skylight: Tint(0.17, 0.17, 0.24, 0),
        haze: Tint(hex: 0xC6A58F), hazeLength: 19_000, glow: Tint(0.95, 0.5, 0.18, 0), glowReach: 0.38,
        disc: Tint(13, 8.4, 3.2, 0), cloudLit: Tint(hex: 0xFCC694), cloudShade: Tint(hex: 0x7C788F))
    case .sunsetCrimson:
      Atmosphere(
        sky: Self.sky(0xFAB273, 0xE48F75, 0xAF7886, 0x706386, 0x465079),
        sunlight: Tint(0.85, 0.32, 0.16, 0), skylight: Tint(0.14, 0.13, 0.21, 0),
        haze: Tint(hex: 0xA18592), hazeLength: 21_000, glow: Tint(0.85, 0.36, 0.13, 0), glowReach: 0.36,
        disc: Tint(11, 5.2, 1.8, 0), cloudLit: Tint(hex: 0xF5A083), cloudShade: Tint(hex: 0x675F7C))
    case .duskViolet:
      Atmosphere(
        sky: Self.sky(0xE8C0AA, 0xC4A3AD, 0x9189AB, 0x636C98, 0x404F7E),
        sunlight: Tint(0.16, 0.10, 0.11, 0), skylight: Tint(0.17, 0.16, 0.26, 0),
        haze: Tint(hex: 0x8A87A6), hazeLength: 18_000, glow: Tint(0.5, 0.22, 0.12, 0), glowReach: 0.5,
        disc: .zero, cloudLit: Tint(hex: 0xD2A7AB), cloudShade: Tint(hex: 0x585B84), darkness: 0.1)
    case .blueHour:
      Atmosphere(
        sky: Self.sky(0xA9B3C2, 0x7895B8, 0x44689C, 0x24457A, 0x132B57),
        sunlight: Tint(0.015, 0.02, 0.035, 0), skylight: Tint(0.075, 0.105, 0.18, 0),
        haze: Tint(hex: 0x5A7BA6), hazeLength: 19_000, glow: Tint(0.16, 0.10, 0.05, 0), glowReach: 0.6,
        disc: .zero, cloudLit: Tint(hex: 0x8C9BBB), cloudShade: Tint(hex: 0x273F70), darkness: 0.3)
    case .moonlit:
      Atmosphere(
        sky: Self.sky(0x3C5876, 0x2C4768, 0x1D3454, 0x13243F, 0x0B172B),
        sunlight: Tint(0.10, 0.13, 0.17, 0), skylight: Tint(0.022, 0.033, 0.055, 0),
        haze: Tint(hex: 0x263F60), hazeLength: 22_000, glow: Tint(0.10, 0.13, 0.17, 0), glowReach: 0.3,
        disc: Tint(2.6, 2.7, 2.6, 0), cloudLit: Tint(hex: 0x7F97B0), cloudShade: Tint(hex: 0x182A45),
        darkness: 0.6)
    default:
      Atmosphere(
        sky: Self.sky(0x4A5560, 0x2B3D55, 0x192A45, 0x101C33, 0x0B1325),
        sunlight: Tint(0.022, 0.028, 0.038, 0), skylight: Tint(0.036, 0.048, 0.072, 0),
        haze: Tint(hex: 0x16263F), hazeLength: 26_000, glow: .zero, glowReach: 0.5,
        disc: .zero, cloudLit: Tint(hex: 0x2C3F5C), cloudShade: Tint(hex: 0x101C33), darkness: 1)
    }
  }

  private static func sky(_ hexes: UInt32...) -> [Tint] { hexes.map { Tint(hex: $0) } }
}
