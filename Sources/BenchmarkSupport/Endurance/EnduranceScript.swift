internal import DataStructures

extension GestureScript {
  /// Flicks of up to 200,000 points a second, flips, jumps, glides and pages with pauses between, drawn from a seed.
  ///
  /// - Parameters:
  ///   - seed: equal seeds make equal scripts.
  ///   - length: how many refreshes the script lasts at least.
  public static func endurance(seed: UInt64, length: Int) -> GestureScript {
    var random = SplitMix64(seed: seed)
    var script = GestureScript()
    var speed = 1_000.0
    while script.length < length {
      let side = Bool.random(using: &random) ? 1.0 : -1.0
      switch Int.random(in: 0..<10, using: &random) {
      case 0...3:
        // As many slow ones as fast ones: from 250 to 200,000.
        let exponent = Double.random(in: 0...1, using: &random)
        speed = side * 250 * EnduranceScale.power(800, exponent)
        script.add(.flick(speed), then: .random(in: 20...240, using: &random))
      case 4, 5:
        for _ in 0..<Int.random(in: 1...6, using: &random) {
          speed = -speed
          script.add(.flick(speed), then: .random(in: 2...30, using: &random))
        }
      case 6:
        speed = side * Double.random(in: 200...20_000, using: &random)
        script.add(.steady(speed), then: .random(in: 30...180, using: &random))
      case 7: script.add(.jump(.random(in: 0...1, using: &random)), then: .random(in: 1...60, using: &random))
      case 8: script.add(.glide(.random(in: 0...1, using: &random)), then: .random(in: 5...60, using: &random))
      default:
        script.add(.page(side), then: .random(in: 5...40, using: &random))
        if Bool.random(using: &random) { script.add(.stop, then: .random(in: 1...60, using: &random)) }
      }
    }
    return script
  }
}
