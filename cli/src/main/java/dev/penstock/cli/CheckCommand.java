package dev.penstock.cli;

import dev.penstock.gateway.GatewayPlan;
import dev.penstock.gateway.config.BadConfig;
import dev.penstock.gateway.config.FlowFile;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code penstock check FILE}: validates a flow file and prints its flows as they would run. Opens nothing. */
@Command(
        name = "check",
        description = {
            "Validates a YAML file, and prints its flows as they will run.",
            "Each with its stages in order, and every setting with its source (default, file, learned, pinned).",
            "Opens no port and no connection."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Errors and warnings go to standard error, one line each: FILE:LINE:COLUMN: what is wrong; what to do.",
            "Exit codes: 0 the file can be served, 2 wrong usage, 78 bad configuration.",
            "",
            "Example:  penstock check flows.yaml"
        })
public final class CheckCommand implements Callable<Integer> {
    @Parameters(paramLabel = "FILE", description = "The flow file.")
    private Path file = Path.of("flows.yaml");

    @Spec
    private CommandSpec spec;

    /** For picocli. */
    public CheckCommand() {}

    @Override
    public Integer call() {
        PrintWriter err = CommandLineExit.err(spec);
        try {
            FlowFile flowFile = FlowFile.read(file);
            PrintWriter out = CommandLineExit.out(spec);
            out.print(GatewayPlan.of(flowFile.config()).text());
            out.flush();
            flowFile.warnings().forEach(err::println);
            return CommandLineExit.DONE;
        } catch (BadConfig bad) {
            bad.lines().forEach(err::println);
            return CommandLineExit.BAD_CONFIGURATION;
        }
    }
}
