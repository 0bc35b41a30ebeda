import BenchmarkSupport
import Glibc
import VitrineFramePacing
import VitrineGeometry
import VitrineImageDecoding
import VitrineImageMetadata
import VitrineImagePipeline
import VitrineImageStore
import VitrineRendering

/// `bench decode`: measures thumbnails in comparison with other programs, the overhead of a separate process, and
/// headers.
@MainActor
struct DecodeProgram {
  private static let headerAim = Aim(.time, 10_000)

  private let options: DecodeOptions
  private let peers: PeerPrograms
  private let recorder: FigureRecorder

  init(_ options: DecodeOptions, recorder: FigureRecorder) {
    self.recorder = recorder
    self.options = options
    peers = PeerPrograms(folder: options.peers)
  }

  /// Measures and prints table by table.
  func run() throws {
    let pictures = try MeasuredPicture.all(in: options.pictures)
    Output.line(
      "Processor time, user's and system's, of reading a file and making its thumbnail; medians of \(options.repeats) "
        + "runs, ours and the peer's in turn. libvips: vips_thumbnail in a process of its own, one thread.")
    try compare(pictures)
    try comparePaths(pictures.filter(\.kind.isBaseline))
    try measureCacheHits(pictures)
    try measureLateness(pictures.filter(\.kind.isBaseline))
    try readHeaders(pictures)
  }

  private func compare(_ pictures: [MeasuredPicture]) throws {
    var table = TextTable(DecodeFigure.columns)
    for picture in pictures {
      let inProcess = InProcessDecoder(picture: picture)
      var thumbnails: [Bitmap] = []
      var figures: [DecodeFigure] = []
      for size in options.sizes {
        var figure = DecodeFigure(
          name: picture.name, kind: picture.kind, megapixels: picture.megapixels, size: size)
        // One-time work of the first decoding is not measured, like the peer's.
        thumbnails.append(try inProcess.thumbnail(side: size).bitmap)
        for _ in 0..<options.repeats {
          figure.ours.append(try inProcess.thumbnail(side: size).nanoseconds)
          figure.peer.append(try peers.thumbnail(picture, side: size))
          if picture.kind == .heicWithPreview {
            figure.peerOfWhole.append(try peers.thumbnail(picture, side: size, ofWhole: true))
          }
        }
        figures.append(figure)
      }
      for (index, quality) in try inProcess.qualities(of: thumbnails).enumerated() {
        figures[index].quality = quality
        table.add(figures[index].row)
        figures[index].record(in: recorder)
      }
    }
    for line in table.lines { Output.line("  " + line) }
    Output.line(
      "HEIC with a small picture is held against libvips' time for the picture itself, and is as good as the small one is; "
        + "the time of libvips for that one, which it takes too where it is large enough, stands first.")
    Output.line("Quality is against the whole picture, decoded and made small by Lanczos' kernel in double precision.")
  }

  private func comparePaths(_ pictures: [MeasuredPicture]) throws {
    guard !pictures.isEmpty else { return }
    var table = TextTable(DecodePathFigure.columns)
    for picture in pictures {
      let inProcess = InProcessDecoder(picture: picture)
      let pipeline = PipelineRun(picture: picture, decoder: options.decoder)
      for size in options.sizes {
        var figure = DecodePathFigure(name: picture.name, size: size)
        for _ in 0..<options.repeats {
          figure.bare.append(try peers.scaledDecode(picture, side: size))
          figure.inProcess.append(try inProcess.thumbnail(side: size).nanoseconds)
          figure.pipeline.append(try pipeline.thumbnail(side: size))
        }
        table.add(figure.row)
        figure.record(in: recorder)
      }
    }
    Output.line("The way through the pipeline and a sandboxed process, all processes' time together:")
    for line in table.lines { Output.line("  " + line) }
  }

  private func measureCacheHits(_ pictures: [MeasuredPicture]) throws {
    var table = TextTable(CacheHitFigure.columns)
    let run = CacheHitRun(pictures: pictures, decoder: options.decoder)
    for size in options.sizes {
      let figure = try run.figure(side: size)
      table.add(figure.row)
      recorder.add(
        ["decode", "revisit", "\(size)", "wait"], DecodeFigure.median(figure.latencies), .nanoseconds, .measured)
    }
    Output.line("Pictures that were prepared before, from the disk through the pipeline, one by one:")
    for line in table.lines { Output.line("  " + line) }
  }

