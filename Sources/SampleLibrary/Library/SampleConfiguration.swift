/// What a sample library is to be.
public struct SampleConfiguration: Hashable, Sendable {
  /// How many pictures.
  public var count: Int
  /// Which pictures: libraries of one seed begin with the same ones.
  public var seed: UInt64
  /// The folder for the files, in bytes; it is made where it is not.
  public var folder: [UInt8]
  /// How many threads paint, at least 1; each holds a picture of up to 64 MB and as much again for its scene.
  public var threads: Int
  /// The quality of the JPEG files, 1 to 100.
  public var quality: Int
  /// Whether the threads yield to those that draw.
  public var isLowPriority: Bool
  /// How many times smaller the pictures are than their scenes say: for tests of what is not their looks.
  var reduction = 1

  /// Makes a configuration.
  public init(
    count: Int, seed: UInt64 = 1, folder: [UInt8], threads: Int = 2, quality: Int = 92, isLowPriority: Bool = true
  ) {
    self.count = count
    self.seed = seed
    self.folder = folder
    self.threads = threads
    self.quality = quality
    self.isLowPriority = isLowPriority
  }
}
