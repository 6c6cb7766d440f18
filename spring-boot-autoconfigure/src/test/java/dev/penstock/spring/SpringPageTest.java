package dev.penstock.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java examples of docs/spring.md, each a compilation unit, compile. */
class SpringPageTest {
    private static final Pattern JAVA = Pattern.compile("(?ms)^ *```java$(.*?)^ *```$");

    @Test
    void examplesCompile(@TempDir Path classes) throws Exception {
        List<Example> examples = JAVA.matcher(Files.readString(Path.of("../docs/spring.md")))
                .results()
                .map(found -> new Example(found.group(1)))
                .toList();
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        List<String> options =
                List.of("-proc:none", "-d", classes.toString(), "-cp", System.getProperty("java.class.path"));
        boolean compiled = ToolProvider.getSystemJavaCompiler()
                .getTask(null, null, found, options, null, examples)
                .call();
        assertThat(compiled).as(found.getDiagnostics().toString()).isTrue();
        assertThat(examples).isNotEmpty();
    }

    private static final class Example extends SimpleJavaFileObject {
        private final String text;

        Example(String text) {
            super(URI.create("string:///Example.java"), Kind.SOURCE);
            this.text = text;
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
