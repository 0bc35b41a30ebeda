internal import Geometry

/// The body of a section while its own is elsewhere, to be changed without being copied.
struct NoBody: SectionBody {
  var itemCount: Int { 0 }
  var length: Int { 0 }
  var breadth: Int { 0 }
  func frame(ofItem item: Int) -> PixelFrame { .zero }
  var hasSupplementaries: Bool { false }
  func firstItem(in rect: PixelFrame) -> Int? { nil }
  func lastItem(in rect: PixelFrame) -> Int? { nil }
  func groupStarts(around line: Int) -> (atOrBefore: Int, behind: Int?)? { nil }
  mutating func update(_ edits: SectionEdits, content: any SectionContent, room: SectionRoom) -> Bool { false }
  func cost(of edits: SectionEdits) -> Int { 0 }
}
