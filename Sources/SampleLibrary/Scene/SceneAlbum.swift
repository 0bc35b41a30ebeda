import DataStructures
import Geometry
import ImageMetadata

/// The scenes of a seed, one for every index; a longer library begins with the shorter one's.
public struct SceneAlbum: Sendable {
  /// The longest side of a picture, in pixels.
  static let longestSide = 4_000
  private static let longSides = [
    longestSide, 3_840, 3_648, 3_456, 3_264, 3_000, 2_880, 2_560, 2_400, 2_048, 1_920, 1_600,
  ]

  private let seed: UInt64

  /// The album of a seed.
  public init(seed: UInt64) { self.seed = seed }

  /// The scene of an index from 0 up; a pure function of seed and index.
  public func scene(at index: Int) -> LandscapeScene {
    let identity = seed &* 0x9E37_79B9_7F4A_7C15 ^ (UInt64(truncatingIfNeeded: index) &+ 1) &* 0xC2B2_AE3D_27D4_EB4F
    var random = PaintRandom(seed: identity, 1)
    let plate = plate(at: index)
    let mood = random.pick(plate.moods)
    let season = random.pick(plate.seasons)
    let weather = random.pick(plate.weathers)
    let ratio = random.pick(plate.ratios)
    let longSide = random.pick(SceneAlbum.longSides)
    guard let size = ratio.size(longSide: longSide) else { failPrecondition("a picture's longer side is out of range") }
    let title = SceneTitle(motif: plate.motif, mood: mood, season: season)
    return LandscapeScene(
      index: index, title: title.text(random: &random), season: season, size: size,
      orientation: orientation(at: index, isTall: size.height > size.width),
      captureTime: CaptureDate.seconds(index: index, season: season, mood: mood, random: &random), motif: plate.motif,
      mood: mood, weather: weather, identity: identity)
  }

  /// The plate of an index: each run of as many pictures as the deck has plates is the deck in another order.
  private func plate(at index: Int) -> ScenePlate {
    let count = ScenePlate.deck.count
    return ScenePlate.deck[dealt(index / count)[index % count]]
  }

  /// A deal of the deck, in which plates of one motif do not come one after the other.
  private func dealt(_ deal: Int) -> [Int] {
    var random = PaintRandom(seed: seed &+ UInt64(truncatingIfNeeded: deal) &* 0x9E6C_63D0_876A_68EE, 3)
    var order = Array(ScenePlate.deck.indices)
    for place in order.indices.reversed() { order.swapAt(place, random.below(place + 1)) }
    for place in order.indices.dropFirst() where motif(order[place]) == motif(order[place - 1]) {
      order.swapAt(place, (place + order.count / 2) % order.count)
    }
    return order
  }

  private func motif(_ plate: Int) -> Motif { ScenePlate.deck[plate].motif }

  /// Most pictures are stored upright; cameras turn the tall ones, and every other way occurs within twenty.
  private func orientation(at index: Int, isTall: Bool) -> Orientation {
    switch index % 20 {
    case 2: .right
    case 5: .down
    case 7: .upMirrored
    case 9: .left
    case 11: .leftMirrored
    case 14: .downMirrored
    case 17: .rightMirrored
    default: isTall && index % 3 != 0 ? (index % 2 == 0 ? .right : .left) : .up
    }
  }
}
