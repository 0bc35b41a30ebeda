/// What a run showed.
public struct LibraryFigures: Encodable {
  var items: Int
  var sections: Int
  var failed: Int?

  /// Makes figures: items in all, in so many sections, and those without a picture, where somebody knows.
  public init(items: Int, sections: Int, failed: Int?) {
    self.items = items
    self.sections = sections
    self.failed = failed
  }
}
