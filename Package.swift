// swift-tools-version: 6.2
import PackageDescription

/// What every Swift target is built with.
///
/// Warnings are errors, so that none is overlooked.
let common: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
  // The snapshots are generic in one module and used in another: without this every identifier costs thousands of
  // instructions in unspecialised code.
  .unsafeFlags(["-cross-module-optimization"], .when(configuration: .release)),
]

/// Targets whose types live on the main thread.
///
/// The pure machines are other targets, not `nonisolated` islands in these.
let mainActor: [SwiftSetting] = common + [.defaultIsolation(MainActor.self)]

/// A target that may import Geometry and DataStructures, and what it names beside them.
func room(_ name: String, _ dependencies: [String] = [], settings: [SwiftSetting] = common) -> Target {
  .target(
    name: name,
    dependencies: (["Geometry", "DataStructures"] + dependencies).map { .init(stringLiteral: $0) },
    swiftSettings: settings)
}

/// The tests of one target, with the test support library beside it.
func tests(_ name: String, _ dependencies: [String] = [], settings: [SwiftSetting] = common) -> Target {
  .testTarget(
    name: name + "Tests",
    dependencies: Set([name, "TestSupport", "Geometry", "DataStructures"] + dependencies).sorted().map {
      .init(stringLiteral: $0)
    },
    swiftSettings: settings)
}

/// What programs outside of this package may import, and what examples may: the library's product.
let openModules = [
  "CollectionUI", "CollectionEngine", "CollectionLayout", "DiffableData", "Views", "Hosting", "ImagePipeline",
  "ImageMetadata", "DecodingProtocol", "ScrollPhysics", "FramePacing", "Rendering", "Geometry", "DataStructures",
  "Threads",
]

/// What an example may use of the package: what anybody may.
let exampleLibraries: [Target.Dependency] = openModules.map { .init(stringLiteral: $0) }

/// A program that shows the library at work, on its public interface alone.
func example(_ name: String, in folder: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .executableTarget(
    name: name, dependencies: exampleLibraries + dependencies, path: "Examples/" + folder, packageAccess: false,
    swiftSettings: mainActor)
}

/// The tests of an example.
func tests(of folder: String, _ program: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .testTarget(
    name: folder + "Tests",
    dependencies: exampleLibraries + [.init(stringLiteral: program), "ExampleSupport", "TestSupport"]
      + dependencies, swiftSettings: mainActor)
}

/// A program that hands libFuzzer's bytes to one reader.
func fuzzer(_ name: String, _ dependencies: [String]) -> Target {
  .executableTarget(
    name: "Fuzz" + name,
    dependencies: (["DataStructures"] + dependencies).map { .init(stringLiteral: $0) },
    path: "Fuzzing/" + name,
    swiftSettings: common + [.unsafeFlags(["-parse-as-library"])])
}

// libFuzzer brings `main` along, and a build without it has none: they are there only where scripts/fuzz asks for them.
let fuzzers: [Target] =
  Context.environment["VITRINE_FUZZ"] == nil
  ? []
  : [
    fuzzer("Headers", ["Geometry", "ImageMetadata"]),
    fuzzer("Answers", ["DecodingProtocol"]),
    fuzzer("Codes", ["CJPEG"]),
    fuzzer("Storage", ["ImagePipeline"]),
    fuzzer("Pack", ["ImagePipeline"]),
    fuzzer("Shared", ["Geometry", "ImagePipeline"]),
    fuzzer("Manifest", ["ImagePipeline", "PhotoLibrary"]),
  ]

