import Glibc

@testable import ImagePipeline

/// A decoding process of the tests' own, in Perl, that keeps the protocol, or breaks it in one way.
///
/// It paints every picture in the colour of the file's first byte, which it does not read: it says 7. Perl is part of
/// every Debian system.
struct FakeHelper {
  /// What the helper does with each request.
  enum Conduct: String, CaseIterable, Sendable {
    /// Paints and answers.
    case honest = "paint($w * $h); answer($id, 0, $w, $h, 4 * $w, 4 * $h, 1, 0, 4 * $w * $h);"
    /// Paints half a picture and says that the file is damaged.
    case damaged = "paint($w * $h); answer($id, 0, $w, $h, 0, 0, 1, 1, 4 * $w * $h);"
    /// Paints the lower half less, as a picture that fits may be smaller.
    case smaller = "paint($w * $h); answer($id, 0, $w, int($h / 2), 0, 0, 1, 0, 4 * $w * int($h / 2));"
    /// Refuses every file.
    case refusing = "answer($id, 2, 0, 0, 0, 0, 1, 0, 0);"
    /// Answers as many bytes of noise as a record has.
    case randomBytes = "syswrite($s, join('', map { chr(int(rand(256))) } 1..128));"
    /// Answers another request than the one it got.
    case wrongNumber = "answer($id + 1, 0, $w, $h, 0, 0, 1, 0, 4 * $w * $h);"
    /// Says that the picture is larger than the one asked for.
    case tooLarge = "answer($id, 0, $w + 1, $h, 0, 0, 1, 0, 4 * ($w + 1) * $h);"
    /// Says that the picture is larger than the slot, and than 32 bits can count.
    case enormous = "answer($id, 0, 65535, 65535, 0, 0, 1, 0, 4294836225);"
    /// Says that the picture has no pixels.
    case emptyPicture = "answer($id, 0, 0, 0, 0, 0, 1, 0, 0);"
    /// Says another number of bytes than the picture has.
    case wrongByteCount = "answer($id, 0, $w, $h, 0, 0, 1, 0, 4 * $w * $h - 1);"
    /// Answers a status that does not exist.
    case unknownStatus = "answer($id, 99, $w, $h, 0, 0, 1, 0, 4 * $w * $h);"
    /// Answers an orientation that does not exist.
    case unknownOrientation = "answer($id, 0, $w, $h, 0, 0, 9, 0, 4 * $w * $h);"
    /// Answers half a record.
    case shortRecord = "syswrite($s, pack('V8', $magic, $id, 0, $w, $h, 0, 0, 1));"
    /// Answers a record and a half.
    case longRecord = "syswrite($s, pack('V48', $magic, $id, 0, $w, $h, 0, 0, 1, 0, 4 * $w * $h, (0) x 38));"
    /// Leaves without an answer.
    case dies = "exit 3;"
    /// Ends by a signal without an answer.
    case crashes = "kill 'SEGV', $$; sleep 1 while 1;"
    /// Closes the socket and stays.
    case hangsUp = "close($s); sleep 1 while 1;"
    /// Never answers.
    case hangs = "sleep 1 while 1;"
    /// Paints parts of pictures, and never answers where all of one is wanted.
    case hangsOnWhole = """
      if ((unpack('V32', $record))[6] == 2) { sleep 1 while 1; }
      paint($w * $h); answer($id, 0, $w, $h, 4 * $w, 4 * $h, 1, 0, 4 * $w * $h);
      """
    /// Paints parts of pictures, and ends by a signal where all of one is wanted.
    case diesOnWhole = """
      if ((unpack('V32', $record))[6] == 2) { kill 'SEGV', $$; sleep 1 while 1; }
      paint($w * $h); answer($id, 0, $w, $h, 4 * $w, 4 * $h, 1, 0, 4 * $w * $h);
      """
    /// Answers each request twice.
    case answersTwice = """
      paint($w * $h); answer($id, 0, $w, $h, 0, 0, 1, 0, 4 * $w * $h) for 1..2;
      """
    /// Answers each request with the right answer and a descriptor beside it: a file of the name that it was started with.
    case sendsDescriptor = """
      paint($w * $h);
      open(my $own, '<', $0);
      pass(pack('V32', $magic, $id, 0, $w, $h, 0, 0, 1, 0, 4 * $w * $h, (0) x 22), (fileno($own)) x 3);
      """
    /// Answers more than anybody reads, for as long as it is let.
    case floods = "paint($w * $h); answer($id, 0, $w, $h, 0, 0, 1, 0, 4 * $w * $h) while 1;"
    /// Answers, and keeps more memory than a decoder has any use for.
    case swells = """
      our $hoard; $hoard = chr(7) x (160 << 20) unless $hoard;
      paint($w * $h); answer($id, 0, $w, $h, 0, 0, 1, 0, 4 * $w * $h);
      """
    /// Answers, then leaves.
    case leavesAfterwards = "paint($w * $h); answer($id, 0, $w, $h, 0, 0, 1, 0, 4 * $w * $h); exit 0;"
    /// Answers an encode with four bytes.
    case encodes = "paint(1); answer($id, 0, 0, 0, 0, 0, 1, 0, 4);"
    /// Says that a file larger than the slot stands in it.
    case encodesTooMuch = "answer($id, 0, 0, 0, 0, 0, 1, 0, $bytes + 1);"
  }

