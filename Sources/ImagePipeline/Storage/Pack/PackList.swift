/// How a segment's list tells which thumbnails are where; a pure function of its bytes, which takes any bytes.
package enum PackList {
  /// The bytes of one thumbnail's record.
  package static let recordBytes = MemoryLayout<PackRecord>.stride

  /// The thumbnails that a payload of the list tells of, as far as their pixels can be there.
  ///
  /// - Parameters:
  ///   - payload: what was listed at once; bytes that are no whole record are passed over.
  ///   - number: the segment's number, whatever the records say.
  ///   - present: the bytes of pixels that the segment has.
  /// - Complexity: O(count).
  package static func records(
    in payload: UnsafeRawBufferPointer, ofSegment number: UInt32, present: Int
  ) -> [PackRecord] {
    var records: [PackRecord] = []
    for place in 0..<payload.count / recordBytes {
      var record = payload.loadUnaligned(fromByteOffset: place * recordBytes, as: PackRecord.self)
      record.entry.segment = number
      if record.entry.byteCount > 0, record.entry.end <= present { records.append(record) }
    }
    return records
  }
}