let package = Package(
  name: "vitrine",
  products: [
    .executable(name: "vitrine", targets: ["vitrine"]),
    .executable(name: "vitrine-decode", targets: ["vitrine-decode"]),
    .executable(name: "vitrine-destinations", targets: ["vitrine-destinations"]),
    .executable(name: "vitrine-emoji", targets: ["vitrine-emoji"]),
    .executable(name: "vitrine-outline", targets: ["vitrine-outline"]),
    .library(name: "CollectionUI", targets: openModules),
    // What the examples need besides: painted pictures, and decoders for who decodes by himself.
    .library(name: "SampleLibrary", targets: ["SampleLibrary"]),
    .library(name: "ImageDecoding", targets: ["ImageDecoding"]),
  ],
  targets: [
    // C libraries, one door each.
    .systemLibrary(name: "CSDL2"),
    .systemLibrary(name: "CXCB"),
    // The name of the .pc file gives the place of FreeType's headers, which HarfBuzz's include.
    .systemLibrary(name: "CType", pkgConfig: "freetype2", providers: [.apt(["libfreetype-dev", "libharfbuzz-dev"])]),
    .systemLibrary(name: "CTurboJPEG"),
    // libjpeg reports errors by longjmp: C of our own stands between.
    .target(name: "CJPEG", linkerSettings: [.linkedLibrary("jpeg")]),
    .systemLibrary(name: "CSPNG"),
    .systemLibrary(name: "CDeflate"),
    .systemLibrary(name: "CWebP"),
    .systemLibrary(name: "CAVIF"),
    .systemLibrary(name: "CGIF"),
    .systemLibrary(name: "CTIFF"),
    .systemLibrary(name: "CLCMS"),
    .systemLibrary(name: "CGLib", pkgConfig: "glib-2.0", providers: [.apt(["libglib2.0-dev"])]),
    .systemLibrary(name: "CCurl"),
    // More than the library: a decoder of HEVC that starts no thread is handed to it from here.
    .target(name: "CHEIF", linkerSettings: [.linkedLibrary("heif"), .linkedLibrary("de265")]),
    .target(name: "CPlatform"),
    // Stands before the C library's allocator in whatever program it is linked into.
    .target(name: "CAllocations"),

    // Pure values and machines.
    .target(name: "Geometry", swiftSettings: common),
    .target(name: "DataStructures", swiftSettings: common),
    room("Threads", ["CPlatform"]),
    room("FramePacing", ["CPlatform"]),
    room("DiffableData"),
    room("ScrollPhysics", ["FramePacing"]),
    room("CollectionLayout"),
    room("CollectionEngine", ["FramePacing", "DiffableData", "ScrollPhysics", "CollectionLayout"]),
    room("Rendering", ["FramePacing", "CPlatform", "Threads"]),
    room("ImageMetadata"),
    room("DecodingProtocol", ["ImageMetadata"]),

    // Pictures.
    room(
      "ImageDecoding",
      [
        "ImageMetadata", "Rendering", "CJPEG", "CTurboJPEG", "CSPNG", "CDeflate", "CWebP", "CAVIF", "CHEIF", "CGIF",
        "CTIFF", "CLCMS",
      ]),
    room(
      "ImagePipeline",
      ["FramePacing", "Rendering", "ImageMetadata", "DecodingProtocol", "Threads", "CPlatform", "CGLib", "CCurl"]),

    // The library's face.
    room("Views", ["FramePacing", "ScrollPhysics", "Rendering", "Threads"], settings: mainActor),
    room(
      "CollectionUI",
      [
        "Views", "Rendering", "CollectionEngine", "CollectionLayout", "DiffableData", "FramePacing",
        "ScrollPhysics",
      ], settings: mainActor),

    // The outside world.
    room(
      "SDLBackend", ["FramePacing", "Rendering", "Threads", "CSDL2", "CXCB", "CType", "CPlatform"], settings: mainActor),
    room(
      "Hosting",
      [
        "Views", "CollectionUI", "CollectionEngine", "ImagePipeline", "DecodingProtocol", "FramePacing", "Rendering",
        "SDLBackend", "ScrollPhysics", "Threads", "CPlatform",
      ], settings: mainActor),

    // The gallery.
    room(
      "PhotoLibrary",
      ["DiffableData", "ImageMetadata", "ImagePipeline", "Threads", "CPlatform"]),
    room(
      "SampleLibrary", ["Rendering", "ImageMetadata", "ImagePipeline", "Threads", "CPlatform"],
      settings: common + [.unsafeFlags(["-O"], .when(configuration: .debug))]),
    room(
      "GalleryUI",
      [
        "Views", "CollectionUI", "CollectionEngine", "CollectionLayout", "DiffableData",
        "FramePacing", "ScrollPhysics", "Rendering", "ImageMetadata", "DecodingProtocol", "ImagePipeline",
        "PhotoLibrary", "Threads",
      ], settings: mainActor),
    .executableTarget(
      name: "vitrine",
      dependencies: [
        "Geometry", "DataStructures", "FramePacing", "Rendering", "Views", "CollectionEngine", "CollectionUI",
        "DecodingProtocol", "ImageMetadata", "ImagePipeline", "PhotoLibrary", "SampleLibrary", "GalleryUI", "Hosting",
        "Threads", "CAllocations",
      ],
      swiftSettings: mainActor),
    .executableTarget(
      name: "vitrine-decode",
      dependencies: [
        "Geometry", "Rendering", "ImageMetadata", "DecodingProtocol", "ImageDecoding", "CPlatform",
      ],
      swiftSettings: common,
      linkerSettings: [.unsafeFlags(["-static-stdlib"], .when(configuration: .release))]),

    // Examples: on the public interface alone.
    .target(
      name: "ExampleSupport", dependencies: exampleLibraries, path: "Examples/Support", packageAccess: false,
      swiftSettings: mainActor),
    example("SmallestGrid", in: "SmallestGrid"),
    // The one example that links the decoders, to show what decoding in the program that draws costs.
    .target(
      name: "DecodingInPlace", dependencies: ["ImageDecoding", "Rendering", "Geometry"],
      path: "Examples/DecodingInPlace", packageAccess: false, swiftSettings: common),
    .target(
      name: "PictureServer",
      dependencies: ["SampleLibrary", "ImagePipeline", "Rendering", "Geometry", "DataStructures", "Threads"],
      path: "Examples/PictureServer", packageAccess: false, swiftSettings: common),
    example("vitrine-destinations", in: "Destinations", ["ExampleSupport", "DecodingInPlace", "PictureServer"]),
    example("vitrine-emoji", in: "Emoji", ["ExampleSupport"]),
    example("vitrine-outline", in: "Outline", ["ExampleSupport"]),

    // Speed.
    room("BenchmarkSupport"),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "Geometry", "DataStructures", "DiffableData", "ScrollPhysics", "CollectionLayout", "CollectionEngine",
        "FramePacing", "Rendering", "Views", "CollectionUI", "SDLBackend", "BenchmarkSupport", "CPlatform",
      ],
      swiftSettings: common),
    // Apart from the others, which are not to carry the decoders' libraries.
    .executableTarget(
      name: "DecodingBenchmarks",
      dependencies: [
        "Geometry", "DataStructures", "FramePacing", "Rendering", "ImageMetadata", "ImageDecoding", "ImagePipeline",
        "DecodingProtocol", "BenchmarkSupport", "CPlatform",
      ],
      swiftSettings: common),

    // Tests.
    room(
      "TestSupport",
      ["FramePacing", "Rendering", "DiffableData", "ImagePipeline", "ImageMetadata", "Threads", "Views"]),
    tests("TestSupport", ["Threads"]),
    tests("Geometry"),
    tests("DataStructures"),
    tests("Threads"),
    tests("FramePacing", ["Threads", "CPlatform"]),
    tests("DiffableData"),
    tests("ScrollPhysics", ["FramePacing"]),
    tests("CollectionLayout"),
    tests("CollectionEngine", ["FramePacing", "ScrollPhysics", "CollectionLayout", "DiffableData"]),
    tests("Rendering", ["FramePacing"]),
    tests("ImageMetadata"),
    tests("DecodingProtocol", ["ImageMetadata"]),
    .executableTarget(name: "ConfinementProbe", dependencies: ["CPlatform"], path: "Tests/ConfinementProbe"),
    tests(
      "ImageDecoding",
      [
        "ImageMetadata", "Rendering", "DecodingProtocol", "CPlatform", "CTurboJPEG", "vitrine-decode",
        "ConfinementProbe",
      ]),
    tests(
      "ImagePipeline",
      ["FramePacing", "Rendering", "ImageMetadata", "DecodingProtocol", "Threads", "CPlatform", "vitrine-decode"]),
    tests("Views", ["FramePacing", "ScrollPhysics", "Rendering", "Threads"], settings: mainActor),
    tests(
      "CollectionUI",
      [
        "Views", "Rendering", "CollectionEngine", "CollectionLayout", "DiffableData", "FramePacing", "ScrollPhysics",
        "Threads", "ImagePipeline",
      ], settings: mainActor),
    tests(
      "GalleryUI",
      [
        "Views", "CollectionUI", "CollectionEngine", "FramePacing", "Rendering", "ImageMetadata", "ImagePipeline",
        "DecodingProtocol", "PhotoLibrary", "SampleLibrary", "ScrollPhysics", "Threads",
      ], settings: mainActor),
    tests("SDLBackend", ["FramePacing", "Rendering", "Threads", "CSDL2"], settings: mainActor),
    tests(
      "Hosting",
      [
        "Views", "CollectionUI", "CollectionEngine", "CollectionLayout", "DiffableData", "FramePacing", "ScrollPhysics",
        "Rendering", "Threads", "CAllocations",
      ], settings: mainActor),
    tests("PhotoLibrary", ["ImageMetadata", "Threads", "CPlatform", "DiffableData"]),
    tests("SampleLibrary", ["Rendering", "ImageMetadata", "ImageDecoding", "ImagePipeline", "vitrine-decode"]),
    tests("BenchmarkSupport"),
    .testTarget(
      name: "ExampleSupportTests", dependencies: exampleLibraries + ["ExampleSupport", "TestSupport"],
      swiftSettings: mainActor),
    tests(of: "Destinations", "vitrine-destinations", ["PictureServer", "vitrine-decode"]),
    tests(of: "Emoji", "vitrine-emoji"),
    tests(of: "Outline", "vitrine-outline"),
    .testTarget(
      name: "ScenarioTests",
      dependencies: [
        "vitrine", "vitrine-decode", "vitrine-destinations", "vitrine-emoji", "vitrine-outline", "SmallestGrid",
        "Benchmarks", "BenchmarkSupport", "TestSupport", "Geometry", "Rendering", "ImageDecoding",
        "ImagePipeline", "PhotoLibrary", "Hosting",
      ],
      swiftSettings: common),
  ] + fuzzers,
  swiftLanguageModes: [.v6]
)