  /// What the helper does when it starts.
  enum Greeting: String, CaseIterable, Sendable {
    /// Says that it is ready.
    case ready = "answer(0, 0, 0, 0, 0, 0, 1, 0, 0);"
    /// Says that it could not get ready.
    case refusing = "answer(0, 8, 0, 0, 0, 0, 1, 0, 0);"
    /// Says something else.
    case nonsense = "syswrite($s, 'hello');"
    /// Leaves.
    case leaving = "exit 1;"
    /// Says nothing.
    case silent = "sleep 1 while 1;"
  }

  #if arch(arm64)
    private static let isARM = true
  #else
    private static let isARM = false
  #endif

  /// Whether this system has what the helper runs on.
  static let isAvailable = access("/usr/bin/perl", X_OK) == 0

  /// Writes the helper into a folder.
  ///
  /// - Parameters:
  ///   - folder: where.
  ///   - greeting: what it does when it starts.
  ///   - first: what the first helper that is ever started does with its first request, where that is another thing.
  ///   - growing: the path of a file that it makes a byte longer with every request.
  ///   - conduct: what it does with each other request.
  /// - Returns: the executable's path.
  static func write(
    in folder: TemporaryFolder, greeting: Greeting = .ready, first: Conduct? = nil, growing: String? = nil,
    _ conduct: Conduct
  ) throws -> String {
    let marker = folder.path(of: "was-started")
    let sendmsgNumber = isARM ? 211 : 46
    let script = """
      #!/usr/bin/perl
      use strict;
      my ($slots, $bytes) = @ARGV;
      my $magic = 0x56490002;
      open(my $s, '+<&=', 3) or exit 90;
      open(my $m, '+<&=', 4) or exit 91;
      sub answer { my @w = ($magic, @_); push @w, 0 while @w < 32; syswrite($s, pack('V32', @w)); }
      sub pass {
        my ($data, @files) = @_;
        # An iovec, a cmsghdr with rights, and a msghdr, as the system call wants them.
        my $part = pack('PQ', $data, length $data);
        my $rights = pack('Qll', 16 + 4 * @files, 1, 1) . pack('l*', @files);
        $rights .= "\\0" x (-length($rights) % 8);
        my $message = pack('QL x4 P Q P Q l x4', 0, 0, $part, 1, $rights, length $rights, 0);
        syscall(\(sendmsgNumber), 3, $message, 0);
      }
      sub paint { sysseek($m, 0, 0); syswrite($m, "\\x07\\x08\\x09\\x00" x $_[0]); }
      \(greeting.rawValue)
      while (sysread($s, my $record, 128)) {
        my ($id, $w, $h) = (unpack('V32', $record))[2, 4, 5];
        if (\(first == nil ? "0" : "!-e '\(marker)'")) {
          open(my $mark, '>', '\(marker)'); close($mark);
          \(first?.rawValue ?? "")
          next;
        }
        \(growing.map { "open(my $f, '>>', '\($0)'); print $f 'x'; close($f);" } ?? "")
        \(conduct.rawValue)
      }
      """
    return try folder.writeExecutable(script, to: "helper")
  }
}
