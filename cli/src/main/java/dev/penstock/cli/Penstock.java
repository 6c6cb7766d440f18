package dev.penstock.cli;

import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The {@code penstock} command: hands over to its subcommands, and turns whatever they throw into one clear line. */
@Command(
        name = "penstock",
        description = "Carries transactions through slow, unreliable dependencies at full speed, without losing one.",
        subcommands = {
            DemoCommand.class,
            ServeCommand.class,
            CheckCommand.class,
            LoadCommand.class,
            ProbeCommand.class,
            TopCommand.class,
            SimulateCommand.class,
            RaceCommand.class,
            CompareCommand.class
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
        System.exit(execute(writer(System.out), writer(System.err), args));
    }

    private static PrintWriter writer(PrintStream stream) {
        return new PrintWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8), true);
    }

    static int execute(PrintWriter out, PrintWriter err, String... args) {
        Penstock penstock = new Penstock();
        return new CommandLine(penstock)
                .setOut(out)
                .setErr(err)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpWidth(100)
                .setExecutionStrategy(Penstock::execute)
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
        List<String> near =
                problem instanceof UnmatchedArgumentException unmatched ? unmatched.getSuggestions() : List.of();
        String todo = near.isEmpty()
                ? "see " + command.getCommandSpec().qualifiedName() + " --help"
                : "did you mean " + near.getFirst() + "?";
        err.println("penstock: " + whatIsWrong(problem) + "; " + todo);
        err.flush();
        return CommandLine.ExitCode.USAGE;
    }

    private static String whatIsWrong(ParameterException problem) {
        if (!(problem instanceof UnmatchedArgumentException unmatched) || unmatched.isUnknownOption()) {
            return oneLine(problem).replaceFirst("^Error: ", "");
        }
        String first = "'" + unmatched.getUnmatched().getFirst() + "'";
        boolean commands = !problem.getCommandLine().getSubcommands().isEmpty();
        return commands ? "there is no command " + first : first + " is one argument too many";
    }

    /** Refuses what help would hide: picocli prints help and forgets that the command it is asked for does not exist. */
    private static int execute(ParseResult parsed) {
        for (ParseResult at = parsed; at != null; at = at.subcommand()) {
            if (!at.unmatched().isEmpty()) {
                throw new UnmatchedArgumentException(at.commandSpec().commandLine(), at.unmatched());
            }
        }
        return new CommandLine.RunLast().execute(parsed);
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

    /** The command as it was given, as it stands in result files. */
    static String commandLine(CommandSpec command) {
        String program = command.parent() == null ? "penstock " + command.name() + " " : "penstock ";
        return program + String.join(" ", command.commandLine().getParseResult().originalArgs());
    }

    /** The same but for what may be secret: the values of headers, and the queries of URLs. */
    static String commandLine(CommandSpec command, List<String> headers, String... urls) {
        String line = commandLine(command);
        for (String header : headers) {
            line = line.replace(header, header.substring(0, header.indexOf(':') + 1) + " ***");
        }
        for (String url : urls) {
            line = line.replace(url, Subject.withoutSecrets(url));
        }
        return line;
    }

    /** The version of this build, as it stands in result files. */
    static String version() {
        String version = Penstock.class.getPackage().getImplementationVersion();
        return version == null ? "of this checkout" : version;
    }

    static final class Version implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"penstock " + version() + ", JDK " + Runtime.version()};
        }
    }
}
