import Glibc
import Synchronization
import VitrineDataStructures
public import VitrineGeometry
public import VitrineImagePipeline
public import VitrineRendering

/// An album of any number of generated images, each of which follows from the seed and its index alone.
public struct SketchAlbum: Sendable {
  /// The longer side of each image, in pixels.
  public static let longSide = 4_000
  /// The number of months that a library spans at most: forty years.
  private static let maximumMonths = 480
  private static let minimumPerMonth = 24
  /// The latest month: June 2025.
  private static let latest = (year: 2025, month: 6)
  /// Images are taken from six in the morning on, for fifteen hours.
  private static let day: (start: Int, seconds: Int) = (6 * 3_600, 15 * 3_600)
  /// The number of pixels of which a tiny preview is computed: more than it stores.
  private static let previewArea = 80

  private let seed: UInt64
  private let perMonth: Int
  /// The number of images after which the dates repeat.
  private let period: Int

  /// Creates an album.
  ///
  /// - Parameters:
  ///   - count: The number of images that will be used: the more, the more fall into a month. Default: 0, for an album
  ///     whose dates do not depend on the number: they fill six years, again and again.
  ///   - seed: The seed. Other seeds give other images.
  public init(count: Int = 0, seed: UInt64) {
    self.seed = seed
    period = count > 0 ? .max : 72 * SketchAlbum.minimumPerMonth
    let maximum = SketchAlbum.maximumMonths
    perMonth = max(SketchAlbum.minimumPerMonth, (count + maximum - 1) / maximum)
  }

  /// Returns the size of an image, in pixels.
  public func size(at index: Int) -> PixelSize {
    let ratio = Sketch.aspectRatios[Int(SplitMix64.mix(identity(of: index)) % UInt64(Sketch.aspectRatios.count))]
    let longer = max(ratio.width, ratio.height)
    guard
      let size = PixelSize(
        width: SketchAlbum.longSide * ratio.width / longer, height: SketchAlbum.longSide * ratio.height / longer)
    else { failPrecondition("an image's longer side is out of range") }
    return size
  }

  /// Returns the title of an image with its number, such as "7 Far ridges at dusk".
  public func title(at index: Int) -> String { "\(index + 1) \(subject(at: index))" }

  /// Returns what an image shows, such as "Far ridges at dusk".
  public func subject(at index: Int) -> String { SketchPalette.title(of: identity(of: index)) }

  /// Paints an image.
  ///
  /// - Parameters:
  ///   - index: The image's index.
  ///   - size: The size in pixels, which the image fills.
  ///   - storage: The memory layout of the pixels. Default: red first.
  ///   - grain: The amplitude of added film grain in 0...255. Default: 0.
  /// - Throws: `BitmapError` if there is not enough memory.
  /// - Complexity: O(pixels).
  public func paint(
    at index: Int, filling size: PixelSize, _ storage: PixelStorage = PixelStorage(), grain: Int = 0
  ) throws -> Bitmap {
    let sketch = Sketch(identity: identity(of: index), size: self.size(at: index))
    return try SketchCanvas(sketch, filling: size).paint(storage, grain: grain)
  }

  /// Returns a tiny preview of an image, or nil if there is not enough memory.
  ///
  /// - Complexity: O(1), some ten microseconds.
  public func tinyPreview(at index: Int) -> TinyPreview? {
    let size = size(at: index)
    return (try? paint(at: index, filling: size.scaled(toMaximumArea: SketchAlbum.previewArea))).map {
      TinyPreview(of: $0, pictureSize: size)
    }
  }

  /// Returns the capture time of an image in seconds since 1970, by the camera's clock.
  ///
  /// Indices go from month to month, the latest first, and forward within a month.
  ///
  /// - Complexity: O(1).
  public func captureTime(at index: Int) -> Int64 {
    let (round, index) = index.quotientAndRemainder(dividingBy: period)
    var month = index / perMonth
    if firstIndex(ofMonth: month) > index { month -= 1 }
    let first = firstIndex(ofMonth: month)
    let count = firstIndex(ofMonth: month + 1) - first
    let start = SketchAlbum.startTime(monthsBeforeLatest: month)
    let days = (SketchAlbum.startTime(monthsBeforeLatest: month - 1) - start) / 86_400
    let second = days * SketchAlbum.day.seconds * (index - first) / count
    let (day, remainder) = second.quotientAndRemainder(dividingBy: SketchAlbum.day.seconds)
    return Int64(start + day * 86_400 + SketchAlbum.day.start + remainder + round)
  }

  /// Returns the index of a month's first image, counting months backward from the latest; a month has between half and
  /// three halves of the mean number of images.
  private func firstIndex(ofMonth month: Int) -> Int {
    guard month > 0 else { return 0 }
    let shift = SplitMix64.mix(seed ^ UInt64(month) &* 0x9E6C_63D0_876A_68EE) % UInt64(perMonth / 2)
    return month * perMonth + Int(shift)
  }

  /// Returns the first second of a month, since 1970.
  ///
  /// The C function is `timegm`.
  private static func startTime(monthsBeforeLatest months: Int) -> Int {
    var date = tm()
    date.tm_year = Int32(latest.year - 1_900)
    date.tm_mon = Int32(latest.month - 1 - months)
    date.tm_mday = 1
    return timegm(&date)
  }

  /// Returns the number from which everything about an image follows.
  private func identity(of index: Int) -> UInt64 { SplitMix64.mix(SplitMix64.mix(seed) ^ UInt64(index)) }
}

// MARK: - Painting in an image pipeline

/// Paints an album's images on the threads of an image pipeline: no file is opened and no process is started.
public final class SketchPainter: DecoderFactory, PipelineImageDecoder {
  private let album: SketchAlbum
  private let storage: PixelStorage
  private let isInterrupted = Atomic(false)

  /// Creates a painter of an album's images, which requests name as `ImageSource.generated(_:)`.
  ///
  /// - Parameters:
  ///   - album: The album.
  ///   - storage: The memory layout of the pixels. Default: red first.
  public init(_ album: SketchAlbum, storage: PixelStorage = PixelStorage()) {
    self.album = album
    self.storage = storage
  }

  /// Returns the painter itself, which is safe on any thread.
  public func makeDecoder(worker: Int) -> any PipelineImageDecoder { self }

  /// Ends every later request with `ImageFailure.interrupted`; images in progress are finished within a moment.
  public func interrupt() { isInterrupted.store(true, ordering: .relaxed) }

  /// Does nothing.
  public func prepare() {}

  /// Paints an image.
  public func decode(_ request: ImageRequest) -> ImageOutcome {
    if isInterrupted.load(ordering: .relaxed) { return .failure(.interrupted) }
    guard case .generated(let source) = request.source, let index = Int(exactly: source) else {
      return .failure(.unsupportedSource)
    }
    let full = album.size(at: index)
    // A sketch can be painted at any size: to fill a size, nothing is enlarged.
    let size = request.key.fit == .fit ? full.fitted(into: request.key.size) : request.key.size
    do {
      return .success(DecodedImage(bitmap: try album.paint(at: index, filling: size, storage), sourceSize: full))
    } catch {
      return .failure(.outOfMemory)
    }
  }
}

extension PixelSize {
  /// Returns the largest size of this aspect ratio that fits a box and is not larger than this size.
  func fitted(into box: PixelSize) -> PixelSize {
    let scale = min(1, Double(box.width) / Double(width), Double(box.height) / Double(height))
    func scaled(_ side: Int) -> Int { max(1, Int(Double(side) * scale + 1e-6)) }
    return PixelSize(width: scaled(width), height: scaled(height)) ?? box
  }
}
