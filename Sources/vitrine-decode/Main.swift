import Glibc
import VitrineDecodingService
import VitrineImageDecodingCore

/// The decoding program, which turns files into pixels and pixels into files.
///
/// It decodes the common formats. A process is forked for each picture, and the fewer libraries it has, the less that
/// costs. See `DecodingLaunch` for its launch parameters.
///
/// It ends with `_exit`, because no exit handlers should run in a process that has read untrusted files.
@main
enum VitrineDecode {
  static func main() { _exit(DecodingProgram.run(arguments: CommandLine.arguments, decoders: .common)) }
}
