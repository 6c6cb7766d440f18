package dev.penstock.spring;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The dependency rule of this module, which is not on the class path of {@code cli}, where the others are checked. */
class SpringArchitectureTest {
    @Test
    void importsOnlyAllowedModules() {
        var main = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("dev.penstock.spring");
        classes()
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(
                                "dev.penstock",
                                "dev.penstock.flow",
                                "dev.penstock.gateway..",
                                "dev.penstock.jdbc.guard",
                                "dev.penstock.http",
                                "dev.penstock.http.header",
                                "dev.penstock.jms",
                                "dev.penstock.jms.source",
                                "dev.penstock.kafka",
                                "dev.penstock.kafka.source",
                                "dev.penstock.observe..",
                                "dev.penstock.spring..")
                        .or(DescribedPredicate.not(resideInAPackage("dev.penstock.."))))
                .check(main);
    }
}
