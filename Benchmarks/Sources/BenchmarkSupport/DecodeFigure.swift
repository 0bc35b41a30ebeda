import Glibc
public import VitrineGeometry

/// The cost of one thumbnail, compared with a peer program.
public struct DecodeFigure: Hashable, Sendable {
  /// The columns of the table.
  public static let columns: [(head: String, alignment: TextTable.Alignment)] = [
    ("picture", .left), ("megapixels", .right), ("to", .right), ("ours", .right), ("libvips", .right),
    ("ours/libvips", .right), ("aim", .left), ("quality", .right), ("aim", .left),
  ]

  /// The file name.
  public let name: String
  /// The kind of image.
  public let kind: PictureKind
  /// The size of the image, in megapixels.
  public let megapixels: Double
  /// The longest side of the thumbnail, in pixels.
  public let size: Int
  /// The processor time of our decoder in each run, in nanoseconds.
  public var ours: [Double] = []
  /// The processor time of the peer in each run, in nanoseconds.
  public var peer: [Double] = []
  /// The processor time of the peer decoding the whole image, in nanoseconds, if it can use an embedded thumbnail
  /// instead.
  public var peerOfWhole: [Double] = []
  /// The similarity of our thumbnail to the reference, in decibels.
  public var quality = 0.0

  /// Creates a figure without runs.
  public init(name: String, kind: PictureKind, megapixels: Double, size: Int) {
    self.name = name
    self.kind = kind
    self.megapixels = megapixels
    self.size = size
  }

  /// Our median time divided by the peer's, or nil without a run of each.
  ///
  /// If the peer's time for the whole image was measured, that time is used.
  public var ratio: Double? { DecodeFigure.ratio(ours, peerOfWhole.isEmpty ? peer : peerOfWhole) }

  /// Returns the median of some runs divided by the median of others, or nil without a run of each.
  public static func ratio(_ figures: [Double], _ others: [Double]) -> Double? {
    guard !figures.isEmpty, !others.isEmpty, median(others) > 0 else { return nil }
    return median(figures) / median(others)
  }

  /// Returns the lower median of numbers, or 0 if there are none.
  public static func median(_ numbers: [Double]) -> Double {
    numbers.isEmpty ? 0 : numbers.sorted()[(numbers.count - 1) / 2]
  }

  /// Returns an upper bound and whether a figure meets it, or an empty string if either is nil.
  public static func verdict(_ figure: Double?, atMost bound: Double?) -> String {
    guard let bound, let figure else { return "" }
    return "<= \(FigureText.ratio(bound)) " + (figure <= bound ? "reached" : "MISSED")
  }

  /// Records our time, its ratio to the peer's, and the quality.
  public func record(in recorder: FigureRecorder) {
    let words = ["decode", name, "\(size)"]
    recorder.add(words + ["time"], ours.isEmpty ? nil : DecodeFigure.median(ours), .nanoseconds, .measured)
    recorder.add(words + ["over-libvips"], ratio, .ratio, .related)
    recorder.add(words + ["quality"], quality, .decibels, .counted)
  }

  /// The table row.
  public var row: [String] {
    let peers = [peer, peerOfWhole].filter { !$0.isEmpty }.map { FigureText.time(DecodeFigure.median($0)) }
    return [
      name, FigureText.tenths(megapixels), "\(size)", FigureText.time(DecodeFigure.median(ours)),
      peers.isEmpty ? "-" : peers.joined(separator: " / "), ratio.map(FigureText.ratio) ?? "-",
      DecodeFigure.verdict(ratio, atMost: kind.aim(megapixels: megapixels, size: size)),
      quality == .infinity ? "the same" : FigureText.tenths(quality) + " dB",
      kind.minimumQuality.map { ">= \(FigureText.count($0)) " + (quality >= $0 ? "reached" : "MISSED") } ?? "",
    ]
  }
}

/// The kind of an image with respect to its decoding cost.
public enum PictureKind: Hashable, Sendable {
  /// Baseline JPEG, with one scan of the pixels.
  case baseline
  /// Progressive JPEG.
  case progressive
  /// PNG.
  case png
  /// Lossy WebP.
  case webP
  /// AVIF.
  case avif
  /// HEIC without an embedded thumbnail.
  case heic
  /// HEIC with an embedded thumbnail.
  case heicWithPreview
  /// Any other kind, for which there are no goals.
  case other

