package dev.penstock.gateway.file;

import dev.penstock.Ticker;
import dev.penstock.gateway.config.BadConfig;
import dev.penstock.gateway.config.ConfigMapping;
import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.gateway.config.FileKeys;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.GatewayConfig;
import dev.penstock.gateway.config.WatchedFiles;
import dev.penstock.gateway.transport.Transport;
import dev.penstock.gateway.transport.Transports;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

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
 * @param keys the values as written, to compare them with those of another file
 */
public record FlowFile(GatewayConfig config, List<String> warnings, FileKeys keys) {
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
        return read(file, variables, Ticker.SYSTEM);
    }

    /**
     * As above.
     *
     * @param ticker times the checks of files that may change
     */
    static FlowFile read(Path file, Function<String, @Nullable String> variables, Ticker ticker) throws BadConfig {
        ConfigProblems problems = new ConfigProblems();
        Transports transports = transports(file);
        FlowFileReader reader = new FlowFileReader(transports);
        ConfigMapping top = ConfigMapping.ofFile(file, variables, reader.schema(), problems, new WatchedFiles(ticker));
        GatewayConfig config = top == null ? null : reader.read(top);
        if (config == null || problems.count() > 0) {
            throw BadConfig.of(file, problems);
        }
        return new FlowFile(
                config,
                CrossFieldRules.warnings(config, transports).warningLines(file),
                Objects.requireNonNull(top).keys());
    }

    /**
     * Asks whether the other sides have what flows need: hosts have addresses, databases answer, and brokers have the topics.
     * Connects to them.
     *
     * @param file the file, for messages
     * @throws BadConfig something is missing
     */
    public void ask(Path file) throws BadConfig {
        ask(file, flow -> true);
    }

    /** As above, for some flows. */
    public void ask(Path file, Predicate<FlowConfig> which) throws BadConfig {
        ConfigProblems problems = new ConfigProblems();
        for (Transport transport : transports(file).all()) {
            config.flows().stream().filter(which).forEach(flow -> transport.ask(flow, problems));
        }
        if (problems.count() > 0) {
            throw BadConfig.of(file, problems);
        }
    }

    private static Transports transports(Path file) throws BadConfig {
        try {
            return Transports.load();
        } catch (IllegalArgumentException unfit) {
            ConfigProblems problems = new ConfigProblems();
            problems.add(String.valueOf(unfit.getMessage()));
            throw BadConfig.of(file, problems);
        }
    }
}
