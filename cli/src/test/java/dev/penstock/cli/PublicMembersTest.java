package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * No public method or type exists only for tests: main code uses it, a page of the docs shows it, or the list below says who
 * else needs it. A test in the same package needs no public method.
 */
class PublicMembersTest {
    /** Methods that no code of Penstock calls, for users who embed it; the pages show their neighbours. */
    private static final Set<String> FOR_USERS = Set.of(
            "dev.penstock.http.HttpCall.patch",
            "dev.penstock.http.tls.Tls.trusting",
            "dev.penstock.jdbc.JdbcTargetBuilder.maxRows");

    /** Faults in the network, for the tests of all transports. */
    private static final Set<String> FOR_TESTS = Set.of("dev.penstock.lab.simulate.tcp.TcpSimulator.inject");

    private static final Pattern WORD = Pattern.compile("\\w+");
    private static final Path ROOT = Path.of("..");

    @Test
    void noPublicMethodExistsOnlyForTests() throws Exception {
        Set<String> shown = words();
        assertThat(unused().filter(method -> !shown.contains(method.getName())).map(PublicMembersTest::name))
                .doesNotHaveDuplicates()
                .containsExactlyInAnyOrderElementsOf(
                        Stream.concat(FOR_USERS.stream(), FOR_TESTS.stream()).toList());
    }

    /** Main classes, and types that a service file names, are no part of this. */
    @Test
    void noPublicTypeExistsOnlyForTests() throws Exception {
        Set<String> shown = words();
        assertThat(ArchitectureTest.MAIN_CLASSES.stream()
                        .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC) && type.isTopLevelClass())
                        .filter(type -> type.getDirectDependenciesToSelf().stream()
                                .allMatch(use -> use.getOriginClass().getName().startsWith(type.getName())))
                        .filter(type ->
                                type.tryGetMethod("main", String[].class).isEmpty())
                        .map(JavaClass::getSimpleName)
                        .filter(name -> !shown.contains(name)))
                .isEmpty();
    }

    /** The public methods that no other main code of these modules calls; JMX calls those of MBeans. */
    private static Stream<JavaMethod> unused() {
        return ArchitectureTest.MAIN_CLASSES.stream()
                .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                .filter(type -> !type.getSimpleName().endsWith("MXBean"))
                .flatMap(type -> type.getMethods().stream())
                .filter(method -> method.getModifiers().contains(JavaModifier.PUBLIC)
                        && !method.getModifiers().contains(JavaModifier.SYNTHETIC)
                        && !isGenerated(method)
                        && !isOverriding(method))
                .filter(method -> method.getAccessesToSelf().stream()
                        .allMatch(access -> access.getOrigin().equals(method)));
    }

    private static String name(JavaMethod method) {
        return method.getOwner().getName() + "." + method.getName();
    }

    /** Methods of enums, accessors of records, and main methods. */
    private static boolean isGenerated(JavaMethod method) {
        JavaClass owner = method.getOwner();
        return owner.isEnum() && List.of("values", "valueOf").contains(method.getName())
                || owner.isRecord()
                        && method.getRawParameterTypes().isEmpty()
                        && owner.tryGetField(method.getName()).isPresent()
                || method.getName().equals("main");
    }

    /** By reflection, since types of libraries are not imported. */
    private static boolean isOverriding(JavaMethod method) {
        Class<?> owner = method.getOwner().reflect();
        return Stream.concat(Stream.ofNullable(owner.getSuperclass()), Stream.of(owner.getInterfaces()))
                .flatMap(type -> Stream.concat(Stream.of(type.getMethods()), Stream.of(Object.class.getMethods())))
                .anyMatch(other -> other.getName().equals(method.getName())
                        && other.getParameterCount()
                                == method.getRawParameterTypes().size());
    }

    /** The words of the docs, examples and service files, and of the races and the Spring starter, which are not on the class path here. */
    private static Set<String> words() throws IOException {
        Set<String> words = new HashSet<>();
        for (String folder : List.of(
                "README.md",
                "docs",
                "examples",
                "races/src/main",
                "spring-boot-autoconfigure/src/main",
                "gateway/src/main/resources/META-INF/services",
                "cli/src/main/resources/META-INF/services")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
                for (Path file : files.filter(PublicMembersTest::isRead).toList()) {
                    WORD.matcher(Files.readString(file)).results().forEach(word -> words.add(word.group()));
                }
            }
        }
        return words;
    }

    /** Decisions name what was rejected, too. */
    private static boolean isRead(Path file) {
        return Files.isRegularFile(file)
                && file.toString().matches(".*([.](md|java)|META-INF.services.*)")
                && !file.endsWith("decisions.md");
    }
}
