import VitrineDataStructures
import VitrinePhotoLibrary

/// Reads the bytes as the stored record of a folder.
func readFolder(_ start: UnsafePointer<UInt8>?, _ count: Int) {
  let folder = PhotoPath("/pictures")
  guard
    let record = FolderRecord(
      folder: folder, encodedEntries: UnsafeRawBufferPointer(start: start, count: count))
  else { return }
  // What was read can be stored and read again. Cameras that no photograph has are not stored again.
  let again = record.encodedEntries.withUnsafeBytes { FolderRecord(folder: folder, encodedEntries: $0) }
  checkPrecondition(again == record, "a record must be equal after encoding it again")
}
