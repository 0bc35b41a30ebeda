/// Text in its own colours.
public struct TextFigures: Encodable {
  /// Pictures of emoji that were unpacked, on a thread of their own.
  var emojiUnpacked: Int
  /// Those of them that were unpacked on the thread that draws: counted where FreeType is called, by the calling thread.
  var emojiUnpackedOnRenderThread: Int
  /// Bytes of these that are kept.
  var emojiBytes: Int
}
