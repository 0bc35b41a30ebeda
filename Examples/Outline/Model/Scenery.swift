/// What a destination's picture is of.
nonisolated enum Scenery: Hashable, Sendable {
  case coast, mountains, desert, forest, lake, ice, town
}
