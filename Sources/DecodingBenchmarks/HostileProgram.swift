import BenchmarkSupport
import DecodingProtocol
import FramePacing
import Geometry
import Glibc
import ImageMetadata
import ImagePipeline

/// `scripts/hostile`: hands pictures to the program's own decoding processes, one by one, and holds what becomes of them
/// against what is expected.
@MainActor
struct HostileProgram {
  private let options: HostileOptions

  /// Complaints that are printed; more of them say no more.
  private static let mostComplaints = 50
  /// After so many pictures the program has all that it keeps.
  private static let warmUp = 100

  init(_ options: HostileOptions) {
    self.options = options
  }

  /// Prints the table.
  ///
  /// - Returns: whether all was as expected.
  func run() throws -> Bool {
    let made = options.pictures == nil ? try MadeFiles() : nil
    let folder = made?.folder ?? options.pictures ?? "."
    guard let list = FileContents(path: folder + "/MANIFEST.tsv") else {
      throw CommandError("\(folder)/MANIFEST.tsv: cannot be read")
    }
    let expected = String(decoding: list.bytes, as: UTF8.self).split(separator: "\n")
      .compactMap { PictureExpectation(line: $0) }
    guard !expected.isEmpty else { throw CommandError("\(folder)/MANIFEST.tsv: names no pictures") }
    let (tally, confinement) = try judge(expected, in: folder)
    var table = TextTable(HostileTally.columns)
    for row in tally.rows { table.add(row) }
    Output.line("Pictures one after the other, by a decoding process (\(confinement)), to \(options.side) pixels:")
    for line in table.lines { Output.line("  " + line) }
    for bound in tally.bounds { Output.line(bound) }
    if tally.wrongCount > 0 { Output.line("\(FigureText.count(tally.wrongCount)) wrong") }
    return tally.wrongCount == 0
  }

  private func judge(
    _ expected: [PictureExpectation], in folder: String
  ) throws -> (tally: HostileTally, confinement: String) {
    // On the modelled time line the caller waits for each picture.
    let pipeline = try ImagePipeline(
      ImagePipelineConfiguration(workers: 1, mode: .modelled, cacheBytes: 0, helperPath: options.decoder),
      waker: NoWaker())
    defer { pipeline.shutdown() }
    var tally = HostileTally()
    var begun = 0
    for (index, entry) in expected.enumerated() {
      if index == min(HostileProgram.warmUp, expected.count / 2) { begun = DecoderMemory.own }
      let (end, nanoseconds) = try self.end(of: entry, number: index, in: folder, pipeline)
      let complaint = tally.note(
        entry, end, nanoseconds: nanoseconds, decoderBytes: DecoderMemory.largestOfChildren)
      if let complaint, tally.wrongCount <= HostileProgram.mostComplaints {
        Output.line("\(entry.path): \(complaint)")
      }
    }
    tally.growth = max(0, DecoderMemory.own - begun)
    let isConfined = pipeline.decoderCondition.layers?.isSandbox == true
    return (tally, isConfined ? "sandboxed" : "WITHOUT A SANDBOX")
  }

  private func end(
    of entry: PictureExpectation, number: Int, in folder: String, _ pipeline: ImagePipeline
  ) throws -> (end: PictureEnd, nanoseconds: Double) {
    guard let size = PixelSize(width: options.side, height: options.side) else {
      throw CommandError("\(options.side): no size")
    }
    let path = folder + "/" + entry.path
    // Each an hour later: after too many losses no process is started for a while.
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
