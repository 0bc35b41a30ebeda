import BenchmarkSupport
import Geometry
import ImageDecoding
import Rendering

/// Our decoding, in this process and on this thread.
struct OwnDecoding {
  let picture: MeasuredPicture

  /// Reads a file and makes its thumbnail.
  ///
  /// - Parameter side: the longest side, in pixels.
  /// - Returns: the thumbnail, and the nanoseconds of processor time that it took.
  func thumbnail(side: Int) throws -> (bitmap: Bitmap, nanoseconds: Double) {
    let start = ProcessTime.now
    let bitmap = try decode(side: side)
    return (bitmap, Double(ProcessTime.now - start))
  }

  /// How near thumbnails are to Lanczos references of the whole picture, in decibels.
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
