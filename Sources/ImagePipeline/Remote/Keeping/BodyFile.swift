/// The bytes of an answer on their way to where they are kept.
final class DownloadFile {
  /// Where they go.
  let descriptor: OwnedDescriptor
  /// The name for the time being; nothing in memory.
  let temporaryName: String?
  /// What is there so far.
  private(set) var byteCount = 0

  /// Takes over what is open for writing.
  init(_ descriptor: consuming OwnedDescriptor, temporaryName: String?) {
    self.descriptor = descriptor
    self.temporaryName = temporaryName
  }

  /// Appends bytes.
  func write(_ bytes: UnsafeRawBufferPointer) throws(RemoteFailure) {
    try DownloadFileSystem.write(bytes, to: descriptor)
    byteCount += bytes.count
  }
}
