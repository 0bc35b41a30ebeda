/// The order in which people expect file names: "img2" before "img10", "B" between "a" and "c".
///
/// A run of digits counts as its number. Letters of ASCII are compared without case. Names that are then still equal
/// ("img1", "IMG1", "img01") are ordered by their bytes, so that no two different names are ever equal: a strict total
/// order over all byte strings.
public enum NaturalOrder {
  /// Whether a name stands before another.
  public static func precedes(_ first: some Collection<UInt8>, _ second: some Collection<UInt8>) -> Bool {
    let (one, other) = (sortKey(of: first), sortKey(of: second))
    return one == other ? first.lexicographicallyPrecedes(second) : one.lexicographicallyPrecedes(other)
  }

  /// Bytes whose plain order is the natural order, but for names that differ in case or leading zeros alone.
  public static func sortKey(of name: some Collection<UInt8>) -> [UInt8] {
    var key: [UInt8] = []
    key.reserveCapacity(name.count + 4)
    appendKey(of: name, to: &key)
    return key
  }

  /// An ASCII letter as its lower case, any other byte as it is.
  static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  /// Adds a name's key.
  ///
  /// A number becomes "0", how many digits it has without leading zeros, and those digits: more digits are a larger
  /// number, and as many are compared one by one.
  static func appendKey(of name: some Collection<UInt8>, to key: inout [UInt8]) {
    var rest = name[...]
    while let byte = rest.first {
      guard isDigit(byte) else {
        key.append(lowercased(byte))
        rest = rest.dropFirst()
        continue
      }
      let digits = rest.prefix(while: isDigit)
      let significant = digits.drop { $0 == UInt8(ascii: "0") }
      key.append(UInt8(ascii: "0"))
      var count = significant.count
      while count >= 255 {
        key.append(255)
        count -= 255
      }
      key.append(UInt8(count))
      key.append(contentsOf: significant)
      rest = rest[digits.endIndex...]
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
