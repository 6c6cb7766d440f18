package dev.penstock.cli;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.implement;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.syntax.elements.ClassesShouldConjunction;
import dev.penstock.Source;
import dev.penstock.Target;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The dependency rules of docs/internals.md, the uniqueness of type names, and the bans on clocks and sleeps. */
class ArchitectureTest {
    /** The modules that a module may import besides itself; {@code http.source} is the package of module http-source. */
    private static final Map<String, Set<String>> MAY_IMPORT = Map.ofEntries(
            entry("core", Set.of()),
            entry("http", Set.of("core")),
            entry("http.source", Set.of("core", "http")),
            entry("jdbc", Set.of("core")),
            entry("jms", Set.of("core")),
            entry("kafka", Set.of("core")),
            entry("udp", Set.of("core")),
            entry("observe", Set.of("core")),
            entry("lab", Set.of("core")),
            entry("gateway", Set.of("core", "http", "http.source", "jdbc", "jms", "kafka", "udp", "observe")),
            entry("migrate", Set.of("gateway")),
            entry(
                    "cli",
                    Set.of(
                            "core",
                            "http",
                            "http.source",
                            "jdbc",
                            "jms",
                            "kafka",
                            "udp",
                            "observe",
                            "lab",
                            "gateway",
                            "migrate")));

    private static final List<String> MODULES = List.of(
            "http", "http.source", "jdbc", "jms", "kafka", "udp", "observe", "lab", "gateway", "migrate", "cli");

