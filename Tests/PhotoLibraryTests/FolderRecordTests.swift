import Testing
import VitrineGeometry
import VitrineImageMetadata

@testable import VitrinePhotoLibrary

@Suite("Damaged records of folders")
struct FolderRecordTests {
  private let folder = PhotoPath("/pictures")

  private func read(_ bytes: [UInt8]) -> FolderRecord? {
    bytes.withUnsafeBytes { FolderRecord(folder: folder, encodedEntries: $0) }
  }

  @Test("A record that is cut off anywhere, also in a location, is none; an orientation that there is not is up")
  func damage() throws {
    #expect(read([]) == nil && read([1]) == nil && read([1, 0]) == nil && read([0, 0]) != nil)
    var header = ImageHeader(format: .jpeg, storedSize: PixelSize(width: 3, height: 2), orientation: .right)
    header.location = GeographicLocation(latitude: 1, longitude: 2)
    let identity = FileIdentity(device: 1, inode: 2, byteCount: 3, modificationNanoseconds: 4)
    let record = FolderRecord(
      folder: folder, entries: [FolderRecord.Entry(name: Array("a".utf8), identity: identity, header: header)])
    let bytes = record.encodedEntries
    #expect(read(bytes) == record)
    for count in bytes.indices { #expect((read(Array(bytes[..<count])) == nil) == (count != 2), "\(count)") }
    for byte in [PhotoPath.slash, 0] {
      var changed = bytes
      changed[4] = byte
      #expect(read(changed) == nil)
    }
    var changed = bytes
    // After the cameras, the name, four numbers, the failure and the format.
    let state = 2 + 3 + 32 + 2
    #expect(changed[state] == Orientation.right.rawValue)
    changed[state] = 0x0F
    #expect(read(changed)?.entries.first?.header?.orientation == .up)
  }
}