  /// Returns the upper bound on our time relative to libvips, or nil if there is none.
  ///
  /// - Parameters:
  ///   - megapixels: The size of the image, in megapixels.
  ///   - size: The longest side of the thumbnail, in pixels.
  public func aim(megapixels: Double, size: Int) -> Double? {
    let isTwelve = (10...14).contains(megapixels)
    switch self {
    case .baseline: return isTwelve && size == 256 ? 0.85 : isTwelve && size == 512 ? 0.7 : 0.95
    case .progressive: return size <= 256 ? 0.25 : nil
    case .png: return 0.9
    case .webP, .heic: return 1.05
    case .avif: return 0.45
    case .heicWithPreview: return size <= 256 ? 0.05 : nil
    case .other: return nil
    }
  }

  /// The lower bound on the similarity of a thumbnail to the reference, in decibels.
  ///
  /// Nil if the thumbnail is embedded in the file and therefore not ours, or if there is no goal for the kind.
  public var minimumQuality: Double? {
    switch self {
    case .progressive: 43
    case .baseline, .png, .webP, .avif, .heic: 45
    case .heicWithPreview, .other: nil
    }
  }

  /// Whether the image is also measured with a bare JPEG decoder.
  public var isBaseline: Bool { self == .baseline }
}

/// The marker of a JPEG file that specifies its coding process (ITU-T T.81, table B.1).
public enum FrameMarker {
  /// Returns whether a JPEG file is progressive, or false if no frame header is found.
  ///
  /// - Complexity: O(m) for m markers before the frame header.
  public static func isProgressive(_ file: UnsafeRawBufferPointer) -> Bool {
    var position = 2
    while position + 4 <= file.count, file[position] == 0xFF {
      let marker = file[position + 1]
      if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
        return [0xC2, 0xC6, 0xCA, 0xCE].contains(marker)
      }
      position += 2 + Int(file[position + 2]) << 8 + Int(file[position + 3])
    }
    return false
  }
}

// MARK: - Pipeline

/// The cost of one JPEG thumbnail by three paths: bare decoding, our decoder in this process, and the whole pipeline.
public struct DecodePathFigure: Hashable, Sendable {
  /// The columns of the table.
  public static let columns: [(head: String, alignment: TextTable.Alignment)] = [
    ("picture", .left), ("to", .right), ("bare libjpeg-turbo", .right), ("in this process", .right),
    ("through the pipeline", .right), ("pipeline/bare", .right), ("aim", .left), ("pipeline/in process", .right),
    ("aim", .left),
  ]

  /// The maximum time of the whole pipeline relative to bare decoding.
  public static let maximumOverBare = 1.15
  /// The maximum time with a sandboxed process relative to decoding in a thread.
  public static let maximumOverThread = 1.05

  /// The file name.
  public let name: String
  /// The longest side of the thumbnail, in pixels.
  public let size: Int
  /// The processor time of bare decoding with libjpeg-turbo in each run, in nanoseconds.
  public var bare: [Double] = []
  /// The processor time of our decoder in this process in each run, in nanoseconds.
  public var inProcess: [Double] = []
  /// The processor time of the whole pipeline in each run, summed over all processes, in nanoseconds.
  public var pipeline: [Double] = []

  /// Creates a figure without runs.
  public init(name: String, size: Int) {
    self.name = name
    self.size = size
  }

  /// Records the ratios of the pipeline to bare decoding and to decoding in a thread.
  public func record(in recorder: FigureRecorder) {
    let words = ["decode", name, "\(size)"]
    recorder.add(words + ["over-bare"], DecodeFigure.ratio(pipeline, bare), .ratio, .related)
    recorder.add(words + ["over-thread"], DecodeFigure.ratio(pipeline, inProcess), .ratio, .related)
  }

  /// The table row.
  public var row: [String] {
    let overBare = DecodeFigure.ratio(pipeline, bare)
    let overThread = DecodeFigure.ratio(pipeline, inProcess)
    return [
      name, "\(size)", FigureText.time(DecodeFigure.median(bare)), FigureText.time(DecodeFigure.median(inProcess)),
      FigureText.time(DecodeFigure.median(pipeline)), overBare.map(FigureText.ratio) ?? "-",
      DecodeFigure.verdict(overBare, atMost: DecodePathFigure.maximumOverBare), overThread.map(FigureText.ratio) ?? "-",
      DecodeFigure.verdict(overThread, atMost: DecodePathFigure.maximumOverThread),
    ]
  }
}

