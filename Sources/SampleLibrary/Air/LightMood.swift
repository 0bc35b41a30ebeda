/// The light that a scene stands in.
enum LightMood: CaseIterable, Hashable, Sendable {
  case dawnMist
  case dawnRose
  case morningClear
  case noonClear
  case noonHaze
  case overcast
  case storm
  case afternoonWarm
  case goldenHour
  case sunsetAmber
  case sunsetCrimson
  case duskViolet
  case blueHour
  case moonlit
  case starlit
}

extension LightMood {
  /// Where the sun stands, in degrees above the horizon.
  var sunElevation: ClosedRange<Float> {
    switch self {
    case .dawnMist: 5...9
    case .dawnRose: 1.5...4
    case .morningClear: 22...34
    case .noonClear: 42...56
    case .noonHaze: 36...50
    case .overcast: 38...50
    case .storm: 24...34
    case .afternoonWarm: 18...28
    case .goldenHour: 6...11
    case .sunsetAmber: 2...5
    case .sunsetCrimson: 0.5...2.5
    case .duskViolet: 0.2...1
    case .blueHour: 8...14
    case .moonlit: 12...22
    case .starlit: 30...40
    }
  }

  /// Whether the sun itself may stand in the picture.
  var showsSun: Bool {
    switch self {
    case .dawnMist, .dawnRose, .goldenHour, .sunsetAmber, .sunsetCrimson, .moonlit: true
    default: false
    }
  }

  /// Whether it is night, and the light the moon's or the stars'.
  var isNight: Bool { self == .moonlit || self == .starlit }

  /// The hours of the day at which it happens, by the length of half the day in hours.
  func hours(halfDay: Float) -> ClosedRange<Float> {
    let (rise, set) = (12.6 - halfDay, 12.6 + halfDay)
    return switch self {
    case .dawnMist: (rise + 0.4)...(rise + 1)
    case .dawnRose: (rise - 0.1)...(rise + 0.3)
    case .morningClear: (rise + 1.6)...(rise + 3.2)
    case .noonClear, .noonHaze, .overcast: 11...14.8
    case .storm: 13.5...(set - 2)
    case .afternoonWarm: (set - 2.6)...(set - 1.4)
    case .goldenHour: (set - 1)...(set - 0.5)
    case .sunsetAmber: (set - 0.4)...(set - 0.1)
    case .sunsetCrimson: (set - 0.2)...(set + 0.1)
    case .duskViolet: (set + 0.2)...(set + 0.5)
    case .blueHour: (set + 0.5)...(set + 0.9)
    case .moonlit: 21.6...23.5
    case .starlit: 22...23.9
    }
  }
}
