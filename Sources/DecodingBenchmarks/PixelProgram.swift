import BenchmarkSupport
import FramePacing
import Geometry
import Glibc
import ImagePipeline
import Rendering

/// `scripts/pixels`: has the program's own decoding processes decode pictures at several sizes, and writes the pixels where
/// the script compares them with other decoders'.
///
/// The folder gets `pixels.tsv`, a line for each picture and size, between tabs: the picture's number in the list, the side,
/// then `ok` or `damaged` with width and height, or `refused` with the reason; and beside it `NUMBER-SIDE.rgba` for each
/// picture that was decoded: bytes R, G, B, 255, rows from the top without padding.
@MainActor
struct PixelProgram {
  private let options: PixelOptions

  init(_ options: PixelOptions) {
    self.options = options
  }

  /// Decodes every picture of the list.
  ///
  /// - Throws: `CommandError` where the list cannot be read or the folder not be written.
  func run() throws {
    guard let list = FileContents(path: options.list) else { throw CommandError("\(options.list): cannot be read") }
    let paths = String(decoding: list.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    // On the modelled time line the caller waits for each picture.
    let pipeline = try ImagePipeline(
      ImagePipelineConfiguration(workers: 1, mode: .modelled, cacheBytes: 0, helperPath: options.decoder),
      waker: NoWaker())
    defer { pipeline.shutdown() }
    var lines: [String] = []
    for (number, path) in paths.enumerated() {
      for (place, side) in options.sides.enumerated() {
        let turn = number * options.sides.count + place
        let outcome = try decode(path, source: turn, side: side, pipeline)
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
    // Each an hour later: after too many losses no process is started for a while.
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

  /// The C functions are `open`, `write` and `close`.
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
