package dev.penstock.cli;

import java.io.PrintWriter;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code penstock} command: hands over to its subcommands, and turns whatever they throw into one clear line. */
@Command(
        name = "penstock",
        description = "Carries transactions through slow, unreliable dependencies at full speed, without losing one.",
        subcommands = {
            DemoCommand.class,
            ServeCommand.class,
            CheckCommand.class,
            LoadCommand.class,
            SimulateCommand.class
        },
        mixinStandardHelpOptions = true,
        versionProvider = Penstock.Version.class,
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "Exit codes: 0 done, 1 it ran and failed, 2 wrong usage, 78 bad configuration.",
            "Begin with:  penstock demo"
        })
public final class Penstock implements Runnable {
    @Option(
            names = "--debug",
            description = "Show stack traces of unexpected errors.",
            scope = CommandLine.ScopeType.INHERIT)
    private boolean debug;

    @Spec
    private CommandSpec spec;

    private Penstock() {}

    /**
     * Runs the command and ends the JVM with its exit code.
     *
     * @param args what stands behind {@code penstock} on the command line
     */
    public static void main(String[] args) {
        Locale.setDefault(Locale.ROOT);
        System.exit(execute(new PrintWriter(System.out, true), new PrintWriter(System.err, true), args));
    }

    static int execute(PrintWriter out, PrintWriter err, String... args) {
        Penstock penstock = new Penstock();
        return new CommandLine(penstock)
                .setOut(out)
                .setErr(err)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpWidth(100)
                .setParameterExceptionHandler(Penstock::wrongUsage)
                .setExecutionExceptionHandler((failure, command, parsed) -> penstock.failed(failure, command))
                .execute(args);
    }

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    private static int wrongUsage(ParameterException problem, String[] args) {
        CommandLine command = problem.getCommandLine();
        PrintWriter err = command.getErr();
        err.println("penstock: " + oneLine(problem));
        if (!CommandLine.UnmatchedArgumentException.printSuggestions(problem, err)) {
            err.println("See '" + command.getCommandSpec().qualifiedName() + " --help'.");
        }
        err.flush();
        return CommandLine.ExitCode.USAGE;
    }

    private int failed(Exception failure, CommandLine command) {
        PrintWriter err = command.getErr();
        err.println("penstock: " + oneLine(failure));
        if (debug) {
            failure.printStackTrace(err);
        }
        err.flush();
        return CommandLine.ExitCode.SOFTWARE;
    }

    private static String oneLine(Exception failure) {
        String message = failure.getMessage();
        return message == null || message.isBlank()
                ? failure.getClass().getSimpleName() + "; run again with --debug to see where"
                : message.strip().replaceAll("\\s*\\R\\s*", "; ");
    }

    static final class Version implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Penstock.class.getPackage().getImplementationVersion();
            return new String[] {
                "penstock " + (version == null ? "of this checkout" : version) + ", JDK " + Runtime.version()
            };
        }
    }
}
