/// What the overlay shows beside frames; asked for once a frame.
struct OverlayFigures {
  /// Items in the library.
  var items = 0
  /// Cells on screen.
  var visibleCells = 0
  /// Cells that wait for another item.
  var pooledCells = 0
  /// Cells on screen without their picture.
  var waitingForPicture = 0
  /// Decodings under way.
  var decoding = 0
  /// Requests that wait for a decoder.
  var queued = 0
  /// Pictures decoded so far.
  var decoded = 0
  /// Bytes of decoded pictures in memory.
  var bitmapBytes = 0
  /// Bytes of textures.
  var textureBytes = 0
}
