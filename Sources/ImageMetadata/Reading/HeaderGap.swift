/// Why a header cannot be read further for now.
enum HeaderGap: Error, Hashable {
  /// These bytes of the file were not fetched yet.
  case missing(offset: Int, count: Int)
  /// The file ends before.
  case end
}
