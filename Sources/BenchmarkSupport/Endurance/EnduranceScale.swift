/// Powers between two whole ones, without a mathematical library: near enough for a script.
enum EnduranceScale {
  /// A base to the power of a share from 0 to 1, by halving: within a thousandth.
  static func power(_ base: Double, _ exponent: Double) -> Double {
    var result = 1.0
    var root = base.squareRoot()
    var rest = min(1, max(0, exponent))
    if rest == 1 { return base }
    for _ in 0..<12 {
      rest *= 2
      if rest >= 1 {
        result *= root
        rest -= 1
      }
      root = root.squareRoot()
    }
    return result
  }
}
