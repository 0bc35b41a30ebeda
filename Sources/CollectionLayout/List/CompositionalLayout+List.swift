extension CompositionalLayout {
  /// A list that scrolls down, all of whose sections look alike.
  ///
  /// - Complexity: O(1); solving it for s sections is O(s), whatever the number of rows.
  public static func list(using configuration: CollectionLayoutListConfiguration) -> CompositionalLayout {
    CompositionalLayout { _, environment in
      CollectionLayoutSection.list(using: configuration, layoutEnvironment: environment)
    }
  }
}
