package dev.penstock.cli;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * Compiles the Java examples against the class path of the tests. An example is a compilation unit, members of a class, or
 * statements. Members and statements see the names of {@link ExampleContext} and those of the example's {@code given} comments.
 * A line that is only {@code ...} stands for code of the reader.
 */
final class JavaExamples {
    private static final Pattern UNIT =
            Pattern.compile("(?m)^(package |public (final |abstract |sealed )*(class|interface|enum|record) )");
    private static final Pattern MEMBER =
            Pattern.compile("(?m)^(@\\w+.*|(?!(class|interface|enum|record) )[\\w.<>\\[\\], ?]+ "
                    + "(?!(if|for|while|switch|catch|try|synchronized)\\b)\\w+\\([^;{]*\\)( throws [\\w., ]+)? \\{)$");
    private static final Pattern IMPORT = Pattern.compile("(?m)^import .*$");
    private static final Pattern ELLIPSIS = Pattern.compile("(?m)^\\s*\\.\\.\\.\\s*(//.*)?$");

    private static final Path ROOT = Path.of("..");
    private static final List<String> MODULES =
            List.of("core", "http", "http-source", "jdbc", "jms", "kafka", "udp", "observe");

    /** Imports that examples may leave out, besides those of all packages of {@link #MODULES}. */
    private static final List<String> PRELUDE = List.of(
            "import static org.assertj.core.api.Assertions.*;",
            "import dev.penstock.kit.*;",
            "import java.net.InetSocketAddress;",
            "import java.net.URI;",
            "import java.nio.charset.StandardCharsets;",
            "import java.nio.file.Path;",
            "import java.time.Duration;",
            "import java.time.Instant;",
            "import java.util.*;",
            "import java.util.concurrent.Executors;",
            "import java.util.concurrent.FutureTask;",
            "import javax.sql.DataSource;");

    private JavaExamples() {}

    /**
     * The errors of the compiler, with file and line of the page.
     *
     * @param classes where class files may be written
     */
    static List<String> problems(List<DocExample> examples, Path classes) throws IOException {
        String imports = imports();
        List<Source> sources = new ArrayList<>();
        for (DocExample example : examples) {
            sources.add(new Source("example" + sources.size(), example, imports));
        }
        JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler(), "tests run on a JDK");
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        List<String> options = List.of(
                "-proc:none",
                "-nowarn",
                "-Xmaxerrs",
                "1000",
                "--should-stop=ifError=FLOW", // a syntax error in one example hides no error in another
                "-d",
                classes.toString(),
                "-cp",
                System.getProperty("java.class.path"));
        compiler.getTask(null, null, found, options, null, sources).call();
        return found.getDiagnostics().stream()
                .filter(diagnostic -> diagnostic.getKind() == Diagnostic.Kind.ERROR)
                .map(JavaExamples::problem)
                .toList();
    }

    private static String imports() throws IOException {
        List<String> imports = new ArrayList<>(PRELUDE);
        for (String module : MODULES) {
            Path sources = ROOT.resolve(module).resolve("src/main/java");
            try (Stream<Path> files = Files.walk(sources)) {
                files.filter(file -> file.endsWith("package-info.java"))
                        .map(file -> sources.relativize(file.getParent()).toString())
                        .forEach(folder -> imports.add("import " + folder.replace('/', '.') + ".*;"));
            }
        }
        return String.join(" ", imports);
    }

    private static String problem(Diagnostic<? extends JavaFileObject> error) {
        String message = error.getMessage(Locale.ROOT).strip().replaceAll("\\s*\\R\\s*", "; ");
        if (!(error.getSource() instanceof Source source)) {
            return message;
        }
        return source.example.problem(Math.max(error.getLineNumber(), source.example.line()), message);
    }

    /** An example as a compilation unit, in a package of its own; its lines have the numbers that they have on the page. */
    private static final class Source extends SimpleJavaFileObject {
        private final DocExample example;
        private final String text;

        Source(String packageName, DocExample example, String imports) {
            super(URI.create("string:///" + packageName + "/Example.java"), Kind.SOURCE);
            this.example = example;
            this.text = text(packageName, example, imports);
        }

        private static String text(String packageName, DocExample example, String prelude) {
            String code = ELLIPSIS.matcher(example.text()).replaceAll("");
            String lines = "\n".repeat(example.line());
            if (UNIT.matcher(code).find()) {
                boolean named = code.contains("\npackage ") || code.startsWith("package ");
                return (named ? "" : "package " + packageName + "; ") + lines + code;
            }
            String imports = prelude + " "
                    + String.join(
                            " ",
                            IMPORT.matcher(code)
                                    .results()
                                    .map(match -> match.group())
                                    .toList());
            String body = IMPORT.matcher(code).replaceAll("");
            String head = "package " + packageName + "; " + imports
                    + " class Example extends dev.penstock.cli.ExampleContext { " + example.given();
            return MEMBER.matcher(body).find()
                    ? head + lines + body + "}"
                    : head + " void example() throws Exception {" + lines + body + "}}";
        }

        @Override
        public boolean isNameCompatible(String simpleName, Kind kind) {
            return true;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
