/// What stands in a scene's sky.
enum Weather: Hashable, Sendable {
  /// Nothing, or nearly.
  case clear
  /// High streaks of ice.
  case wisps
  /// A sheet of small flakes.
  case flakes
  /// A few heaped clouds.
  case fair
  /// Many heaped clouds.
  case heaped
  /// A grey ceiling.
  case ceiling
}

extension Weather {
  /// The weather's clouds.
  func decks(random: inout PaintRandom) -> [CloudDeck] {
    switch self {
    case .clear:
      random.chance(0.5) ? [] : [streaks(coverage: random.within(0.12...0.28), opacity: 0.5, random: &random)]
    case .wisps: [streaks(coverage: random.within(0.4...0.62), opacity: 0.85, random: &random)]
    case .flakes:
      [
        streaks(coverage: 0.25, opacity: 0.5, random: &random),
        deck(.flaked, coverage: 0.36...0.56, scale: 1_900...2_700, altitude: 2_400, thickness: 150, random: &random),
      ]
    case .fair:
      [
        streaks(coverage: 0.25, opacity: 0.45, random: &random),
        deck(.heaped, coverage: 0.28...0.38, scale: 1_500...2_300, altitude: 1_150, thickness: 520, random: &random),
      ]
    case .heaped:
      [deck(.heaped, coverage: 0.42...0.54, scale: 1_900...2_900, altitude: 1_250, thickness: 760, random: &random)]
    case .ceiling:
      [
        deck(.folded, coverage: 0.80...0.95, scale: 2_200...3_200, altitude: 1_500, thickness: 200, random: &random),
        deck(.heaped, coverage: 0.30...0.42, scale: 2_600...3_400, altitude: 1_000, thickness: 300, random: &random),
      ]
    }
  }

  private func streaks(coverage: Float, opacity: Float, random: inout PaintRandom) -> CloudDeck {
    CloudDeck(
      kind: .streaked, coverage: coverage, scale: random.within(2_000...3_200), altitude: 4_200, thickness: 120,
      opacity: opacity, origin: SIMD2(random.unit(), random.unit()) * 512, wind: direction(random.within(-0.9...0.9)))
  }

  private func deck(
    _ kind: CloudDeck.Kind, coverage: ClosedRange<Float>, scale: ClosedRange<Float>, altitude: Float, thickness: Float,
    random: inout PaintRandom
  ) -> CloudDeck {
    CloudDeck(
      kind: kind, coverage: random.within(coverage), scale: random.within(scale), altitude: altitude,
      thickness: thickness, opacity: 0.96, origin: SIMD2(random.unit(), random.unit()) * 512,
      wind: direction(random.within(-0.7...0.7)))
  }

  private func direction(_ angle: Float) -> SIMD2<Float> { SIMD2(cosine(angle), sine(angle)) }
}
