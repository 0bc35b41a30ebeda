import Geometry
public import ImagePipeline
public import Rendering
import Synchronization

/// Paints the pictures of an album on the threads of an image pipeline: no file is opened and no process is started.
public final class SketchPainter: DecoderFactory {
  private let album: SketchAlbum
  private let storage: PixelStorage
  private let isInterrupted = Atomic(false)

  /// Makes a painter of an album's pictures, which requests name as ``ImageSource/painted(_:)``.
  ///
  /// - Parameter storage: how their pixels are to stand in memory. Default: red first.
  public init(_ album: SketchAlbum, storage: PixelStorage = PixelStorage()) {
    self.album = album
    self.storage = storage
  }

  /// Makes the painter of a worker.
  public func makeDecoder(worker: Int) -> any PictureDecoder { Worker(painter: self) }

  /// Lets every later request end with ``ImageFailure/interrupted``; what is being painted is done within a moment.
  public func interrupt() { isInterrupted.store(true, ordering: .relaxed) }

  private func paint(_ request: ImageRequest) -> ImageOutcome {
    if isInterrupted.load(ordering: .relaxed) { return .failure(.interrupted) }
    guard case .generated(let source) = request.source, let number = Int(exactly: source) else {
      return .failure(.unsupportedSource)
    }
    let sketch = album.sketch(at: number)
    let own = album.size(at: number)
    // A sketch has no pixels of its own that could be enlarged: filling is painting at that size.
    let size = request.key.fit == .fit ? own.fitted(into: request.key.size) : request.key.size
    do {
      let bitmap = try SketchCanvas(sketch, filling: size).paint(storage)
      return .success(DecodedImage(bitmap: bitmap, sourceSize: own))
    } catch {
      return .failure(.outOfMemory)
    }
  }

  private struct Worker: PictureDecoder {
    let painter: SketchPainter

    func prepare() {}

    func decode(_ request: ImageRequest) -> ImageOutcome { painter.paint(request) }
  }
}
