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

  @Test("A camera that is not UTF-8 or longer than 255 bytes makes the record damaged, and is not stored")
  func cameras() {
    func entry(_ name: String, camera: String) -> FolderRecord.Entry {
      var header = ImageHeader(format: .jpeg, storedSize: PixelSize(width: 3, height: 2), orientation: .up)
      header.camera = camera
      let identity = FileIdentity(device: 1, inode: 2, byteCount: 3, modificationNanoseconds: 4)
      return FolderRecord.Entry(name: Array(name.utf8), identity: identity, header: header)
    }
    let longest = String(repeating: "N", count: 255)
    let record = FolderRecord(
      folder: folder, entries: [entry("a", camera: longest), entry("b", camera: longest + "é")])
    let again = read(record.encodedEntries)
    #expect(again?.entries.map(\.header?.camera) == [longest, nil])
    var bytes = record.encodedEntries
    // After the count of the cameras and the length of the first.
    bytes[4] = 0xFF
    #expect(read(bytes) == nil)
    // One byte more, and a length of 256.
    bytes = record.encodedEntries
    bytes.insert(UInt8(ascii: "N"), at: 4)
    (bytes[2], bytes[3]) = (0, 1)
    #expect(read(bytes) == nil)
  }
}