/// The wake-up delay of a frame loop while idle and while every core decodes.
public struct LatenessFigure: Hashable, Sendable {
  /// The columns of the table.
  public static let columns: [(head: String, alignment: TextTable.Alignment)] = [
    ("frames", .right), ("decoded", .right), ("p95 idle", .right), ("p95 decoding", .right), ("longest", .right),
    ("later by", .right), ("aim", .left),
  ]

  /// The upper bound on the increase of the 95th percentile of the delays.
  public static let aim = Aim(.time, 1_000_000)

  /// The delay of each frame while nothing is decoded, in nanoseconds.
  public var idle: [Double] = []
  /// The delay of each frame while every core decodes, in nanoseconds.
  public var decoding: [Double] = []
  /// The number of images that were decoded meanwhile.
  public var decoded = 0

  /// Creates a figure without frames.
  public init() {}

  /// Returns the 95th percentile of numbers, or 0 if there are none.
  public static func percentile95(_ numbers: [Double]) -> Double {
    numbers.isEmpty ? 0 : numbers.sorted()[(numbers.count * 95 + 99) / 100 - 1]
  }

  /// The increase of the 95th percentile of the delays while every core decodes, in nanoseconds.
  public var percentile95Increase: Double { LatenessFigure.percentile95(decoding) - LatenessFigure.percentile95(idle) }

  /// The table row.
  public var row: [String] {
    let (calm, busy) = (LatenessFigure.percentile95(idle), LatenessFigure.percentile95(decoding))
    return [
      FigureText.count(decoding.count), FigureText.count(decoded), FigureText.time(calm), FigureText.time(busy),
      FigureText.time(decoding.max() ?? 0), FigureText.time(busy - calm), LatenessFigure.aim.verdict(on: busy - calm),
    ]
  }
}

/// The cost of an image that is served from the disk cache without decoding.
public struct CacheHitFigure: Hashable, Sendable {
  /// The columns of the table.
  public static let columns: [(head: String, alignment: TextTable.Alignment)] = [
    ("to", .right), ("hits", .right), ("until it is there", .right), ("aim", .left), ("processor time", .right),
    ("aim", .left),
  ]

  /// The upper bound on the latency of a hit and on its processor time.
  public static let aim = Aim(.time, 300_000)

  /// The longest side of the image, in pixels.
  public let size: Int
  /// The time from request to arrival of each hit, in nanoseconds.
  public var latencies: [Double] = []
  /// The processor time of all threads for all hits together, in nanoseconds.
  public var processorTime = 0.0

  /// Creates a figure without hits.
  public init(size: Int) { self.size = size }

  /// The table row.
  public var row: [String] {
    let latency = DecodeFigure.median(latencies)
    let timePerHit = processorTime / Double(max(1, latencies.count))
    return [
      "\(size)", FigureText.count(latencies.count), FigureText.time(latency), CacheHitFigure.aim.verdict(on: latency),
      FigureText.time(timePerHit), CacheHitFigure.aim.verdict(on: timePerHit),
    ]
  }
}

// MARK: - Reference

/// A reference for thumbnails: RGB values of an image that was downsampled with a three-lobed Lanczos kernel in double
/// precision, without rounding.
public struct ReferencePixels: Sendable {
  /// The size of the result.
  public let size: PixelSize
  /// Three numbers per pixel from 0 to 255, in row-major order from the top.
  public let values: [Double]

  /// Resamples an image.
  ///
  /// - Parameters:
  ///   - pixels: Four bytes per pixel, of which the last is ignored, in row-major order from the top without padding.
  ///   - source: The size of the image.
  ///   - size: The size of the result, with the same aspect ratio.
  /// - Complexity: O(p) for p pixels of the image, with about six operations each.
  public init(_ pixels: UnsafeRawBufferPointer, source: PixelSize, size: PixelSize) {
    let horizontal = ReferencePixels.spans(from: source.width, to: size.width)
    let vertical = ReferencePixels.spans(from: source.height, to: size.height)
    var rows = [Double](repeating: 0, count: size.width * source.height * 3)
    for y in 0..<source.height {
      for (x, span) in horizontal.enumerated() {
        var sum = (0.0, 0.0, 0.0)
        for (index, weight) in span.weights.enumerated() {
          let offset = (y * source.width + span.first + index) * 4
          sum.0 += weight * Double(pixels[offset])
          sum.1 += weight * Double(pixels[offset + 1])
          sum.2 += weight * Double(pixels[offset + 2])
        }
        let offset = (y * size.width + x) * 3
        (rows[offset], rows[offset + 1], rows[offset + 2]) = sum
      }
    }
    var values = [Double](repeating: 0, count: size.area * 3)
    let bytesPerRow = size.width * 3
    for (y, span) in vertical.enumerated() {
      for column in 0..<bytesPerRow {
        var sum = 0.0
        for (index, weight) in span.weights.enumerated() {
          sum += weight * rows[(span.first + index) * bytesPerRow + column]
        }
        values[y * bytesPerRow + column] = min(255, max(0, sum))
      }
    }
    self.size = size
    self.values = values
  }

