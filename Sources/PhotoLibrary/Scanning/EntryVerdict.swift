/// What a scan does with a name that it meets.
enum EntryAction: Hashable, Sendable {
  /// Nothing.
  case skip
  /// It is a folder: its turn comes after the pictures.
  case enter
  /// It is listed as a picture.
  case list
  /// It is listed if its first bytes are those of a picture.
  case sniff
  /// It is listed as a picture that cannot be shown.
  case fail(PhotoFailure)

  /// Decides by the name and by what it leads to.
  static func action(for name: some BidirectionalCollection<UInt8>, target: EntryTarget) -> EntryAction {
    if isHidden(name) { return .skip }
    let promises = ImageFileExtensions.isImageFileName(name)
    switch target {
    case .folder: return .enter
    case .file(let byteCount): return promises ? .list : byteCount > 0 ? .sniff : .skip
    case .special: return promises ? .fail(.notARegularFile) : .skip
    case .brokenLink: return promises ? .fail(.brokenLink) : .skip
    case .inaccessible(let failure): return promises ? .fail(failure) : .skip
    }
  }

  /// Whether the name asks not to be shown.
  static func isHidden(_ name: some Collection<UInt8>) -> Bool { name.first == UInt8(ascii: ".") }
}
