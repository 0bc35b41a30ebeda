/// The folders that a scan leaves out although it could read them: file systems of the kernel, and folders that contain the
/// library and to which a symbolic link leads.
///
/// The files of `/proc` and `/sys` are no photographs, and reading some of them has effects. A link to the root of the file
/// system, or to the home folder, would add everything on the disk to the library.
struct LeftOutFolders {
  private let roots: [PhotoPath]
  /// The folders that contain the roots and are none, or nil before they are needed.
  private var containing: Set<FileKey>?

  /// Creates the folders that a scan of some roots leaves out.
  init(roots: [LibraryRoot]) { self.roots = roots.lazy.filter { $0.kind == .folder }.map(\.path) }

  /// Returns why a folder is left out, or nil if it is not.
  ///
  /// Makes no system calls for a folder on the same device as its parent that is no link.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - key: Its identity.
  ///   - parentDevice: The device of the folder that contains it, or nil for a root.
  ///   - isLink: Whether a symbolic link within the library leads to it.
  mutating func reason(
    for folder: borrowing FileDescriptor, _ key: FileKey, parentDevice: UInt64?, isLink: Bool
  ) -> ScanProblem.Reason? {
    if key.device != parentDevice, LeftOutFolders.isOfKernel(folder, key) { return .kernelFileSystem }
    guard isLink else { return nil }
    let containing = containing ?? LeftOutFolders.foldersContaining(roots)
    self.containing = containing
    return containing.contains(key) ? .linkToContainingFolder : nil
  }

  /// Returns whether a folder is on a file system in which the kernel presents itself, or is that of the devices.
  ///
  /// The C functions are `fstatfs` and `fstatat`.
  private static func isOfKernel(_ folder: borrowing FileDescriptor, _ key: FileKey) -> Bool {
    guard let kind = SystemCalls.fileSystemKind(of: folder) else { return false }
    // The devices are on a file system in memory like any other.
    if kind == memoryFileSystem { return (try? SystemCalls.status(of: PhotoPath("/dev")).key) == key }
    return kernelFileSystems.contains(kind)
  }

  /// Returns the folders that contain some folders, except those folders themselves.
  private static func foldersContaining(_ roots: [PhotoPath]) -> Set<FileKey> {
    var found: Set<FileKey> = []
    var own: Set<FileKey> = []
    for root in roots {
      guard let key = try? SystemCalls.status(of: root).key else { continue }
      own.insert(key)
      var (path, last) = (root, key)
      // Not by the names of the path, which may lead through links. The parent of the outermost folder is itself.
      while true {
        path = path.appending("..")
        guard let next = try? SystemCalls.status(of: path).key, next != last else { break }
        found.insert(next)
        last = next
      }
    }
    return found.subtracting(own)
  }

  /// The number of `tmpfs`, and of `devtmpfs`.
  private static let memoryFileSystem = 0x0102_1994

  /// The numbers of file systems in which the kernel presents itself, by `linux/magic.h`.
  private static let kernelFileSystems: Set<Int> = [
    0x9FA0,  // proc
    0x6265_6572,  // sysfs
    0x1CD1,  // devpts
    0x0027_E0EB, 0x6367_7270,  // cgroup, cgroup2
    0x6462_6720, 0x7472_6163,  // debugfs, tracefs
    0x7363_6673, 0xF97C_FF8C, 0x4341_5D53,  // securityfs, selinuxfs, smackfs
    0xCAFE_4A11,  // bpf
    0x6165_676C, 0xDE5E_81E4,  // pstore, efivarfs
    0x6265_6570, 0x6573_5543,  // configfs, fusectl
    0x1980_0202, 0x9584_58F6,  // mqueue, hugetlbfs
    0x4249_4E4D, 0x6E73_6673, 0x6759_6969,  // binfmt_misc, nsfs, rpc_pipefs
    0x0000_9FA2, 0x6C6F_6F70, 0x0765_5821, 0xABBA_1974,  // usbdevfs, binderfs, resctrl, xenfs
  ]
}
