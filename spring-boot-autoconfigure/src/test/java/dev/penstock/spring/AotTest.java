package dev.penstock.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import dev.penstock.flow.Flow;
import dev.penstock.jdbc.guard.GuardedDataSource;
import dev.penstock.jdbc.guard.WatchedSocketFactory;
import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.FileSystemGeneratedFiles;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.javapoet.ClassName;

/** An application that Spring's AOT engine has processed works; no native image is built here. */
class AotTest {
    private static final List<String> PROPERTIES = List.of(
            "penstock.flows.payments.to.http.url=" + PenstockContext.NOWHERE,
            "penstock.flows.prices.deadline=5s",
            "spring.datasource.type=" + GuardedDataSource.class.getName(),
            "spring.datasource.url=jdbc:h2:mem:aot");

    @TempDir
    private Path folder;

    static class Prices {
        @Flowed("prices")
        public int one() {
            return 1;
        }
    }

    /** Runs in a class loader of its own, which has the generated classes in their packages. */
    static final class Processed {
        private Processed() {}

        public static String run(String initializer) throws Exception {
            Class.forName("org.h2.Driver"); // drivers were looked for in the other loader
            try (GenericApplicationContext context = new GenericApplicationContext()) {
                TestPropertyValues.of(PROPERTIES).applyTo(context);
                @SuppressWarnings("unchecked")
                var generated = (ApplicationContextInitializer<GenericApplicationContext>)
                        Class.forName(initializer).getDeclaredConstructor().newInstance();
                generated.initialize(context);
                context.refresh();
                return context.getBean("payments", Flow.class).name()
                        + context.getBean(Prices.class).one()
                        + context.getBean(PenstockFlows.class)
                                .methods("prices")
                                .accounting()
                                .answered()
                        + context.getBean(GuardedDataSource.class)
                                .getConnection()
                                .getCatalog();
            }
        }
    }

    private ClassName process(DefaultGenerationContext to) {
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            TestPropertyValues.of(PROPERTIES).applyTo(context);
            context.register(PenstockAutoConfiguration.class, PenstockDataSourceAutoConfiguration.class, Prices.class);
            ClassName initializer = new ApplicationContextAotGenerator().processAheadOfTime(context, to);
            to.writeGeneratedContent();
            return initializer;
        }
    }

    private void compile() throws Exception {
        var compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
                Stream<Path> sources = Files.walk(folder.resolve("sources"))) {
            Path classes = Files.createDirectories(folder.resolve("classes"));
            List<String> options = List.of(
                    "-proc:none", "-nowarn", "-d", classes.toString(), "-cp", System.getProperty("java.class.path"));
            List<Path> generated =
                    sources.filter(file -> file.toString().endsWith(".java")).toList();
            assertThat(compiler.getTask(null, files, null, options, null, files.getJavaFileObjectsFromPaths(generated))
                            .call())
                    .isTrue();
        }
    }

    private URLClassLoader loader() throws Exception {
        List<URL> all =
                new ArrayList<>(List.of(folder.resolve("classes").toUri().toURL()));
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            all.add(Path.of(entry).toUri().toURL());
        }
        return new URLClassLoader(all.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    }

    @Test
    void aProcessedApplicationHasItsFlows() throws Exception {
        var to = new DefaultGenerationContext(
                new ClassNameGenerator(ClassName.get("shop", "Shop")), new FileSystemGeneratedFiles(folder));
        ClassName initializer = process(to);
        compile();
        try (URLClassLoader loader = loader()) {
            Thread.currentThread().setContextClassLoader(loader);
            var run = loader.loadClass(Processed.class.getName()).getDeclaredMethod("run", String.class);
            run.setAccessible(true);
            assertThat(run.invoke(null, initializer.canonicalName())).isEqualTo("payments11AOT");
        } finally {
            Thread.currentThread().setContextClassLoader(AotTest.class.getClassLoader());
        }
        RuntimeHints hints = to.getRuntimeHints();
        assertThat(RuntimeHintsPredicates.reflection().onType(HikariConfig.class))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onType(WatchedSocketFactory.class))
                .accepts(hints);
    }
}
