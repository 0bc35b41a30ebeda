/// Why a header cannot be read further for now.
enum HeaderReadError: Error, Hashable {
  /// These bytes of the file were not fetched yet.
  case missingBytes(offset: Int, count: Int)
  /// The file ends before.
  case endOfFile
}
