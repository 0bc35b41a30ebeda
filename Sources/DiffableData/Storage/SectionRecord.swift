/// One section of a snapshot.
struct SectionRecord<SectionID: Hashable & Sendable>: Sendable {
  let identifier: SectionID
  /// The section's key in its snapshot, which stays when sections before it come and go.
  let key: Int32
  var items = HandleList()
}
