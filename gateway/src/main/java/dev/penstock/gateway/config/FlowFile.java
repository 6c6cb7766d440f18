package dev.penstock.gateway.config;

import dev.penstock.gateway.config.ConfigProblems.ConfigProblem;
import dev.penstock.gateway.config.FlowFileReader.ReadContext;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * A flow file without errors.
 *
 * <pre>{@code
 * FlowFile file = FlowFile.read(Path.of("flows.yaml"));   // or throws BadConfig
 * file.warnings().forEach(System.err::println);
 * Gateway.start(file.config());
 * }</pre>
 *
 * @param config the configuration
 * @param warnings valid but probably unintended settings, one line each, {@code FILE:LINE:COLUMN: warning: ...}, sorted
 *     by line
 */
public record FlowFile(GatewayConfig config, List<String> warnings) {
    public FlowFile {
        warnings = List.copyOf(warnings);
    }

    /**
     * Reads a flow file and fills in placeholders from the environment.
     *
     * @param file the YAML file; at most 1 MB, UTF-8
     * @throws BadConfig the file has errors
     */
    public static FlowFile read(Path file) throws BadConfig {
        return read(file, System::getenv);
    }

    /**
     * Reads a flow file.
     *
     * @param file the YAML file; at most 1 MB, UTF-8
     * @param variables returns the value of a variable, or null when it is not set
     * @throws BadConfig the file has errors
     */
    public static FlowFile read(Path file, Function<String, @Nullable String> variables) throws BadConfig {
        ConfigProblems problems = new ConfigProblems();
        GatewayConfig config = config(file, variables, problems);
        if (config == null || problems.count() > 0) {
            throw BadConfig.of(file, problems);
        }
        String name = Quoted.whole(file.toString());
        ConfigProblems found = new ConfigProblems();
        ConfigWarnings.check(config, found);
        List<String> warnings = found.sorted().stream()
                .map(warning -> new ConfigProblem(warning.location(), "warning: " + warning.text()).line(name))
                .toList();
        return new FlowFile(config, warnings);
    }

    private static @Nullable GatewayConfig config(
            Path file, Function<String, @Nullable String> variables, ConfigProblems problems) {
        String text = FileText.read(file, problems);
        Node root = text == null ? null : YamlTree.of(text, problems);
        if (root == null) {
            return null;
        }
        Path folder = file.toAbsolutePath().normalize().getParent();
        Path base = folder == null ? file.toAbsolutePath() : folder;
        ReadContext reading = new ReadContext(new Placeholders(variables, base), problems, base);
        return new FlowFileReader(reading).read(root);
    }
}
