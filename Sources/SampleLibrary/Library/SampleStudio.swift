import Geometry
import ImageMetadata
import Rendering

/// Makes sample files on one thread: paints a scene, turns it, encodes it, adds what cameras add, writes it.
///
/// The painter and the encoder are made when the first file is: a library that is there needs neither.
final class SampleStudio {
  /// The longer side of the preview within a file, in pixels, as cameras have it.
  private static let previewSide = 160
  private static let previewQuality = 80

  private let names: SampleNames
  private let quality: Int
  private let reduction: Int
  private let makeEncoder: () throws -> any JPEGEncoding
  private let isCancelled: () -> Bool
  private var painter: LandscapePainter?
  private var encoder: (any JPEGEncoding)?

  /// A studio that has made nothing yet.
  ///
  /// - Parameters:
  ///   - names: the scenes and where their files lie.
  ///   - quality: of the JPEG files, 1 to 100.
  ///   - reduction: how many times smaller the pictures are than their scenes say.
  ///   - makeEncoder: makes the encoder, on the thread that makes files.
  ///   - isCancelled: asked now and then; once true, the painting ends with ``SampleLibraryError/cancelled``.
  init(
    names: SampleNames, quality: Int, reduction: Int, makeEncoder: @escaping () throws -> any JPEGEncoding,
    isCancelled: @escaping () -> Bool
  ) {
    self.names = names
    self.quality = quality
    self.reduction = reduction
    self.makeEncoder = makeEncoder
    self.isCancelled = isCancelled
  }

  /// Makes the file of an index, unless it is there and whole.
  func make(_ index: Int) throws(SampleLibraryError) {
    let scene = names.album.scene(at: index)
    let path = names.path(of: scene)
    guard !FolderCalls.holdsWholeJPEG(path) else { return }
    let bytes = try file(of: scene)
    do throws(FolderCalls.Refusal) {
      try FolderCalls.write(bytes, to: path, by: names.temporaryPath(at: index))
    } catch {
      throw SampleLibraryError(path: String(decoding: path, as: UTF8.self), refusal: error)
    }
  }

  private func file(of scene: LandscapeScene) throws(SampleLibraryError) -> [UInt8] {
    let (stored, preview) = try bitmaps(of: scene)
    var exif = ExifSegment(
      title: scene.title, orientation: scene.orientation, captureTime: scene.captureTime, storedSize: stored.size)
    exif.preview = try encoded(preview, quality: SampleStudio.previewQuality)
    guard let file = exif.inserted(into: try encoded(stored, quality: quality)) else {
      throw .encoding(reason: "the encoder gave no JPEG file")
    }
    return file
  }

  private func bitmaps(of scene: LandscapeScene) throws(SampleLibraryError) -> (stored: Bitmap, preview: Bitmap) {
    let painter = painter ?? LandscapePainter()
    self.painter = painter
    do {
      let upright = try painter.paint(scene, size: scene.size.reduced(by: reduction), isCancelled: isCancelled)
      let stored = try StoredBitmap.turned(upright, for: scene.orientation)
      return (stored, try StoredBitmap.preview(of: stored, longSide: SampleStudio.previewSide))
    } catch is CancellationError {
      throw .cancelled
    } catch {
      throw .resources(reason: "\(error)")
    }
  }

  private func encoded(_ bitmap: Bitmap, quality: Int) throws(SampleLibraryError) -> [UInt8] {
    do {
      let encoder = try encoder ?? makeEncoder()
      self.encoder = encoder
      return try encoder.encode(bitmap, quality: quality)
    } catch {
      throw .encoding(reason: "\(error)")
    }
  }
}

extension PixelSize {
  /// The size divided, but at least one pixel.
  fileprivate func reduced(by divisor: Int) -> PixelSize {
    PixelSize(width: max(1, width / max(1, divisor)), height: max(1, height / max(1, divisor))) ?? self
  }
}
