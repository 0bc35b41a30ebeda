/// A number held within 0...1.
@inline(__always) func clamped(_ value: Float) -> Float { max(0, min(1, value)) }

/// The way from one number to another.
@inline(__always) func mix(_ start: Float, _ end: Float, _ part: Float) -> Float { start + (end - start) * part }

/// The way from one colour to another.
@inline(__always) func mix(_ start: Tint, _ end: Tint, _ part: Float) -> Tint { start + (end - start) * part }

/// How far a number is between two edges, with a gentle start and end.
@inline(__always) func ramp(_ from: Float, _ to: Float, _ value: Float) -> Float {
  let part = clamped((value - from) / (to - from))
  return part * part * (3 - 2 * part)
}

/// The greatest whole number not above; for values that fit.
@inline(__always) func floored(_ value: Float) -> Int {
  let whole = Int(value)
  return value < Float(whole) ? whole &- 1 : whole
}
