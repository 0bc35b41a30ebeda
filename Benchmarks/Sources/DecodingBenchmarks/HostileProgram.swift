import BenchmarkSupport
import Glibc
import VitrineDecodingProtocol
import VitrineFramePacing
import VitrineGeometry
import VitrineImageMetadata
import VitrineImagePipeline
import VitrineRendering

/// `scripts/hostile`: sends images to decoding processes one by one, and compares the outcomes with the expectations.
@MainActor
struct HostileProgram {
  private let options: HostileOptions

  /// The maximum number of printed complaints.
  private static let maximumComplaints = 50
  /// The number of images after which the program's caches are filled.
  private static let warmUp = 100

  init(_ options: HostileOptions) {
    self.options = options
  }

  /// Prints the table.
  ///
  /// - Returns: Whether all outcomes meet the expectations.
  func run() throws -> Bool {
    let synthetic = options.pictures == nil ? try SyntheticFiles() : nil
    let folder = synthetic?.folder ?? options.pictures ?? "."
    guard let list = FileContents(path: folder + "/MANIFEST.tsv") else {
      throw CommandError("\(folder)/MANIFEST.tsv: cannot be read")
    }
    let expected = String(decoding: list.bytes, as: UTF8.self).split(separator: "\n")
      .compactMap { PictureExpectation(line: $0) }
    guard !expected.isEmpty else { throw CommandError("\(folder)/MANIFEST.tsv: names no pictures") }
    let (tally, confinement) = try evaluate(expected, in: folder)
    var table = TextTable(HostileTally.columns)
    for row in tally.rows { table.add(row) }
    Output.line("Pictures one after the other, by a decoding process (\(confinement)), to \(options.side) pixels:")
    for line in table.lines { Output.line("  " + line) }
    for bound in tally.bounds { Output.line(bound) }
    if tally.wrongCount > 0 { Output.line("\(FigureText.count(tally.wrongCount)) wrong") }
    return tally.wrongCount == 0
  }

  private func evaluate(
    _ expected: [PictureExpectation], in folder: String
  ) throws -> (tally: HostileTally, confinement: String) {
    // In modelled mode the caller waits for each image.
    let pipeline = try ImagePipeline(
      ImagePipelineConfiguration(workers: 1, mode: .modelled, cacheBytes: 0, helperPath: options.decoder),
      waker: NoWaker())
    defer { pipeline.shutdown() }
    var tally = HostileTally()
    var initialBytes = 0
    for (index, entry) in expected.enumerated() {
      if index == min(HostileProgram.warmUp, expected.count / 2) { initialBytes = DecoderMemory.current }
      let (outcome, nanoseconds) = try self.outcome(of: entry, number: index, in: folder, pipeline)
      let complaint = tally.record(
        entry, outcome, nanoseconds: nanoseconds, decoderBytes: DecoderMemory.largestChild)
      if let complaint, tally.wrongCount <= HostileProgram.maximumComplaints {
        Output.line("\(entry.path): \(complaint)")
      }
    }
    tally.growth = max(0, DecoderMemory.current - initialBytes)
    let isConfined = pipeline.decoderStatus.layers?.isSandbox == true
    return (tally, isConfined ? "sandboxed" : "WITHOUT A SANDBOX")
  }

  private func outcome(
    of entry: PictureExpectation, number: Int, in folder: String, _ pipeline: ImagePipeline
  ) throws -> (outcome: PictureOutcome, nanoseconds: Double) {
    guard let size = PixelSize(width: options.side, height: options.side) else {
      throw CommandError("\(options.side): no size")
    }
    let path = folder + "/" + entry.path
    // One hour later for each image, because after too many crashes no process is started for a while.
    let moment = FrameInstant.zero + .seconds(3_600 * Double(number + 1))
    let key = ImageKey(source: UInt64(number), size: size, fit: .fit)
    let clock = ContinuousClock()
    let start = clock.now
    pipeline.request(ImageRequest(key: key, source: .file(path: Array(path.utf8))), deadline: .zero)
    let arrivals = pipeline.collect(at: moment)
    let nanoseconds = (clock.now - start) / .nanoseconds(1)
    guard let arrival = arrivals.first(where: \.isFinal) else { throw CommandError("\(entry.path): has no end") }
    switch arrival.outcome {
    case .success(let image):
      let header = try HeaderRun.header(of: path)
      return (
        .shown(
          width: image.sourceSize?.width ?? 0, height: image.sourceSize?.height ?? 0,
          orientation: Int(header?.orientation.rawValue ?? 1), isDamaged: image.isDamaged), nanoseconds
      )
    case .failure(let failure):
      let isFatal = [.decoderCrashed, .decoderTimedOut, .invalidDecoderReply, .decodingStopped].contains(failure)
      return (isFatal ? .fatal(failure.description) : .refused(failure.description), nanoseconds)
    }
  }
}

