/// What a step through the scans of a JPEG file completed.
enum ScanProgress: Hashable {
  /// A row of blocks of a scan.
  case row
  /// A scan.
  case scan
  /// The last scan.
  case end
}
