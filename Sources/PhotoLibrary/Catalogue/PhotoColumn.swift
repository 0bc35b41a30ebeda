import DataStructures

/// One value for each photograph of a catalogue, found by its name in constant time.
///
/// Kept in pages: growing it moves nothing, and a copy shares with the original all pages that neither has changed since.
public struct PhotoColumn<Value: Sendable>: Sendable {
  private var values = PagedColumn<Value>()
  private let unset: Value

  /// Makes a column.
  ///
  /// - Parameter unset: the value of photographs for which none was set.
  public init(unset: Value) { self.unset = unset }

  /// The value of a photograph.
  ///
  /// - Precondition: to set it, the photograph's number is at least 1, as a catalogue gives it.
  /// - Complexity: O(1) to read; O(1) amortised to set, where photographs are named in turn, or O(page) once after a copy.
  public subscript(id: PhotoID) -> Value {
    get {
      let row = Int(id.rawValue) - 1
      return row >= 0 && row < values.count ? values[row] : unset
    }
    set {
      let row = Int(id.rawValue) - 1
      checkPrecondition(row >= 0, "A value was set for photograph \(id.rawValue); a catalogue's numbers begin at 1.")
      while values.count <= row { values.append(unset) }
      values[row] = newValue
    }
  }
}
