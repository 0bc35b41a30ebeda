import DataStructures
public import Geometry
public import ImagePipeline

/// Any number of painted pictures without files: each follows from the seed and its number alone.
public struct SketchAlbum: Sendable {
  /// The sections that a library by months has at most: forty years.
  private static let mostMonths = 480
  private static let fewestPerMonth = 24
  /// The latest month: June 2025.
  private static let latest = (year: 2025, month: 6)
  /// Pictures are taken from six in the morning on, for fifteen hours.
  private static let day: (start: Int64, seconds: Int64) = (6 * 3_600, 15 * 3_600)
  private static let longSide = 4_000
  /// The pixels of which a preview is made: more than it keeps.
  private static let previewArea = 80

  private let seed: UInt64
  private let perMonth: Int

  /// Makes the album of a seed.
  ///
  /// - Parameters:
  ///   - count: how many pictures will be looked at: the more, the more fall into a month.
  ///   - seed: another one, other pictures.
  public init(count: Int, seed: UInt64) {
    self.seed = seed
    perMonth = max(SketchAlbum.fewestPerMonth, (count + SketchAlbum.mostMonths - 1) / SketchAlbum.mostMonths)
  }

  /// What a picture shows.
  func sketch(at number: Int) -> Sketch { Sketch(identity: identity(number), size: size(at: number)) }

  /// A picture's extent in pixels.
  public func size(at number: Int) -> PixelSize {
    let shape = Sketch.shapes[Int(SplitMix64.mix(identity(number)) % UInt64(Sketch.shapes.count))]
    guard let size = shape.size(longSide: SketchAlbum.longSide) else {
      failPrecondition("a picture's longer side is out of range")
    }
    return size
  }

  /// What a picture looks like, small: its forms and colours, painted at a few pixels; nothing where memory is out.
  ///
  /// - Complexity: O(1), some ten microseconds.
  public func tinyPreview(at number: Int) -> TinyPreview? {
    let picture = size(at: number)
    let size = picture.scaled(toMaximumArea: SketchAlbum.previewArea)
    return (try? SketchCanvas(sketch(at: number), filling: size).paint()).map {
      TinyPreview(of: $0, pictureSize: picture)
    }
  }

  /// What a picture is called, with its number in front.
  public func title(at number: Int) -> String { "\(number + 1) \(SketchPalette.title(of: identity(number)))" }

  /// When a picture was taken, in seconds since 1970 by the camera's own clock.
  ///
  /// Numbers go from month to month, the latest first, and within a month forward.
  ///
  /// - Complexity: O(1).
  public func captureTime(at number: Int) -> Int64 {
    var month = number / perMonth
    if firstNumber(ofMonth: month) > number { month -= 1 }
    let first = firstNumber(ofMonth: month)
    let count = firstNumber(ofMonth: month + 1) - first
    let start = SketchAlbum.days(beforeLatest: month)
    let length = SketchAlbum.days(beforeLatest: month - 1) - start
    let second = length * SketchAlbum.day.seconds * Int64(number - first) / Int64(count)
    let (day, rest) = second.quotientAndRemainder(dividingBy: SketchAlbum.day.seconds)
    return (start + day) * 86_400 + SketchAlbum.day.start + rest
  }

  /// The first picture of a month, counted backwards from the latest; months have between half as many and half as many
  /// again as the mean.
  private func firstNumber(ofMonth month: Int) -> Int {
    guard month > 0 else { return 0 }
    let shift = SplitMix64.mix(seed ^ UInt64(month) &* 0x9E6C_63D0_876A_68EE) % UInt64(perMonth / 2)
    return month * perMonth + Int(shift)
  }

  /// Days from 1970 to the first of a month.
  private static func days(beforeLatest months: Int) -> Int64 {
    let month = latest.year * 12 + latest.month - 1 - months
    return CaptureDate.days(year: month / 12, month: month % 12 + 1, day: 1)
  }

  private func identity(_ number: Int) -> UInt64 { SplitMix64.mix(SplitMix64.mix(seed) ^ UInt64(number)) }
}
