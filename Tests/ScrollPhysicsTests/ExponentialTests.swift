import Glibc
import ScrollPhysics
import TestSupport
import Testing

@Suite("Powers and logarithms in plain arithmetic agree with the C library's")
struct ExponentialTests {
  @Test("Powers agree to a few units in the last place")
  func powersAgree() {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<20_000 {
      let power = Double.random(in: -700...700, using: &random)
      let expected = Glibc.exp(power)
      #expect((Exponential.exp(power) - expected).magnitude <= 4 * expected.ulp)
    }
    #expect(Exponential.exp(0) == 1)
    #expect(Exponential.exp(-1e300) == 0)
    #expect(Exponential.exp(.nan) == 0)
    #expect(Exponential.exp(.infinity).isFinite)
  }

  @Test("Logarithms agree to a few units in the last place")
  func logarithmsAgree() {
    var random = SeededGenerator(seed: 2)
    for _ in 0..<20_000 {
      let number = Glibc.exp(Double.random(in: -700...700, using: &random))
      let expected = Glibc.log(number)
      #expect((Exponential.log(number) - expected).magnitude <= 4 * max(expected.ulp, 1e-16))
    }
    #expect(Exponential.log(1) == 0)
    for number in EdgeCaseNumbers.doubles { #expect(Exponential.log(number).isFinite) }
  }
}
