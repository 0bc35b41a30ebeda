/// One card of the deck that a library's scenes are drawn from: a motif with the lights and seasons that suit it.
struct ScenePlate: Sendable {
  let motif: Motif
  let moods: [LightMood]
  var seasons: [Season] = Season.allCases
  var weathers: [Weather] = [.clear, .wisps, .flakes, .fair]
  var ratios: [AspectRatio] = [.classic, .classic, .compact, .wide]
}

extension ScenePlate {
  /// The deck.
  ///
  /// As many plates of a kind as it may come within one deal; every deal uses every plate once.
  static let deck: [ScenePlate] = [
    ScenePlate(
      motif: .lake, moods: [.goldenHour, .sunsetAmber, .dawnRose], weathers: [.clear, .wisps, .flakes]),
    ScenePlate(
      motif: .lake, moods: [.morningClear, .noonClear, .afternoonWarm], seasons: [.summer, .autumn, .autumn, .winter],
      weathers: [.fair, .wisps, .clear]),
    ScenePlate(motif: .lake, moods: [.dawnMist, .blueHour, .duskViolet], weathers: [.clear, .wisps, .flakes]),
    ScenePlate(
      motif: .valley, moods: [.morningClear, .noonClear, .afternoonWarm], seasons: [.spring, .summer, .autumn],
      weathers: [.fair, .fair, .heaped]),
    ScenePlate(
      motif: .ridges, moods: [.dawnMist, .goldenHour, .dawnRose], weathers: [.clear, .wisps],
      ratios: [.wide, .panorama, .classic]),
    ScenePlate(
      motif: .ridges, moods: [.duskViolet, .sunsetCrimson, .blueHour], weathers: [.clear, .wisps, .flakes],
      ratios: [.cinema, .classic, .compact]),
    ScenePlate(
      motif: .fields, moods: [.afternoonWarm, .goldenHour, .morningClear],
      seasons: [.spring, .summer, .summer, .autumn],
      weathers: [.fair, .heaped, .wisps], ratios: [.classic, .wide, .compact, .panorama]),
    ScenePlate(
      motif: .fields, moods: [.storm, .noonHaze, .dawnMist], seasons: [.spring, .autumn, .summer],
      weathers: [.heaped, .ceiling, .fair]),
    ScenePlate(
      motif: .dunes, moods: [.afternoonWarm, .goldenHour, .goldenHour, .sunsetAmber],
      seasons: [.spring, .autumn, .winter],
      weathers: [.clear, .wisps], ratios: [.classic, .tallCompact, .wide]),
    ScenePlate(
      motif: .mesas, moods: [.goldenHour, .afternoonWarm, .morningClear, .sunsetAmber],
      seasons: [.spring, .summer, .autumn],
      weathers: [.fair, .wisps, .clear], ratios: [.classic, .wide, .panorama]),
    ScenePlate(
      motif: .volcano, moods: [.dawnRose, .morningClear, .sunsetCrimson, .duskViolet],
      weathers: [.clear, .wisps, .fair],
      ratios: [.classic, .compact, .square]),
    ScenePlate(
      motif: .coast, moods: [.afternoonWarm, .noonClear, .goldenHour, .overcast], seasons: [.spring, .summer, .autumn],
      weathers: [.fair, .wisps, .heaped]),
    ScenePlate(
      motif: .sea, moods: [.sunsetAmber, .sunsetCrimson, .goldenHour], weathers: [.wisps, .flakes, .fair],
      ratios: [.classic, .compact, .wide, .tallCompact]),
    ScenePlate(
      motif: .sea, moods: [.storm, .overcast, .noonClear, .duskViolet], weathers: [.heaped, .ceiling],
      ratios: [.classic, .panorama, .wide]),
    ScenePlate(
      motif: .winterHills, moods: [.dawnRose, .morningClear, .duskViolet, .goldenHour], seasons: [.winter],
      weathers: [.clear, .wisps, .flakes]),
    ScenePlate(
      motif: .forest, moods: [.dawnMist, .overcast, .goldenHour], seasons: [.autumn, .spring, .winter],
      weathers: [.clear], ratios: [.tall, .tall, .tallCompact, .classic]),
    ScenePlate(
      motif: .forest, moods: [.blueHour, .dawnRose, .noonHaze], seasons: [.autumn, .winter, .summer],
      weathers: [.clear], ratios: [.classic, .tall, .square]),
    ScenePlate(
      motif: .rows, moods: [.goldenHour, .sunsetAmber, .dawnRose, .afternoonWarm],
      seasons: [.spring, .summer, .summer, .autumn],
      weathers: [.wisps, .flakes, .fair], ratios: [.classic, .compact, .tallCompact]),
    ScenePlate(
      motif: .loneTree, moods: [.sunsetAmber, .goldenHour, .duskViolet], weathers: [.wisps, .flakes, .clear],
      ratios: [.classic, .square, .tallCompact]),
    ScenePlate(
      motif: .loneTree, moods: [.overcast, .morningClear, .dawnMist], weathers: [.fair, .wisps, .ceiling],
      ratios: [.square, .classic, .compact]),
    ScenePlate(
      motif: .meadow, moods: [.morningClear, .goldenHour, .afternoonWarm], seasons: [.spring, .summer],
      weathers: [.fair, .wisps], ratios: [.classic, .tall, .compact]),
    ScenePlate(motif: .stars, moods: [.starlit], weathers: [.clear], ratios: [.tall, .tallCompact, .classic]),
    ScenePlate(
      motif: .aurora, moods: [.starlit], seasons: [.winter, .autumn], weathers: [.clear],
      ratios: [.classic, .tall, .wide]),
    ScenePlate(motif: .moonrise, moods: [.moonlit], weathers: [.flakes, .fair, .wisps], ratios: [.classic, .compact]),
    ScenePlate(
      motif: .fjord, moods: [.duskViolet, .dawnMist, .blueHour, .overcast], weathers: [.wisps, .flakes, .clear],
      ratios: [.classic, .panorama, .cinema]),
    ScenePlate(
      motif: .autumnHills, moods: [.morningClear, .goldenHour, .dawnMist, .afternoonWarm], seasons: [.autumn],
      weathers: [.fair, .clear, .wisps]),
    ScenePlate(
      motif: .clouds, moods: [.noonClear, .afternoonWarm, .sunsetAmber, .sunsetCrimson],
      weathers: [.heaped, .fair, .flakes],
      ratios: [.classic, .tallCompact, .square]),
  ]
}
