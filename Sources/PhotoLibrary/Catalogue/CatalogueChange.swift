/// What an event of a scan changed in a catalogue, in the order of the event.
public struct CatalogueChange: Hashable, Sendable {
  /// The photographs that the scan listed, known before or not: appended to what was listed before, they are the
  /// library in its final order.
  public var listed: [PhotoID] = []
  /// Those of them that were not known.
  public var added: [PhotoID] = []
  /// Known photographs whose file, facts or failure are others now: their cells are to be configured again.
  public var changed: [PhotoID] = []
  /// Of these the ones whose files are others now.
  public var replaced: [PhotoID] = []

  /// Makes an empty change.
  public init() {}

  /// Whether nothing changed.
  public var isEmpty: Bool { listed.isEmpty && added.isEmpty && changed.isEmpty }
}
