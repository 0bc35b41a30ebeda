/// What a destination's picture is of.
enum Scenery: Hashable, Sendable {
  case coast, mountains, desert, forest, lake, ice, town
}
