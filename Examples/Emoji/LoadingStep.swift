/// How far the program has come, from the first that loads at all to the one that it is in the end.
enum LoadingStep: CaseIterable {
  /// A cell that comes on screen begins to load, and nothing ends that.
  case loadingOnDisplay
  /// What a cell loads is cancelled when the cell leaves.
  case cancellingOnDisplay
  /// What will be seen soon is loaded ahead, and nothing ends that where it is not seen after all.
  case loadingAhead
  /// What was loaded ahead is cancelled where it will not be seen.
  case cancellingAhead

  /// Whether ratings are loaded before their cells are seen.
  var prefetches: Bool { self == .loadingAhead || self == .cancellingAhead }
  /// Whether loading ends where a cell leaves the screen.
  var cancelsOnDisplay: Bool { self != .loadingOnDisplay }
  /// Whether loading ends where an emoji that was to be seen soon is not.
  var cancelsAhead: Bool { self == .cancellingAhead }
}
