package dev.penstock.races;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The dependency rules of {@code races}. They are checked here because no other module builds this one. */
class RacesDependencyTest {
    private static final JavaClasses ALL = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.penstock");

    @Test
    void shippedModulesImportNoRace() {
        noClasses()
                .that(resideInAPackage("dev.penstock..").and(resideOutsideOfPackages("dev.penstock.races..")))
                .should()
                .dependOnClassesThat(resideInAPackage("dev.penstock.races.."))
                .check(ALL);
    }

    @Test
    void noTwoPackagesImportEachOther() {
        slices().matching("(dev.penstock.races..)").should().beFreeOfCycles().check(ALL);
    }

    /** Shared code is in {@code races} itself, {@code races.machine} and {@code races.sql}. */
    @ParameterizedTest
    @ValueSource(strings = {"machine", "sql"})
    void sharedPackagesImportNoRace(String shared) {
        noClasses()
                .that(resideInAPackage("dev.penstock.races." + shared + ".."))
                .should()
                .dependOnClassesThat(resideInAPackage("dev.penstock.races..")
                        .and(resideOutsideOfPackages("dev.penstock.races." + shared + "..")))
                .check(ALL);
    }

    @Test
    void testsDoNotSleep() {
        JavaClasses tests = new ClassFileImporter().importPath(Path.of("target/test-classes"));
        assertThat(tests.contain(RacesDependencyTest.class)).isTrue();
        noClasses()
                .should()
                .callMethod(Thread.class, "sleep", long.class)
                .orShould()
                .callMethod(Thread.class, "sleep", Duration.class)
                .check(tests);
    }

    @Test
    void rulesCheckTheClassesOfAllModules() {
        assertThat(ALL.stream().map(JavaClass::getPackageName))
                .contains(
                        "dev.penstock.races.machine",
                        "dev.penstock.races.sql",
                        "dev.penstock.races.udpburst",
                        "dev.penstock.cli",
                        "dev.penstock.gateway",
                        "dev.penstock.limit");
    }
}
