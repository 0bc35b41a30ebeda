/// The names in one folder, in one piece of memory: a folder may hold hundreds of thousands.
struct NameList {
  private var bytes: [UInt8] = []
  private var starts: [Int] = [0]

  /// How many names there are.
  var count: Int { starts.count - 1 }

  /// Adds a name.
  mutating func append(_ name: some Collection<UInt8>) {
    bytes.append(contentsOf: name)
    starts.append(bytes.count)
  }

  /// A name's bytes.
  subscript(index: Int) -> ArraySlice<UInt8> { bytes[starts[index]..<starts[index + 1]] }
}
