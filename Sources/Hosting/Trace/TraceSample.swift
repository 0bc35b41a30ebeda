import FramePacing

/// What a run held and waited for at a moment, between two frames.
nonisolated struct TraceSample: Hashable, Sendable {
  /// When, on the run's clock.
  var instant: FrameInstant
  /// Cells on screen.
  var visibleCells = 0
  /// Those of them without their picture.
  var coldCells = 0
  /// Requests that wait for a decoder.
  var queued = 0
  /// Decodings under way.
  var decoding = 0
  /// Bitmaps that wait to become textures.
  var waitingUploads = 0
  /// Bytes of decoded pictures in memory.
  var bitmapBytes = 0
  /// Bytes of textures.
  var textureBytes = 0
  /// Bytes that the process holds; nothing where the kernel does not tell.
  var residentBytes: Int?
}
