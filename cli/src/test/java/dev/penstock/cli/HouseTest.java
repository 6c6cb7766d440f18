package dev.penstock.cli;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fails when a room of the house imports against its table: rooms may know only what stands below them. */
class HouseTest {
    /** Which rooms a room may import, beside itself. A room that is not named here may import nothing of ours. */
    private static final Map<String, Set<String>> MAY_IMPORT = Map.of(
            "core", Set.of(),
            "http", Set.of("core"),
            "jdbc", Set.of("core"),
            "jms", Set.of("core"),
            "udp", Set.of("core"),
            "lab", Set.of("core"),
            "gateway", Set.of("core", "http", "jdbc", "jms", "udp"),
            "cli", Set.of("core", "http", "jdbc", "jms", "udp", "lab", "gateway"));

    private static final List<String> ROOMS = List.of("http", "jdbc", "jms", "udp", "lab", "gateway", "cli");

    private static final JavaClasses HOUSE = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.penstock");

    @ParameterizedTest
    @ValueSource(strings = {"core", "http", "jdbc", "jms", "udp", "lab", "gateway", "cli"})
    void aRoomImportsOnlyWhatStandsBelowIt(String room) {
        importsRule(room).check(HOUSE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"deadline", "dedupe", "retry", "collapse", "breaker", "limit"})
    void aStageImportsNoOtherStage(String stage) {
        coreImports(stage, "meter", "supervise").check(HOUSE);
    }

    @Test
    void whatStagesShareImportsNoStage() {
        coreImports("meter").check(HOUSE);
        coreImports("state").check(HOUSE);
        coreImports("supervise").check(HOUSE);
        coreImports("bottleneck", "meter", "limit").check(HOUSE);
        noClasses()
                .that()
                .resideInAPackage("dev.penstock")
                .should()
                .dependOnClassesThat(in("core").and(DescribedPredicate.not(resideInAPackage("dev.penstock"))))
                .check(HOUSE);
    }

    /** What a package of core may import of core: itself, {@code dev.penstock} and these. */
    private static ArchRule coreImports(String name, String... others) {
        String[] allowed = java.util.stream.Stream.concat(
                        java.util.stream.Stream.of("dev.penstock", "dev.penstock." + name + ".."),
                        java.util.stream.Stream.of(others).map(other -> "dev.penstock." + other + ".."))
                .toArray(String[]::new);
        return noClasses()
                .that(resideInAPackage("dev.penstock." + name + ".."))
                .should()
                .dependOnClassesThat(in("core").and(DescribedPredicate.not(resideInAnyPackage(allowed))));
    }

    @Test
    void noTwoPackagesImportEachOther() {
        slices().matching("(dev.penstock..)").should().beFreeOfCycles().check(HOUSE);
    }

    @Test
    void coreNeedsNothingButTheJdkAndItsTwoLibraries() {
        classes()
                .that(in("core").and(DescribedPredicate.not(resideInAPackage("dev.penstock.kit.program"))))
                .should()
                .onlyDependOnClassesThat(
                        resideInAnyPackage("java..", "org.HdrHistogram..", "org.slf4j..", "org.jspecify..")
                                .or(in("core")))
                .check(HOUSE);
    }

    @Test
    void inCoreOnlyTheTickerReadsTheClock() {
        noClasses()
                .that(in("core"))
                .and()
                .haveNameNotMatching("dev\\.penstock\\.Ticker.*")
                .should()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(java.time.Instant.class, "now")
                .check(HOUSE);
    }

    @Test
    void testsDoNotSleep() throws Exception {
        JavaClasses tests = new ClassFileImporter().importPaths(testClasses());
        noClasses()
                .should()
                .callMethod(Thread.class, "sleep", long.class)
                .orShould()
                .callMethod(Thread.class, "sleep", java.time.Duration.class)
                .check(tests);
    }

    @Test
    void theRulesCatchWhatTheyForbid() {
        ArchRule coreMayKnowNobody = noClasses().that(in("cli")).should().dependOnClassesThat(in("core"));
        assertThatThrownBy(() -> coreMayKnowNobody.check(HOUSE)).isInstanceOf(AssertionError.class);
        ArchRule bottleneckReadsNoLimit = coreImports("bottleneck", "meter");
        assertThatThrownBy(() -> bottleneckReadsNoLimit.check(HOUSE)).isInstanceOf(AssertionError.class);
        assertThat(HOUSE.that(in("core")).stream().map(JavaClass::getSimpleName))
                .contains("Flow", "Limit", "Service");
    }

    private static ArchRule importsRule(String room) {
        String[] forbidden = java.util.stream.Stream.concat(ROOMS.stream(), java.util.stream.Stream.of("races"))
                .filter(other -> !other.equals(room)
                        && !MAY_IMPORT.getOrDefault(room, Set.of()).contains(other))
                .map(other -> "dev.penstock." + other + "..")
                .toArray(String[]::new);
        return noClasses()
                .that(in(room))
                .should()
                .dependOnClassesThat(resideInAnyPackage(forbidden))
                .allowEmptyShould(true);
    }

    private static DescribedPredicate<JavaClass> in(String room) {
        if (!room.equals("core")) {
            return resideInAPackage("dev.penstock." + room + "..");
        }
        DescribedPredicate<JavaClass> elsewhere = resideInAnyPackage(
                ROOMS.stream().map(other -> "dev.penstock." + other + "..").toArray(String[]::new));
        return resideInAPackage("dev.penstock..")
                .and(DescribedPredicate.not(elsewhere))
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
