import VitrineDataStructures
import VitrineGeometry
import VitrineImageMetadata
import VitrineImagePipeline
import VitrineImageStore

/// Reads the bytes as the metadata of a shared thumbnail.
func readThumbnail(_ start: UnsafePointer<UInt8>?, _ count: Int) {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  guard let metadata = PNGDescription(bytes).map(SharedThumbnailMetadata.init) else { return }
  checkPrecondition(metadata.size.width > 0 && metadata.size.height > 0, "a thumbnail must have pixels")
  checkPrecondition(metadata.showsAll(of: metadata.size), "an image must show all of itself")
  _ = metadata.showsAll(of: PixelSize.maximum)
  let (seconds, length) = (metadata.modifiedSeconds, metadata.byteCount)
  if let uri = metadata.uri, let seconds {
    checkPrecondition(
      metadata.matches(uri, modifiedSeconds: seconds, byteCount: length ?? 1), "a thumbnail must match its original")
    checkPrecondition(
      !metadata.matches(uri + "x", modifiedSeconds: seconds, byteCount: length ?? 1),
      "it must not match another original")
    checkPrecondition(
      !metadata.matches(uri, modifiedSeconds: seconds &+ 1, byteCount: length ?? 1), "it must not match another time")
  } else {
    checkPrecondition(
      !metadata.matches(metadata.uri ?? "", modifiedSeconds: seconds ?? 0, byteCount: length ?? 1),
      "incomplete metadata must not match"
    )
  }
  // A prefix of the file contains the same metadata, or less.
  let end = bytes.suffix(4).reduce(0) { $0 << 8 | Int($1) } % (bytes.count + 1)
  guard let prefix = PNGDescription(Array(bytes[..<end])).map(SharedThumbnailMetadata.init) else { return }
  checkPrecondition(prefix.size == metadata.size, "a prefix must have the same size")
  checkPrecondition(prefix.uri == nil || prefix.uri == metadata.uri, "a prefix must have the same original")
  checkPrecondition(
    prefix.modifiedSeconds == nil || prefix.modifiedSeconds == metadata.modifiedSeconds,
    "a prefix must have the same time")
  checkPrecondition(
    prefix.byteCount == nil || prefix.byteCount == metadata.byteCount, "a prefix must have the same length")
  checkPrecondition(prefix.failure == nil || prefix.failure == metadata.failure, "a prefix must have the same failure")
}
