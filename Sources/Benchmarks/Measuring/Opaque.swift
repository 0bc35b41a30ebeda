/// Hands a value back in a way that the optimiser cannot see through: what comes of it cannot be worked out beforehand.
@inline(never)
func opaque<Value>(_ value: Value) -> Value { value }

/// Takes a value in a way that the optimiser cannot see through: what led to it must be worked out.
@inline(never)
func keep<Value>(_ value: Value) {
  withUnsafePointer(to: value) { pointer in _ = opaque(UInt(bitPattern: pointer)) }
}
