import BenchmarkSupport
import FramePacing
import Geometry
import ImagePipeline

/// Pictures by way of the whole pipeline: a request, a sandboxed process, shared memory, a bitmap.
@MainActor
struct PipelineRun {
  let picture: MeasuredPicture
  /// The executable of the decoding process; where nothing is told, the one beside the program.
  let decoder: String?

  private static let fewest = 1
  private static let further = 5

  /// The processor time of one thumbnail in nanoseconds, all processes together.
  ///
  /// From a pipeline that makes several and one that makes one, so that what a process takes to start is not in it.
  func thumbnail(side: Int) throws -> Double {
    let few = try time(of: PipelineRun.fewest, side: side)
    let many = try time(of: PipelineRun.fewest + PipelineRun.further, side: side)
    return (many - few) / Double(PipelineRun.further)
  }

  private func time(of count: Int, side: Int) throws -> Double {
    guard let size = PixelSize(width: side, height: side) else { throw CommandError("\(side): no size") }
    let start = ProcessTime.now + ProcessTime.ofChildren
    // On the modelled time line processes are of the usual priority, and the caller waits for each picture.
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
