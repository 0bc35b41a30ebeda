/// Text in its own colours.
public struct TextFigures: Encodable {
  /// Pictures of emoji that were unpacked, on the thread that draws.
  var emojiUnpacked: Int
  /// Bytes of these that are kept.
  var emojiBytes: Int
}
