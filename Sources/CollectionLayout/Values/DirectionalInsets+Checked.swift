internal import DataStructures

extension DirectionalInsets {
  /// Stops the program unless all distances are finite and not negative.
  func demandUsable(of owner: @autoclosure () -> String) {
    checkPrecondition(
      [top, leading, bottom, trailing].allSatisfy { $0.isFinite && $0 >= 0 },
      "The content insets of \(owner()) are \(top), \(leading), \(bottom), \(trailing)"
        + " (top, leading, bottom, trailing). They must be finite numbers that are not negative.")
  }
}
