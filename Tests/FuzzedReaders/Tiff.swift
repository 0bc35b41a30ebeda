import VitrineDataStructures
import VitrineGeometry
import VitrineImageDecoding
import VitrineImageMetadata
import VitrineRendering

/// Decodes the bytes as a TIFF file.
func decodeTIFF(_ start: UnsafePointer<UInt8>?, _ count: Int) {
  let file = UnsafeRawBufferPointer(start: start, count: count)
  // libtiff has fuzzers of its own, and large images take long; small ones reach all that is ours.
  let maximumPixels = 1 << 14
  guard let header = ImageHeader.read(file), header.format == .tiff, let stored = header.storedSize,
    stored.area <= maximumPixels, let size = PixelSize(width: 16, height: 16)
  else { return }
  let target = DecodingTarget(size: size, fit: .fit, background: .black, secondBackground: .white)
  withUnsafeTemporaryAllocation(byteCount: size.bytesAtFourPerPixel, alignment: 4) { output in
    guard let image = try? ImageDecoder().decode(file, header: header, target: target, into: output) else { return }
    checkPrecondition(image.size.area <= size.area, "an image must fit the requested size")
    for pixel in 0..<image.size.area {
      checkPrecondition(output[4 * pixel + 3] == 255, "a decoded image must be opaque")
    }
  }
}
