package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.flow.Flow;
import dev.penstock.http.HttpTarget;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.module.ModuleFinder;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.HdrHistogram.Histogram;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http2.H2Error;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import tools.jackson.core.JsonParser;

/** A program of a user that is a module. */
class ModulePathTest {
    private static final List<Path> MODULES = Stream.of(
                    Flow.class,
                    HttpTarget.class,
                    Histogram.class,
                    Logger.class,
                    NullMarked.class,
                    HttpEntity.class,
                    H2Error.class,
                    JsonParser.class)
            .map(ModulePathTest::origin)
            .toList();

    @TempDir
    Path sources;

    @TempDir
    Path classes;

    @BeforeEach
    void writeDescriptor() throws IOException {
        write("module-info", "module user { requires dev.penstock.http; exports user; }");
    }

    @Test
    void moduleOfAUserBuildsAFlow() throws Exception {
        write("Names", """
                package user;

                import dev.penstock.Retry;
                import dev.penstock.flow.Flow;
                import dev.penstock.http.HttpTarget;
                import java.time.Duration;

                public class Names {
                    public static String call() throws Exception {
                        Flow<String, String> names = Flow.named("names")
                                .deadline(Duration.ofSeconds(10))
                                .retry(Retry.byKey((String id) -> id))
                                .breaker()
                                .adaptiveConcurrency()
                                .to(id -> "name of " + id);
                        try (HttpTarget target = HttpTarget.of("http://127.0.0.1:9/")) {
                            return names.call("7") + ", " + names.drain(Duration.ZERO).isSettled();
                        }
                    }
                }
                """);
        assertThat(compile()).isEmpty();
        Class<?> names = layer().findLoader("user").loadClass("user.Names");
        assertThat(names.getMethod("call").invoke(null)).isEqualTo("name of 7, true");
    }

    @Test
    void packageThatIsNotExportedIsRefused() throws Exception {
        write("Inside", """
                package user;

                public class Inside {
                    dev.penstock.limit.AdaptiveLimit limit;
                    dev.penstock.http.pool.ConnectionPool pool;
                }
                """);
        assertThat(compile())
                .contains("package dev.penstock.limit is not visible", "package dev.penstock.http.pool is not visible");
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(sources.resolve(name + ".java"), text);
    }

    /** Returns what the compiler reports. */
    private String compile() throws IOException {
        JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler(), "tests run on a JDK");
        String path = MODULES.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
        StringWriter report = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
                Stream<Path> found = Files.list(sources)) {
            List<String> options = List.of("-proc:none", "--module-path", path, "-d", classes.toString());
            compiler.getTask(report, files, null, options, null, files.getJavaFileObjectsFromPaths(found.toList()))
                    .call();
        }
        return report.toString();
    }

    private ModuleLayer layer() {
        List<Path> path = new ArrayList<>(MODULES);
        path.add(classes);
        ModuleLayer boot = ModuleLayer.boot();
        return boot.defineModulesWithOneLoader(
                boot.configuration()
                        .resolve(ModuleFinder.of(path.toArray(Path[]::new)), ModuleFinder.of(), Set.of("user")),
                ClassLoader.getPlatformClassLoader());
    }

    private static Path origin(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
