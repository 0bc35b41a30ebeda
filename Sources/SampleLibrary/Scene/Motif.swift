/// What a scene shows.
enum Motif: CaseIterable, Hashable, Sendable {
  case lake
  case valley
  case ridges
  case fields
  case dunes
  case mesas
  case volcano
  case coast
  case sea
  case winterHills
  case forest
  case rows
  case loneTree
  case meadow
  case stars
  case aurora
  case moonrise
  case fjord
  case autumnHills
  case clouds
}