/// The memory of this process and of its children, as reported by the kernel.
private enum DecoderMemory {
  /// The resident memory of this process, in bytes.
  static var current: Int { bytes(of: "/proc/self/status", "VmRSS:") ?? 0 }

  /// The largest peak resident memory of this process's running children, in bytes.
  ///
  /// A child belongs to the thread that started it.
  static var largestChild: Int {
    children.compactMap { bytes(of: "/proc/\($0)/status", "VmHWM:") }.max() ?? 0
  }

  /// The process numbers of the children.
  ///
  /// Uses `opendir`, `readdir` and `closedir`.
  private static var children: [Substring] {
    guard let stream = opendir("/proc/self/task") else { return [] }
    defer { closedir(stream) }
    var found: [Substring] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard !name.hasPrefix("."), let text = contents("/proc/self/task/\(name)/children") else { continue }
      found += text.split(separator: " ")
    }
    return found
  }

  private static func bytes(of path: String, _ name: String) -> Int? {
    let line = contents(path)?.split(separator: "\n").first { $0.hasPrefix(name) }
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }.map { $0 << 10 }
  }

  /// Returns the start of a file of unknown length.
  ///
  /// Uses `open`, `read` and `close`.
  private static func contents(_ path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 8192)
    let count = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
    return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
  }
}

// MARK: - Pixels

/// `scripts/pixels`: decodes images at several sizes in decoding processes, and writes the pixels for the script's
/// comparison with other decoders.
///
/// The output folder contains `pixels.tsv` with a line for each image and size. The tab-separated fields are the
/// image's number in the list, the side, then `ok` or `damaged` with width and height, or `refused` with the reason.
/// Each decoded image is written to `NUMBER-SIDE.rgba`: bytes R, G, B, 255, in row-major order from the top without
/// padding.
@MainActor
struct PixelProgram {
  private let options: PixelOptions

  init(_ options: PixelOptions) {
    self.options = options
  }

  /// Decodes every image of the list.
  ///
  /// - Throws: `CommandError` if the list cannot be read or the folder cannot be written.
  func run() throws {
    guard let list = FileContents(path: options.list) else { throw CommandError("\(options.list): cannot be read") }
    let paths = String(decoding: list.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    // In modelled mode the caller waits for each image.
    let pipeline = try ImagePipeline(
      ImagePipelineConfiguration(workers: 1, mode: .modelled, cacheBytes: 0, helperPath: options.decoder),
      waker: NoWaker())
    defer { pipeline.shutdown() }
    var lines: [String] = []
    for (number, path) in paths.enumerated() {
      for (index, side) in options.sides.enumerated() {
        let source = number * options.sides.count + index
        let outcome = try decode(path, source: source, side: side, pipeline)
        lines.append("\(number)\t\(side)\t\(try describe(outcome, as: "\(number)-\(side).rgba"))")
      }
    }
    try write(Array((lines.joined(separator: "\n") + "\n").utf8), to: "pixels.tsv")
  }

  private func decode(
    _ path: String, source: Int, side: Int, _ pipeline: ImagePipeline
  ) throws -> Result<DecodedImage, ImageFailure> {
    guard let size = PixelSize(width: side, height: side) else { throw CommandError("\(side): no size") }
    let key = ImageKey(source: UInt64(source), size: size, fit: .fit)
    // One hour later for each image, because after too many crashes no process is started for a while.
    let moment = FrameInstant.zero + .seconds(3_600 * Double(source + 1))
    pipeline.request(ImageRequest(key: key, source: .file(path: Array(path.utf8))), deadline: .zero)
    guard let arrival = pipeline.collect(at: moment).first(where: \.isFinal) else {
      throw CommandError("\(path): has no end")
    }
    return arrival.outcome
  }

  private func describe(_ outcome: Result<DecodedImage, ImageFailure>, as name: String) throws -> String {
    switch outcome {
    case .success(let image):
      let bitmap = try image.bitmap.converted(to: .redFirst)
      try bitmap.withPixels { try write(Array($0), to: name) }
      return "\(image.isDamaged ? "damaged" : "ok")\t\(bitmap.size.width)\t\(bitmap.size.height)"
    case .failure(let failure): return "refused\t\(failure.description)"
    }
  }

  /// Uses `open`, `write` and `close`.
  private func write(_ bytes: [UInt8], to name: String) throws {
    let path = options.output + "/" + name
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw CommandError("\(path): cannot be written") }
    defer { close(descriptor) }
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { throw CommandError("\(path): cannot be written") }
      written += count
    }
  }
}
