import Glibc
import VitrineDecodingService
import VitrineImageDecoding

/// The decoding program for files that `vitrine-decode` refuses with `otherProgram`: TIFF, HEIC and AVIF.
///
/// It is the same program with the decoders of all formats, whose libraries depend on thirty others. So a process that
/// decodes a picture of a common format neither loads nor contains the decoders that are attacked most.
@main
enum VitrineDecodeAll {
  static func main() { _exit(DecodingProgram.run(arguments: CommandLine.arguments, decoders: .all)) }
}