  private func measureLateness(_ pictures: [MeasuredPicture]) throws {
    guard !pictures.isEmpty else { return }
    var table = TextTable(LatenessFigure.columns)
    let figure = try LatenessRun(pictures: pictures, decoder: options.decoder).figure(side: options.sizes[0])
    table.add(figure.row)
    recorder.add(["decode", "lateness", "p95"], figure.percentile95Increase, .nanoseconds, .measured)
    Output.line(
      "How late a loop of sixty frames a second begins them, with nothing to do and with every core decoding:")
    for line in table.lines { Output.line("  " + line) }
  }

  private func readHeaders(_ pictures: [MeasuredPicture]) throws {
    let run = HeaderRun(pictures: pictures)
    var times: [Double] = []
    for _ in 0..<options.repeats { times.append(try run.time() / Double(HeaderRun.count)) }
    let time = DecodeFigure.median(times)
    recorder.add(["decode", "headers", "time"], time, .nanoseconds, .measured)
    Output.line(
      "\(FigureText.count(HeaderRun.count)) headers, each file opened for each read: \(FigureText.time(time)) a header; "
        + DecodeProgram.headerAim.verdict(on: time))
  }
}

// MARK: - Decoders

/// Our decoder in this process and on this thread.
private struct InProcessDecoder {
  let picture: MeasuredPicture

  /// Reads a file and decodes its thumbnail.
  ///
  /// - Parameter side: The longest side, in pixels.
  /// - Returns: The thumbnail, and its processor time in nanoseconds.
  func thumbnail(side: Int) throws -> (bitmap: Bitmap, nanoseconds: Double) {
    let start = ProcessTime.now
    let bitmap = try decode(side: side)
    return (bitmap, Double(ProcessTime.now - start))
  }

  /// Returns the similarity of thumbnails to Lanczos references of the whole image, in decibels.
  func qualities(of thumbnails: [Bitmap]) throws -> [Double] {
    let whole = try decode(side: max(picture.size.width, picture.size.height))
    return thumbnails.map { thumbnail in
      let reference = whole.withPixels { ReferencePixels($0, source: whole.size, size: thumbnail.size) }
      return thumbnail.withPixels { reference.quality(of: $0) }
    }
  }

  private func decode(side: Int) throws -> Bitmap {
    guard let file = FileContents(path: picture.path), let size = PixelSize(width: side, height: side) else {
      throw CommandError("\(picture.path): cannot be read")
    }
    return try ImageDecoder().bitmap(file.bytes, target: DecodingTarget(size: size, fit: .fit)).bitmap
  }
}

/// The small C programs used for comparison, each of which prints the processor time of one image in nanoseconds.
private struct PeerPrograms {
  private let folder: String

  init(folder: String) { self.folder = folder }

  /// Returns the time of a thumbnail with libvips.
  ///
  /// - Parameters:
  ///   - picture: The image.
  ///   - side: The longest side, in pixels.
  ///   - ofWhole: Whether to decode the whole image even if the file has an embedded thumbnail. Default: false.
  func thumbnail(_ picture: MeasuredPicture, side: Int, ofWhole: Bool = false) throws(CommandError) -> Double {
    try nanoseconds(of: "vips_thumbnail", picture, side, ofWhole ? ["whole"] : [])
  }

  /// Returns the time of bare decoding with libjpeg-turbo, at the scale that a thumbnail needs.
  func scaledDecode(_ picture: MeasuredPicture, side: Int) throws(CommandError) -> Double {
    try nanoseconds(of: "jpeg_scaled", picture, side)
  }

  private func nanoseconds(
    of program: String, _ picture: MeasuredPicture, _ side: Int, _ additional: [String] = []
  ) throws(CommandError) -> Double {
    let text = ShellCommand.output(["\(folder)/\(program)", picture.path, "\(side)"] + additional)
    let word = text?.split(whereSeparator: \.isWhitespace).first
    guard let word, let number = Double(word) else { throw CommandError("\(program): no answer for \(picture.name)") }
    return number
  }
}

