import Views

/// While a layout is being solved nobody knows where items are: its closures may not ask.
extension CollectionView {
  /// Has the layout find or change places, which may call the client's closures.
  final func solving<Result>(_ body: () -> Result) -> Result {
    layoutState.isSolving = true
    defer { layoutState.isSolving = false }
    return body()
  }

  /// Stops the program where a layout's closure asks the view, or has it laid out.
  final func requireSolvedLayout() {
    if layoutState.isSolving { failAccessWhileSolving() }
  }
}
