/// What a section was before it is solved anew.
struct FormerSection: Sendable {
  /// Everything but its body.
  let section: SolvedSection
  /// Its body; held here alone, so that it is changed in place.
  var body: (any SectionBody)?
  /// What happened to its items, or nothing where they are to be placed anew.
  let edits: SectionEdits?

  /// Takes a section's body out of it.
  init(_ section: inout SolvedSection, edits: SectionEdits?) {
    body = section.takeBody()
    self.section = section
    self.edits = edits
  }

  /// The body with the edits made to it, where it can be kept by other rules in another room.
  mutating func updatedBody(by content: any SectionContent, in room: SectionRoom) -> (any SectionBody)? {
    guard let edits, section.room == room, body?.update(edits, content: content, room: room) == true else { return nil }
    defer { body = nil }
    return body
  }
}
