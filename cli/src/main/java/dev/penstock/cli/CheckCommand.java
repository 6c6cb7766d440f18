package dev.penstock.cli;

import dev.penstock.gateway.GatewayPlan;
import dev.penstock.gateway.config.BadConfig;
import dev.penstock.gateway.file.FlowFile;
import dev.penstock.migrate.SettingsImport;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code penstock check FILE}: validates a flow file and prints its flows as they would run. With {@code --import},
 * converts the settings of another library to a flow file. Opens no port, and no connection without {@code --connect}.
 */
@Command(
        name = "check",
        description = {
            "Validates a flow file (YAML), and prints its flows as they will run.",
            "Shows the stages in order, and every setting with its source (default, file, learned, pinned).",
            "With --import, converts the settings of another library to a flow file instead.",
            "Opens no port, and no connection without --connect."
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
final class CheckCommand extends Subcommand {
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

    @Option(
            names = "--connect",
            description = {
                "Also asks the other sides: whether hosts of URLs have addresses, databases answer, and Kafka has the",
                "topics (those of dead letters too), the login is right, and share groups work where a flow needs them."
            })
    private boolean connects;

    @Mixin
    private LibOption lib = new LibOption();

    @Override
    public Integer call() throws BadConfig {
        if (given.other == null) {
            check(Objects.requireNonNull(given.file));
        } else {
            out().print(SettingsImport.flowFile(given.other));
        }
        return CommandLineExit.DONE;
    }

    private void check(Path file) throws BadConfig {
        try (ClientJars _ = lib.openFor(file)) {
            FlowFile flowFile = FlowFile.read(file);
            out().print(GatewayPlan.of(flowFile.config()).text());
            flowFile.warnings().forEach(err()::println);
            if (connects) {
                flowFile.ask(file);
            }
        }
    }
}