/// Decoding with the whole pipeline: a request, a sandboxed process, shared memory, and a bitmap.
@MainActor
private struct PipelineRun {
  let picture: MeasuredPicture
  /// The executable of the decoding process, or nil for the one next to the program.
  let decoder: String?

  private static let baseCount = 1
  private static let additional = 5

  /// Returns the processor time of one thumbnail in nanoseconds, summed over all processes.
  ///
  /// Computed from a pipeline that decodes several images and one that decodes a single image, so that the start of a
  /// process is excluded.
  func thumbnail(side: Int) throws -> Double {
    let few = try time(of: PipelineRun.baseCount, side: side)
    let many = try time(of: PipelineRun.baseCount + PipelineRun.additional, side: side)
    return (many - few) / Double(PipelineRun.additional)
  }

  private func time(of count: Int, side: Int) throws -> Double {
    guard let size = PixelSize(width: side, height: side) else { throw CommandError("\(side): no size") }
    let start = ProcessTime.now + ProcessTime.ofChildren
    // In modelled mode processes have the normal priority, and the caller waits for each image.
    let pipeline = try ImagePipeline(
      ImagePipelineConfiguration(workers: 1, mode: .modelled, cacheBytes: 0, helperPath: decoder), waker: NoWaker())
    for source in 0..<count {
      let key = ImageKey(source: UInt64(source), size: size, fit: .fit)
      pipeline.request(ImageRequest(key: key, source: .file(path: Array(picture.path.utf8))), deadline: .zero)
    }
    let end = FrameInstant.zero + .seconds(3_600)
    pipeline.advance(to: end)
    let arrivals = pipeline.collect(at: end, atMost: .max)
    guard arrivals.count == count, arrivals.allSatisfy({ (try? $0.outcome.get()) != nil }) else {
      throw CommandError("\(picture.name): not all came back from the decoding process")
    }
    pipeline.shutdown()
    return Double(ProcessTime.now + ProcessTime.ofChildren - start)
  }
}

// MARK: - Runs

/// A loop of sixty frames per second that requests and collects images, like a program that draws.
@MainActor
private struct LatenessRun {
  let pictures: [MeasuredPicture]
  /// The executable of the decoding process, or nil for the one next to the program.
  let decoder: String?

  /// The number of consecutive frames, alternately idle and decoding, because other programs disturb both.
  private static let frames = 60
  private static let rounds = 6
  private static let refresh = FrameDuration.seconds(1 / 60.0)
  private static let waiting = 8

  /// Runs the loop without decoding, and with every core decoding.
  func figure(side: Int) throws -> LatenessFigure {
    guard let size = PixelSize(width: side, height: side) else { throw CommandError("\(side): no size") }
    let clock = MonotonicClock()
    let cores = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    let pipeline = try ImagePipeline(
      ImagePipelineConfiguration(workers: cores, cacheBytes: 0, helperPath: decoder), waker: NoWaker())
    defer { pipeline.shutdown() }
    var figure = LatenessFigure()
    var requested = 0
    for _ in 0..<LatenessRun.rounds {
      figure.idle += latenesses(clock) { _ in }
      figure.decoding += latenesses(clock) { now in
        figure.decoded += pipeline.collect(at: now).count(where: \.isFinal)
        while requested - figure.decoded < LatenessRun.waiting * cores {
          // Never the same image twice, which would be cached.
          let key = ImageKey(source: UInt64(requested), size: size, fit: .fit)
          let path = pictures[requested % pictures.count].path
          pipeline.request(ImageRequest(key: key, source: .file(path: Array(path.utf8))), deadline: now)
          requested += 1
        }
      }
      while requested > figure.decoded {
        clock.wait(until: clock.now() + LatenessRun.refresh)
        figure.decoded += pipeline.collect(at: clock.now()).count(where: \.isFinal)
      }
    }
    return figure
  }

  /// Returns the delay of each frame in nanoseconds.
  ///
  /// The closure is the work of a frame.
  private func latenesses(_ clock: MonotonicClock, _ body: (FrameInstant) -> Void) -> [Double] {
    var latenesses: [Double] = []
    var next = clock.now() + LatenessRun.refresh
    for _ in 0..<LatenessRun.frames {
      clock.wait(until: next)
      let now = clock.now()
      latenesses.append(Double((now - next).nanoseconds))
      body(now)
      // A frame that is late by more than one interval skips those that it missed.
      repeat { next = next + LatenessRun.refresh } while next <= clock.now()
    }
    return latenesses
  }
}

