/// The layout of a color table: the colors of a display for a grid of colors of sRGB.
///
/// The reply to ``DecodingRequest/Operation/makeColorTable`` has ``byteCount`` bytes in the slot. An entry is four
/// little-endian numbers of 16 bits: red, green, blue and zero, where 65,535 is the highest level of a channel. The entry
/// of the sRGB color whose channels have the levels at the indices r, g and b of ``levels`` is the one at index
/// (b x ``side`` + g) x ``side`` + r. Colors between those of the grid are interpolated.
package enum ColorTableFormat {
  /// The number of levels of each channel.
  ///
  /// The table stays in the processor's second cache. One of 49 levels would be more exact only for displays that show
  /// fewer colors than sRGB, and not much.
  package static let side = 33
  /// The number of entries.
  package static let entryCount = side * side * side
  /// The number of bytes of an entry.
  package static let bytesPerEntry = 8
  /// The number of bytes of a table.
  package static let byteCount = entryCount * bytesPerEntry

  /// The levels of each channel, from 0 to 255 and closer to each other where they are dark.
  ///
  /// The curves of displays differ from that of sRGB most near black. With even distances, dark colors would be off by up
  /// to 7 levels, and with these they are off by one.
  package static let levels = (0..<side).map { (index: Int) -> UInt8 in
    let scaledLevel = index * (979 + 224 * index)
    return UInt8((scaledLevel + 512) >> 10)
  }
}
