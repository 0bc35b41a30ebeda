import FuzzedReaders

/// Passes an input of libFuzzer to the reader.
@c(LLVMFuzzerTestOneInput)
public func readInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  FuzzedReader.tiff.read(UnsafeRawBufferPointer(start: start, count: count))
  return 0
}
