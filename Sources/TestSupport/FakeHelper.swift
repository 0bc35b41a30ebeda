import Glibc

/// A decoding process for tests, written in Perl, that follows the protocol or violates it in one respect.
///
/// It fills every image with one color and reads no file. Perl is part of every Debian system.
public enum FakeHelper {
  /// What the helper does with each request.
  public enum Behavior: String, CaseIterable, Sendable {
    /// Draws and replies.
    case valid = "paint($w * $h); answer($id, 0, $w, $h, 4 * $w, 4 * $h, 1, 0, 4 * $w * $h);"
    /// Draws and reports that the file is damaged.
    case damaged = "paint($w * $h); answer($id, 0, $w, $h, 0, 0, 1, 1, 4 * $w * $h);"
    /// Draws only the upper half, as an image that fits may be smaller than the requested size.
    case smaller = "paint($w * $h); answer($id, 0, $w, int($h / 2), 0, 0, 1, 0, 4 * $w * int($h / 2));"
    /// Refuses every file.
    case refusing = "answer($id, 2, 0, 0, 0, 0, 1, 0, 0);"
    /// Sends as many random bytes as a record has.
    case randomBytes = "syswrite($s, join('', map { chr(int(rand(256))) } 1..128));"
    /// Replies with the number of another request.
    case wrongNumber = "answer($id + 1, 0, $w, $h, 0, 0, 1, 0, 4 * $w * $h);"
    /// Reports an image larger than the requested one.
    case tooLarge = "answer($id, 0, $w + 1, $h, 0, 0, 1, 0, 4 * ($w + 1) * $h);"
    /// Reports an image larger than the slot, whose size in bytes does not fit in 32 bits.
    case enormous = "answer($id, 0, 65535, 65535, 0, 0, 1, 0, 4294836225);"
    /// Reports an image without pixels.
    case emptyPicture = "answer($id, 0, 0, 0, 0, 0, 1, 0, 0);"
    /// Reports a wrong number of bytes.
    case wrongByteCount = "answer($id, 0, $w, $h, 0, 0, 1, 0, 4 * $w * $h - 1);"
    /// Replies with a status that does not exist.
    case unknownStatus = "answer($id, 99, $w, $h, 0, 0, 1, 0, 4 * $w * $h);"
    /// Replies with an orientation that does not exist.
    case unknownOrientation = "answer($id, 0, $w, $h, 0, 0, 9, 0, 4 * $w * $h);"
    /// Sends half a record.
    case shortRecord = "syswrite($s, pack('V8', $magic, $id, 0, $w, $h, 0, 0, 1));"
    /// Sends a record and a half.
    case longRecord = "syswrite($s, pack('V48', $magic, $id, 0, $w, $h, 0, 0, 1, 0, 4 * $w * $h, (0) x 38));"
    /// Exits without a reply.
    case exits = "exit 3;"
    /// Terminates by a signal without a reply.
    case crashes = "kill 'SEGV', $$; sleep 1 while 1;"
    /// Closes the socket and keeps running.
    case closesSocket = "close($s); sleep 1 while 1;"
    /// Never replies.
    case hangs = "sleep 1 while 1;"
    /// Draws cropped images, and never replies to requests for whole images.
    case hangsOnWhole = """
      if ((unpack('V32', $record))[6] == 2) { sleep 1 while 1; }
      paint($w * $h); answer($id, 0, $w, $h, 4 * $w, 4 * $h, 1, 0, 4 * $w * $h);
      """
    /// Draws cropped images, and terminates by a signal at requests for whole images.
    case crashesOnWhole = """
      if ((unpack('V32', $record))[6] == 2) { kill 'SEGV', $$; sleep 1 while 1; }
      paint($w * $h); answer($id, 0, $w, $h, 4 * $w, 4 * $h, 1, 0, 4 * $w * $h);
      """
    /// Replies to each request twice.
    case repliesTwice = """
      paint($w * $h); answer($id, 0, $w, $h, 0, 0, 1, 0, 4 * $w * $h) for 1..2;
      """
    /// Sends the correct reply with file descriptors: its own script, opened three times.
    case sendsDescriptor = """
      paint($w * $h);
      open(my $own, '<', $0);
      pass(pack('V32', $magic, $id, 0, $w, $h, 0, 0, 1, 0, 4 * $w * $h, (0) x 22), (fileno($own)) x 3);
      """
    /// Sends replies endlessly.
    case repliesEndlessly = "paint($w * $h); answer($id, 0, $w, $h, 0, 0, 1, 0, 4 * $w * $h) while 1;"
    /// Replies, and allocates more memory than a decoder needs.
    case growsMemory = """
      our $hoard; $hoard = chr(7) x (160 << 20) unless $hoard;
      paint($w * $h); answer($id, 0, $w, $h, 0, 0, 1, 0, 4 * $w * $h);
      """
    /// Replies, then exits.
    case exitsAfterReply = "paint($w * $h); answer($id, 0, $w, $h, 0, 0, 1, 0, 4 * $w * $h); exit 0;"
    /// Replies to an encoding request with four bytes.
    case encodes = "paint(1); answer($id, 0, 0, 0, 0, 0, 1, 0, 4);"
    /// Reports an encoded file larger than the slot.
    case encodesTooMuch = "answer($id, 0, 0, 0, 0, 0, 1, 0, $bytes + 1);"
  }

  /// What the helper sends when it starts.
  public enum Greeting: String, CaseIterable, Sendable {
    /// Reports that it is ready.
    case ready = "answer(0, 0, 0, 0, 0, 0, 1, 0, 0);"
    /// Reports that its setup failed.
    case refusing = "answer(0, 8, 0, 0, 0, 0, 1, 0, 0);"
    /// Sends an invalid message.
    case nonsense = "syswrite($s, 'hello');"
    /// Exits.
    case exiting = "exit 1;"
    /// Sends nothing.
    case silent = "sleep 1 while 1;"
  }

  #if arch(arm64)
    private static let isARM = true
  #else
    private static let isARM = false
  #endif

  /// Whether Perl is installed.
  public static let isAvailable = access("/usr/bin/perl", X_OK) == 0

  /// Writes the helper's script into a folder.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - greeting: What the helper sends when it starts.
  ///   - first: What the first helper does with its first request. Default: the same as with the others.
  ///   - growing: The path of a file to which the helper appends a byte with every request. Default: nil.
  ///   - behavior: What the helper does with each other request.
  /// - Returns: The executable's path.
  /// - Throws: An error if the script cannot be written.
  public static func write(
    in folder: TemporaryFolder, greeting: Greeting = .ready, first: Behavior? = nil, growing: String? = nil,
    _ behavior: Behavior
  ) throws -> String {
    let marker = folder.path(of: "was-started")
    let sendmsgNumber = isARM ? 211 : 46
    let script = """
      #!/usr/bin/perl
      use strict;
      my ($slots, $bytes) = @ARGV;
      my $magic = 0x56490003;
      open(my $s, '+<&=', 3) or exit 90;
      open(my $m, '+<&=', 4) or exit 91;
      sub answer { my @w = ($magic, @_); push @w, 0 while @w < 32; syswrite($s, pack('V32', @w)); }
      sub pass {
        my ($data, @files) = @_;
        # An iovec, a cmsghdr with rights, and a msghdr, for the system call.
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
        \(behavior.rawValue)
      }
      """
    return try folder.writeExecutable(script, to: "helper")
  }
}