/// Images that were decoded in an earlier run, read from the disk cache through the pipeline.
@MainActor
private struct CacheHitRun {
  let pictures: [MeasuredPicture]
  /// The executable of the decoding process, or nil for the one next to the program.
  let decoder: String?

  private static let hits = 500
  /// The number of warm-up hits, which read the index and the pages of the cache file once.
  private static let first = 50

  /// Decodes the images, and requests them again from a new pipeline.
  func figure(side: Int) throws -> CacheHitFigure {
    var template = Array("/tmp/vitrine-revisit.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw CommandError("no folder could be made in /tmp") }
    let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { _ = ShellCommand.output(["/bin/rm", "-rf", folder]) }
    let before = try pipeline(folder)
    for index in pictures.indices { _ = try wait(for: index, number: index, side: side, before) }
    before.shutdown()

    var figure = CacheHitFigure(size: side)
    let after = try pipeline(folder)
    defer { after.shutdown() }
    var start = 0
    for hit in 0..<CacheHitRun.first + CacheHitRun.hits {
      if hit == CacheHitRun.first { start = ProcessTime.now }
      let time = try wait(for: hit % pictures.count, number: hit, side: side, after)
      if hit >= CacheHitRun.first { figure.latencies.append(time) }
    }
    figure.processorTime = Double(ProcessTime.now - start)
    guard after.statistics.storeHits == CacheHitRun.first + CacheHitRun.hits else {
      throw CommandError("only \(after.statistics.storeHits) pictures came from the disk")
    }
    return figure
  }

  private func pipeline(_ folder: String) throws -> ImagePipeline {
    // Nothing is cached in memory. In modelled mode the caller waits for each image.
    try ImagePipeline(
      ImagePipelineConfiguration(
        workers: 1, mode: .modelled, cacheBytes: 0, helperPath: decoder,
        storage: .disk(StorageConfiguration(directory: Array(folder.utf8)))), waker: NoWaker())
  }

  /// Returns the time until an image arrives, in nanoseconds.
  private func wait(for index: Int, number: Int, side: Int, _ pipeline: ImagePipeline) throws -> Double {
    guard let size = PixelSize(width: side, height: side) else { throw CommandError("\(side): no size") }
    let key = ImageKey(source: UInt64(index), size: size, fit: .fit)
    let request = ImageRequest(key: key, source: .file(path: Array(pictures[index].path.utf8)))
    let start = MonotonicClock.now()
    pipeline.request(request, deadline: .zero)
    let arrivals = pipeline.collect(at: .zero + .seconds(60 * Double(number + 1)))
    let end = MonotonicClock.now()
    guard let arrival = arrivals.first(where: \.isFinal), (try? arrival.outcome.get()) != nil else {
      throw CommandError("\(pictures[index].name): could not be prepared")
    }
    return Double((end - start).nanoseconds)
  }
}

/// Reading of image headers: each file is opened, read to the end of its header, and closed.
struct HeaderRun {
  let pictures: [MeasuredPicture]

  /// The number of headers.
  static let count = 10_000

  /// Returns the processor time of all headers, in nanoseconds.
  func time() throws -> Double {
    let paths = pictures.map { $0.path.utf8CString }
    let start = ThreadTime.now()
    for index in 0..<HeaderRun.count {
      let header = try paths[index % paths.count].withUnsafeBufferPointer { path in
        try HeaderRun.header(of: path.baseAddress)
      }
      guard header != nil else { throw CommandError("a header could not be read") }
    }
    return Double((ThreadTime.now() - start).nanoseconds)
  }

  /// Returns the header of a file, or nil if there is no supported header.
  static func header(of path: UnsafePointer<CChar>?) throws -> ImageHeader? {
    guard let path else { return nil }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    return try ImageHeader.read(fileBytes: Int(status.st_size)) { offset, count throws(CommandError) in
      [UInt8](unsafeUninitializedCapacity: count) { bytes, filled in
        filled = max(0, pread(descriptor, bytes.baseAddress, count, offset))
      }
    }
  }
}

/// A waker without effect, because in modelled mode the caller waits by itself.
struct NoWaker: LoopWaker {
  func wake() {}
}
