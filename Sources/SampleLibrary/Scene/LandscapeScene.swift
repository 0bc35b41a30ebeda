public import Geometry
public import ImageMetadata

/// A picture before it is painted: what it shows, when, under which sky, and how large.
public struct LandscapeScene: Hashable, Sendable {
  /// Which picture of its library, from 0.
  public let index: Int
  /// What it is called, such as "Autumn hills at dusk".
  public let title: String
  /// The season it shows.
  public let season: Season
  /// The extent of the picture as it is looked at, in pixels.
  public let size: PixelSize
  /// How its file stores the pixels.
  public let orientation: Orientation
  /// When it was taken, by the camera's clock: seconds since 1970 as if that clock were UTC.
  public let captureTime: Int64

  let motif: Motif
  let mood: LightMood
  let weather: Weather
  /// The seed of everything random in it.
  let identity: UInt64
}
