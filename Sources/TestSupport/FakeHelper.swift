import Glibc
import VitrineDecodingProtocol

/// A decoding process for tests, the program HostileDecoder, which follows the protocol or violates it in one way.
///
/// It fills every image with the colour 7, 8, 9. An attack that succeeds fills it with another colour.
public enum FakeHelper {
  /// What the process of a picture does.
  public enum Behavior: String, CaseIterable, Sendable {
    // MARK: Following and breaking the protocol

    /// Draws and replies.
    case valid
    /// Draws and reports that the file is damaged.
    case damaged
    /// Draws only the upper half, as an image that fits may be smaller than the requested size.
    case smaller
    /// Refuses every file.
    case refusing
    /// Sends as many random bytes as a record has.
    case randomBytes
    /// Replies with the number of another request.
    case wrongNumber
    /// Reports an image larger than the requested one.
    case tooLarge
    /// Reports an image larger than the slot, whose size in bytes does not fit in 32 bits.
    case enormous
    /// Reports an image without pixels.
    case emptyPicture
    /// Reports a wrong number of bytes.
    case wrongByteCount
    /// Replies with a status that does not exist.
    case unknownStatus
    /// Replies with an orientation that does not exist.
    case unknownOrientation
    /// Sends half a record.
    case shortRecord
    /// Sends a record and a half.
    case longRecord
    /// Exits without a reply.
    case exits
    /// Terminates by a signal without a reply.
    case crashes
    /// Closes the socket and keeps running.
    case closesSocket
    /// Never replies.
    case hangs
    /// Draws cropped images, and never replies to requests for whole images.
    case hangsOnWhole
    /// Draws cropped images, and terminates by a signal at requests for whole images.
    case crashesOnWhole
    /// Replies to the request twice.
    case repliesTwice
    /// Sends the correct reply with a file descriptor: that of the picture.
    case sendsDescriptor
    /// Sends replies endlessly.
    case repliesEndlessly
    /// Replies to an encoding request with four bytes.
    case encodes
    /// Reports an encoded file larger than the slot.
    case encodesTooMuch

    // MARK: Attacks, in the real sandbox

    /// Replies and never ends.
    case persists
    /// Replies and waits for the request of another picture.
    case waitsForAnotherPicture
    /// Sends more descriptors than a user may have in sockets.
    case sendsManyDescriptors
    /// Replies to the next request too.
    case answersForTheNext
    /// Replies and exits with a status other than 0.
    case exitsWithStatus
    /// Replies and terminates by a signal.
    case crashesAfterReply
    /// Forks a process that draws over later pictures.
    case leavesAProcess
    /// Does so with the system call that its parent is allowed.
    case leavesAProcessLikeTheParent
    /// Starts a thread.
    case startsAThread
    /// Changes its memory.
    case poisonsMemory
    /// Fills the slot beyond its picture.
    case poisonsSlot
    /// Cancels the requests after its own.
    case poisonsInterruption
    /// Draws after its reply.
    case drawsAfterReply
    /// Removes the memory of the slot after its reply.
    case removesSlot
    /// Maps more of the slot's memory than there is.
    case growsSlot
    /// Shortens the slot.
    case shrinksSlot
    /// Opens files.
    case opensFiles
    /// Changes the picture's file.
    case writesPicture
    /// Locks the picture's file.
    case locksPicture
    /// Duplicates the descriptor of the picture.
    case keepsDescriptors
    /// Uses the socket of its parent.
    case usesControlSocket
    /// Kills other processes.
    case kills
    /// Inspects the program.
    case traces
    /// Raises its limits.
    case raisesLimits
    /// Survives the end of the program.
    case outlivesProgram
    /// Changes its filter of system calls, and runs a shell.
    case changesFilter
    /// Executes a program.
    case executes
    /// Opens sockets.
    case connects
    /// Makes memory executable.
    case makesCode
    /// Regains privileges.
    case regainsPrivileges
    /// Allocates all memory that it gets.
    case exhaustsMemory
    /// Computes endlessly.
    case spins
    /// Writes much to the standard error stream.
    case floodsOutput
    /// Reports an impossible size of the picture in the file.
    case liesAboutTheSource

    /// The attacks, which are tried with pictures of an even width.
    ///
    /// With one of an odd width, the process looks for what the process before has left behind, and fills the image with
    /// another colour if it finds anything.
    public static var attacks: ArraySlice<Behavior> {
      allCases[(allCases.firstIndex(of: .persists) ?? allCases.endIndex)...]
    }
  }

  /// What the helper sends when it starts.
  public enum Greeting: String, CaseIterable, Sendable {
    /// Reports that it is ready.
    case ready
    /// Reports that its setup failed.
    case refusing
    /// Sends an invalid message.
    case nonsense
    /// Exits.
    case exiting
    /// Sends nothing.
    case silent
  }

  /// Writes a script into a folder that runs the helper.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - greeting: What the helper sends when it starts.
  ///   - first: What the process of the first picture of all does. Default: the same as the others.
  ///   - growing: The path of a file to which a byte is appended with every request. Default: nil.
  ///   - version: The version of its decoders that the helper states. Default: nil, that of this release.
  ///   - behavior: What the process of each other picture does.
  /// - Returns: The executable's path.
  /// - Throws: An error if the script cannot be written.
  public static func write(
    in folder: TemporaryFolder, greeting: Greeting = .ready, first: Behavior? = nil, growing: String? = nil,
    version: Int? = nil, _ behavior: Behavior
  ) throws -> String {
    let words = [
      greeting.rawValue, behavior.rawValue, first?.rawValue ?? "-", folder.path(of: "was-started"), growing ?? "-",
      String(version ?? DecodingVersion.current),
    ]
    let script = """
      #!/bin/sh
      exec '\(program)' \(words.map { "'\($0)'" }.joined(separator: " ")) "$@"
      """
    return try folder.writeExecutable(script, to: "helper")
  }

  /// Writes a script into a folder that runs the helper as a reading process.
  ///
  /// It answers that every picture is 3 pixels wide, and 255 if an attack succeeds.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - lie: The lie in `Tests/HostileDecoder/reader.c` that the first process of all tells.
  /// - Returns: The executable's path.
  /// - Throws: An error if the script cannot be written.
  public static func writeReader(in folder: TemporaryFolder, lie: String) throws -> String {
    try writeReader(in: folder, lie, marker: folder.path(of: "has lied"))
  }

  /// Writes a script into a folder that runs the helper as a reading process in the real sandbox.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - attack: The attack that it tries with each request.
  /// - Returns: The executable's path.
  /// - Throws: An error if the script cannot be written.
  public static func writeReader(in folder: TemporaryFolder, attack: Behavior) throws -> String {
    try writeReader(in: folder, attack.rawValue, marker: "-")
  }

  private static func writeReader(in folder: TemporaryFolder, _ way: String, marker: String) throws -> String {
    try folder.writeExecutable(
      """
      #!/bin/sh
      exec '\(program)' reader '\(way)' '\(marker)'
      """, to: "reader")
  }

  /// The path of the program, which the package builds next to the tests or in a folder above them.
  private static var program: String {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &path, path.count)
    var parts = String(decoding: path.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
      .split(separator: "/")
    while !parts.isEmpty {
      parts.removeLast()
      let candidate = "/" + (parts + ["HostileDecoder"]).joined(separator: "/")
      if access(candidate, X_OK) == 0 { return candidate }
    }
    return "HostileDecoder"
  }
}