  /// Returns the peak signal-to-noise ratio of pixels of the same size, in decibels.
  ///
  /// - Returns: The ratio, or infinity if there is no difference.
  public func quality(of pixels: UnsafeRawBufferPointer) -> Double {
    var squares = 0.0
    for index in values.indices {
      let difference = values[index] - Double(pixels[index / 3 * 4 + index % 3])
      squares += difference * difference
    }
    return squares == 0 ? .infinity : 10 * log10(255 * 255 * Double(values.count) / squares)
  }

  private struct Span {
    var first: Int
    var weights: [Double]
  }

  private static func spans(from count: Int, to length: Int) -> [Span] {
    let ratio = Double(count) / Double(length)
    let scale = max(1, ratio)
    return (0..<length).map { index in
      let center = (Double(index) + 0.5) * ratio
      let first = max(0, Int((center - 3 * scale).rounded(.down)))
      let end = max(first + 1, min(count, Int((center + 3 * scale).rounded(.up))))
      let weights = (first..<end).map { kernel((Double($0) + 0.5 - center) / scale) }
      let sum = weights.reduce(0, +)
      return Span(first: first, weights: weights.map { $0 / sum })
    }
  }

  private static func kernel(_ x: Double) -> Double {
    if x == 0 { return 1 }
    if abs(x) >= 3 { return 0 }
    let angle = Double.pi * x
    return 3 * sin(angle) * sin(angle / 3) / (angle * angle)
  }
}

// MARK: - Options

/// The options of `bench decode`, which measures image decoding.
public struct DecodeOptions: Hashable, Sendable {
  /// The folder of images.
  public var pictures = ""
  /// The folder of the peer programs.
  public var peers = ""
  /// The executable of the decoding process, or nil for the one next to the program.
  public var decoder: String?
  /// The longest sides of the thumbnails, in pixels.
  public var sizes = [256, 512]
  /// The number of runs of each measurement, alternating with the peer's.
  public var repeats = 5

  /// Parses the options that follow the benchmark's name.
  ///
  /// - Throws: ``CommandError`` that names the first invalid option or a missing folder.
  public init(_ arguments: [String]) throws(CommandError) {
    if arguments.contains("--quick") { repeats = 3 }
    var words = OptionWords(arguments)
    while let name = words.next() {
      switch name {
      case "--quick": break
      case "--pictures": pictures = try words.path(of: name)
      case "--peers": peers = try words.path(of: name)
      case "--decoder": decoder = try words.path(of: name)
      case "--sizes": sizes = Set(try words.numbers(of: name, in: 16...4_096)).sorted()
      case "--repeat": repeats = try words.repeats(of: name)
      default: throw CommandError("unknown option \(name); --help lists them")
      }
    }
    if pictures.isEmpty { throw CommandError("decode needs --pictures FOLDER; scripts/bench makes one") }
    if peers.isEmpty { throw CommandError("decode needs --peers FOLDER; scripts/bench makes one") }
  }
}

/// The options of the benchmark of a library's thumbnails.
public struct LibraryOptions: Hashable, Sendable {
  /// The folder of photographs.
  public var photographs = ""
  /// The executable of the decoding process, or nil for the one next to the program.
  public var decoder: String?
  /// The number of screens.
  public var screens = 20

  /// Parses the options that follow the benchmark's name.
  ///
  /// - Throws: ``CommandError`` that names the first invalid option or a missing folder.
  public init(_ arguments: [String]) throws(CommandError) {
    var words = OptionWords(arguments)
    while let name = words.next() {
      switch name {
      case "--photographs": photographs = try words.path(of: name)
      case "--decoder": decoder = try words.path(of: name)
      case "--screens": screens = try words.number(of: name, in: 2...10_000)
      default: throw CommandError("unknown option \(name); --help lists them")
      }
    }
    if photographs.isEmpty { throw CommandError("library needs --photographs FOLDER; scripts/photographs makes one") }
  }
}