    static final JavaClasses MAIN_CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(place -> !place.contains("-tests.jar")) // the test kits of other modules, once packaged
            .importPackages("dev.penstock");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "core",
                "http",
                "http.source",
                "jdbc",
                "jms",
                "kafka",
                "udp",
                "observe",
                "lab",
                "gateway",
                "migrate",
                "cli"
            })
    void moduleImportsOnlyAllowedModules(String module) {
        moduleRule(module).check(MAIN_CLASSES);
    }

    @ParameterizedTest
    @ValueSource(strings = {"deadline", "dedupe", "retry", "collapse", "breaker", "limit"})
    void stageImportsNoOtherStage(String stage) {
        coreRule(stage, "meter", "supervise", "fleet").check(MAIN_CLASSES);
    }

    @Test
    void sharedPackagesOfCoreImportNoStage() {
        coreRule("meter").check(MAIN_CLASSES);
        coreRule("supervise").check(MAIN_CLASSES);
        coreRule("fleet", "supervise").check(MAIN_CLASSES);
        coreRule("bottleneck", "meter", "limit").check(MAIN_CLASSES);
        onlyImport("dev.penstock", "dev.penstock.text", "dev.penstock.state").check(MAIN_CLASSES);
        onlyImport("dev.penstock.source", "dev.penstock", "dev.penstock.text").check(MAIN_CLASSES);
        onlyImport("dev.penstock.text").check(MAIN_CLASSES);
        onlyImport("dev.penstock.state").check(MAIN_CLASSES);
        onlyImport("dev.penstock.rate").check(MAIN_CLASSES);
    }

    /**
     * A package of core may import itself, {@code dev.penstock}, {@code text} and {@code others}, but no other package of
     * core.
     */
    private static ArchRule coreRule(String name, String... others) {
        return onlyImport(
                "dev.penstock." + name,
                Stream.concat(
                                Stream.of("dev.penstock", "dev.penstock.text"),
                                Stream.of(others).map(other -> "dev.penstock." + other))
                        .toArray(String[]::new));
    }

    private static ArchRule onlyImport(String name, String... others) {
        String[] allowed = Stream.concat(Stream.of(name), Stream.of(others)).toArray(String[]::new);
        return noClasses()
                .that(resideInAPackage(name))
                .should()
                .dependOnClassesThat(in("core").and(DescribedPredicate.not(resideInAnyPackage(allowed))));
    }

    /** The log and a thread dump show it. */
    @Test
    void everyThreadHasAName() throws IOException {
        Pattern unnamed = Pattern.compile("of(Virtual|Platform)\\(\\)(?!\\s*(\\.daemon\\(\\)\\s*)?\\.name\\()"
                + "|startVirtualThread|newVirtualThreadPerTask|new(Fixed|Cached|Single|Scheduled)[A-Za-z]*\\(\\)");
        try (Stream<Path> files = Files.walk(Path.of(".."))) {
            assertThat(files.filter(file -> file.toString().matches("\\.\\./(?!races)[a-z-]+/src/main/.*\\.java"))
                            .filter(file -> unnamed.matcher(text(file)).find()))
                    .isEmpty();
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void coreExportsTwoPackagesWithAtMost40Types() {
        ModuleDescriptor core = ModuleFinder.of(Path.of("../core/target/classes"))
                .find("dev.penstock.core")
                .orElseThrow()
                .descriptor();
        List<String> exported = core.exports().stream()
                .filter(export -> !export.isQualified())
                .map(ModuleDescriptor.Exports::source)
                .toList();
        assertThat(exported).containsExactlyInAnyOrder("dev.penstock", "dev.penstock.flow");
        assertThat(MAIN_CLASSES.stream()
                        .filter(type -> exported.contains(type.getPackageName()))
                        .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC) && type.isTopLevelClass())
                        .map(JavaClass::getSimpleName))
                .contains("Flow", "Service")
                .hasSizeLessThanOrEqualTo(40);
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching("(dev.penstock..)").should().beFreeOfCycles().check(MAIN_CLASSES);
    }

    /** The gateway knows the transports by {@code gateway.transport} alone, as it knows those of a foreign jar. */
    @ParameterizedTest
    @ValueSource(strings = {"http", "jdbc", "jms", "kafka", "udp", "chain"})
    void transportTypesStayInTheirPackages(String transport) {
        transportRule(transport).check(MAIN_CLASSES);
    }

    /** What is outside of a transport's package depends on none of its types, so it cannot ask for one by instanceof. */
    private static ArchRule transportRule(String transport) {
        DescribedPredicate<JavaClass> own = resideInAPackage("dev.penstock.gateway." + transport + "..");
        return noClasses()
                .that(in("gateway").and(DescribedPredicate.not(own)))
                .should()
                .dependOnClassesThat(own);
    }

    /** A source or target of another module is wrapped in its binding. The status store only shares a sentence. */
    @Test
    void onlyTransportsKnowSourcesAndTargets() {
        noClasses()
                .that(in("gateway")
                        .and(DescribedPredicate.not(resideInAnyPackage(
                                "dev.penstock.gateway.http..",
                                "dev.penstock.gateway.jdbc..",
                                "dev.penstock.gateway.jms..",
                                "dev.penstock.gateway.kafka..",
                                "dev.penstock.gateway.udp..",
                                "dev.penstock.gateway.chain..",
                                "dev.penstock.gateway.status.."))))
                .should()
                .dependOnClassesThat(implement(Source.class).or(implement(Target.class)))
                .check(MAIN_CLASSES);
    }

    @Test
    void coreDependsOnlyOnTheJdkAndHdrHistogramAndSlf4j() {
        classes()
                .that(in("core").and(DescribedPredicate.not(resideInAPackage("dev.penstock.kit.program"))))
                .should()
                .onlyDependOnClassesThat(
                        resideInAnyPackage("java..", "org.HdrHistogram..", "org.slf4j..", "org.jspecify..")
                                .or(resideInAPackage("org.jetbrains.lincheck..")) // the test kit
                                .or(in("core")))
                .check(MAIN_CLASSES);
    }

    @Test
    void inCoreOnlyTickerReadsTheClock() {
        timeOf("core")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(Instant.class, "now")
                .check(MAIN_CLASSES);
    }

    /** The wall clock gives dates there, of settings and files. */
    @ParameterizedTest
    @ValueSource(strings = {"jdbc", "jms", "kafka", "observe", "gateway", "migrate"})
    void onlyTickerMeasuresTime(String module) {
        timeOf(module).check(MAIN_CLASSES);
    }

    private static ClassesShouldConjunction timeOf(String module) {
        return noClasses()
                .that(in(module))
                .and()
                .haveNameNotMatching("dev\\.penstock\\.Ticker.*")
                .should()
                .callMethod(System.class, "nanoTime");
    }

    @Test
    void everyTypeNameIsUnique() throws Exception {
        assertThat(duplicateTypeNames(Path.of(".."))).isEmpty();
    }

    @Test
    void uniquenessRuleFailsOnTheSameNameInTwoModules(@TempDir Path root) throws Exception {
        for (String module : List.of("core", "races/scg")) {
            Path folder = Files.createDirectories(root.resolve(module).resolve("src/main/java/dev"));
            Files.writeString(folder.resolve("Ledger.java"), "class Ledger {}");
            Files.writeString(folder.resolve("package-info.java"), "package dev;");
        }
        assertThat(duplicateTypeNames(root)).singleElement().asString().startsWith("Ledger: ");
    }

    /** The top-level types in the main code of all modules that share a simple name: {@code NAME: FILES}. */
    private static List<String> duplicateTypeNames(Path root) throws IOException {
        Map<String, List<Path>> filesByName = new TreeMap<>();
        for (Path sources : mainSources(root)) {
            try (Stream<Path> files = Files.walk(sources)) {
                files.filter(file -> file.toString().endsWith(".java"))
                        .forEach(file -> filesByName
                                .computeIfAbsent(typeName(file), name -> new ArrayList<>())
                                .add(root.relativize(file)));
            }
        }
        assertThat(filesByName).isNotEmpty();
        filesByName.keySet().removeAll(Set.of("package-info", "module-info"));
        filesByName.values().removeIf(files -> files.size() == 1);
        return filesByName.entrySet().stream()
                .map(entry -> entry.getKey() + ": " + entry.getValue())
                .toList();
    }

    private static String typeName(Path file) {
        return file.getFileName().toString().replaceFirst("\\.java$", "");
    }

    /** {@code src/main/java} of each module; modules are at most two folders deep. */
    private static List<Path> mainSources(Path root) throws IOException {
        try (Stream<Path> folders =
                Files.find(root, 2, (folder, attributes) -> attributes.isDirectory() && !folder.endsWith("target"))) {
            return folders.map(folder -> folder.resolve("src/main/java"))
                    .filter(Files::isDirectory)
                    .toList();
        }
    }

    @Test
    void testsDoNotSleep() throws Exception {
        JavaClasses tests = new ClassFileImporter().importPaths(testClasses());
        noClasses()
                .should()
                .callMethod(Thread.class, "sleep", long.class)
                .orShould()
                .callMethod(Thread.class, "sleep", Duration.class)
                .check(tests);
    }

    @Test
    void rulesFailOnViolations() {
        ArchRule cliImportsNoCore = noClasses().that(in("cli")).should().dependOnClassesThat(in("core"));
        assertThatThrownBy(() -> cliImportsNoCore.check(MAIN_CLASSES)).isInstanceOf(AssertionError.class);
        ArchRule bottleneckImportsNoLimit = coreRule("bottleneck", "meter");
        assertThatThrownBy(() -> bottleneckImportsNoLimit.check(MAIN_CLASSES)).isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> transportRule("transport").check(MAIN_CLASSES)).isInstanceOf(AssertionError.class);
        assertThat(MAIN_CLASSES.that(in("core")).stream().map(JavaClass::getSimpleName))
                .contains("Flow", "Limit", "Service");
    }

    private static ArchRule moduleRule(String module) {
        DescribedPredicate<JavaClass> forbidden = Stream.concat(MODULES.stream(), Stream.of("races"))
                .filter(other -> !other.equals(module)
                        && !MAY_IMPORT.getOrDefault(module, Set.of()).contains(other))
                .map(ArchitectureTest::in)
                .reduce(DescribedPredicate.alwaysFalse(), (one, other) -> one.or(other));
        return noClasses()
                .that(in(module))
                .should()
                .dependOnClassesThat(forbidden)
                .allowEmptyShould(true);
    }

    private static DescribedPredicate<JavaClass> in(String module) {
        if (module.equals("http")) {
            return resideInAPackage("dev.penstock.http..").and(DescribedPredicate.not(in("http.source")));
        }
        if (!module.equals("core")) {
            return resideInAPackage("dev.penstock." + module + "..");
        }
        DescribedPredicate<JavaClass> otherModules = resideInAnyPackage(
                MODULES.stream().map(other -> "dev.penstock." + other + "..").toArray(String[]::new));
        return resideInAPackage("dev.penstock..")
                .and(DescribedPredicate.not(otherModules))
                .as("core");
    }

    private static List<Path> testClasses() throws Exception {
        try (var modules = Files.list(Path.of(".."))) {
            return modules.map(module -> module.resolve("target/test-classes"))
                    .filter(Files::isDirectory)
                    .toList();
        }
    }
}
