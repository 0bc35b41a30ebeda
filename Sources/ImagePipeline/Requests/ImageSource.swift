/// Where a picture's pixels come from.
public enum ImageSource: Hashable, Sendable {
  /// A file, by the bytes of its path, without a zero byte; opened for reading by a worker, never by the main thread.
  case file(path: [UInt8])
  /// Memory that holds a file's bytes, as downloads are kept that are not to be on a disk.
  case memory(MemoryFile)
  /// Something on the web, which the pipeline's ``ImagePipelineConfiguration/transfers`` bring onto this machine first.
  case remote(RemoteRequest)
  /// No file: a number that the caller's own ``PictureDecoder`` knows how to paint.
  case generated(UInt64)
}
