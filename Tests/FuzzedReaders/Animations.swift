import VitrineGeometry
import VitrineImageDecoding
import VitrineImageMetadata
import VitrineRendering

/// Decodes the bytes as an animation, frame by frame.
func decodeAnimation(_ start: UnsafePointer<UInt8>?, _ count: Int) {
  let file = UnsafeRawBufferPointer(start: start, count: count)
  // The libraries of GIF, WebP and AVIF have fuzzers of their own; a few frames of small canvases show what is ours.
  let (maximumPixels, maximumFrames) = (1 << 16, 8)
  guard let header = ImageHeader.read(file), header.format != .avif, let canvas = header.storedSize,
    canvas.area <= maximumPixels, let size = PixelSize(width: 16, height: 16)
  else { return }
  let target = DecodingTarget(size: size, fit: .fit, background: .black, secondBackground: .white)
  guard let decoder = try? AnimationDecoder(file, header: header, target: target, decoder: ImageDecoder()) else {
    return
  }
  withUnsafeTemporaryAllocation(byteCount: size.bytesAtFourPerPixel, alignment: 4) { output in
    var frames = 0
    while frames < maximumFrames, (try? decoder.nextFrame(into: output)) ?? nil != nil { frames += 1 }
  }
}
