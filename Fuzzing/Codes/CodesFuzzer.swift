import CJPEG
import DataStructures

/// Reads the bytes as a JPEG file at an eighth, with codes passed over and without, and holds one against the other;
/// libFuzzer calls it (`LLVMFuzzerTestOneInput`).
@c(LLVMFuzzerTestOneInput)
public func passOverCodes(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  // libjpeg looks ahead, and warns of a file's end that it did not need; where an end follows it meets that.
  let file = Array(UnsafeBufferPointer(start: start, count: count)) + [0xFF, 0xD9]
  let own = Eighth(of: file, passesOverCodes: true)
  // What is not as the standard says is read by libjpeg.
  if own.status == JPEG_ROWS_UNUSUAL { return 0 }
  let reference = Eighth(of: file, passesOverCodes: false)
  demand(own == reference, "a picture must be the same with codes passed over")
  return 0
}
