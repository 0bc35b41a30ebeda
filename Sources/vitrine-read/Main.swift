import Glibc
import VitrineReadingService

/// The reading program, which reads headers, thumbnails' texts and lists of other programs for the one that draws.
///
/// It ends with `_exit`, because no exit handlers should run in a process that has read untrusted files.
@main
enum VitrineRead {
  static func main() { _exit(ReadingProgram.run()) }
}
