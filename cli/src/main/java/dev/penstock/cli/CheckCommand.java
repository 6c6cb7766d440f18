package dev.penstock.cli;

import dev.penstock.gateway.GatewayPlan;
import dev.penstock.gateway.config.BadConfig;
import dev.penstock.gateway.file.FlowFile;
import dev.penstock.migrate.SettingsImport;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code penstock check FILE}: validates a flow file and prints its flows as they would run. With {@code --import},
 * converts the settings of another library to a flow file. Opens no port or connection.
 */
@Command(
        name = "check",
        description = {
            "Validates a flow file (YAML), and prints its flows as they will run.",
            "Shows the stages in order, and every setting with its source (default, file, learned, pinned).",
            "With --import, converts the settings of another library to a flow file instead.",
            "Opens no port and no connection."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Errors and warnings go to standard error, one line each: FILE:LINE:COLUMN: what is wrong; what to do.",
            "Additional JDBC drivers and JMS clients are loaded from the folder lib beside FILE.",
            "Exit codes: 0 valid, 2 wrong usage, 78 bad configuration.",
            "",
            "Example:  penstock check flows.yaml",
            "          penstock check --import cybs.properties > flows.yaml",
            "          penstock check --import hibernate.properties > flows.yaml"
        })
public final class CheckCommand implements Callable<Integer> {
    /** Exactly one of the two. */
    static final class Given {
        @Parameters(paramLabel = "FILE", description = "The flow file.")
        @Nullable
        Path file;

        @Option(
                names = "--import",
                paramLabel = "FILE",
                description = {
                    "A settings file (properties, XML, YAML) of the payment SDK, c3p0, HikariCP, Hibernate, Spring,",
                    "resilience4j, Hystrix or Tomcat, for instance cybs.properties or server.xml."
                })
        @Nullable
        Path other;
    }

    @ArgGroup(multiplicity = "1")
    private Given given = new Given();

    @Mixin
    private LibOption lib = new LibOption();

    @Spec
    private CommandSpec spec;

    /** For picocli. */
    public CheckCommand() {}

    @Override
    public Integer call() {
        PrintWriter err = CommandLineExit.err(spec);
        try {
            return given.other == null ? check(Objects.requireNonNull(given.file), err) : print(given.other);
        } catch (BadConfig bad) {
            bad.lines().forEach(err::println);
            return CommandLineExit.BAD_CONFIGURATION;
        }
    }

    private int check(Path file, PrintWriter err) throws BadConfig {
        try (ClientJars _ = opened(file)) {
            FlowFile flowFile = FlowFile.read(file);
            print(GatewayPlan.of(flowFile.config()).text());
            flowFile.warnings().forEach(err::println);
            return CommandLineExit.DONE;
        }
    }

    private ClientJars opened(Path file) {
        try {
            return lib.openFor(file);
        } catch (IllegalArgumentException wrong) {
            throw new ParameterException(spec.commandLine(), String.valueOf(wrong.getMessage()), wrong);
        }
    }

    private int print(Path other) throws BadConfig {
        print(SettingsImport.flowFile(other));
        return CommandLineExit.DONE;
    }

    private void print(String text) {
        PrintWriter out = CommandLineExit.out(spec);
        out.print(text);
        out.flush();
    }
}
