import BenchmarkSupport
import FramePacing
import Geometry
import Glibc
import ImagePipeline

/// Pictures that were prepared in an earlier run: from the pack on disk through the pipeline.
@MainActor
struct RevisitRun {
  let pictures: [MeasuredPicture]
  /// The executable of the decoding process; where nothing is told, the one beside the program.
  let decoder: String?

  private static let hits = 500
  /// The first read what is read once: the index, the pages of the pack.
  private static let first = 50

  /// Prepares the pictures, and asks for them again in a pipeline of its own.
  func figure(side: Int) throws -> RevisitFigure {
    var template = Array("/tmp/vitrine-revisit.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw CommandError("no folder could be made in /tmp") }
    let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { _ = ChildProgram.output(["/bin/rm", "-rf", folder]) }
    let before = try pipeline(folder)
    for index in pictures.indices { _ = try wait(for: index, asked: index, side: side, before) }
    before.shutdown()

    var figure = RevisitFigure(size: side)
    let after = try pipeline(folder)
    defer { after.shutdown() }
    var start = 0
    for hit in 0..<RevisitRun.first + RevisitRun.hits {
      if hit == RevisitRun.first { start = ProcessTime.now }
      let time = try wait(for: hit % pictures.count, asked: hit, side: side, after)
      if hit >= RevisitRun.first { figure.waits.append(time) }
    }
    figure.processor = Double(ProcessTime.now - start)
    guard after.statistics.storeHits == RevisitRun.first + RevisitRun.hits else {
      throw CommandError("only \(after.statistics.storeHits) pictures came from the disk")
    }
    return figure
  }

  private func pipeline(_ folder: String) throws -> ImagePipeline {
    // Nothing is kept in memory; on the modelled time line the caller waits for each picture.
    try ImagePipeline(
      ImagePipelineConfiguration(
        workers: 1, mode: .modelled, cacheBytes: 0, helperPath: decoder,
        storage: StorageConfiguration(directory: Array(folder.utf8))), waker: NoWaker())
  }

  /// The nanoseconds until a picture is there.
  private func wait(for index: Int, asked: Int, side: Int, _ pipeline: ImagePipeline) throws -> Double {
    guard let size = PixelSize(width: side, height: side) else { throw CommandError("\(side): no size") }
    let key = ImageKey(source: UInt64(index), size: size, fit: .fit)
    let request = ImageRequest(key: key, source: .file(path: Array(pictures[index].path.utf8)))
    let start = MonotonicClock.now()
    pipeline.request(request, deadline: .zero)
    let arrivals = pipeline.collect(at: .zero + .seconds(60 * Double(asked + 1)))
    let end = MonotonicClock.now()
    guard let arrival = arrivals.first(where: \.isFinal), (try? arrival.outcome.get()) != nil else {
      throw CommandError("\(pictures[index].name): could not be prepared")
    }
    return Double((end - start).nanoseconds)
  }
}
