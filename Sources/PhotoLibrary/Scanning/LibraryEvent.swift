/// What a scan reports, in this order for each photograph: that it was found, then what its header tells.
public enum LibraryEvent: Hashable, Sendable {
  /// The next photographs in the final order, to be appended.
  case found([FoundPhoto])
  /// The pictures of an album up to a number, that one left out, are listed, and all is known of them.
  case listed(upTo: Int)
  /// The next pictures of a list on the web, in its order; its number among the lists, the same in every scan; and whether a
  /// server of the internet gave it.
  case entries([ManifestItem], list: Int, isFromPublicServer: Bool)
  /// What the first bytes of photographs told, in the order of the photographs.
  case headers([HeaderResult])
  /// A folder that could not be read as it should.
  case problem(ScanProblem)
  /// How far the scan is.
  case progress(ScanProgress)
  /// The last event: every photograph was found and read.
  case finished(ScanSummary)
}
