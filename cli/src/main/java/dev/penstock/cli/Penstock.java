package dev.penstock.cli;

import dev.penstock.gateway.config.BadConfig;
import dev.penstock.lab.measure.Condition;
import dev.penstock.supervise.ThreadWatch;
import dev.penstock.text.Durations;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The {@code penstock} command: runs its subcommands, and prints exceptions as one line. */
@Command(
        name = "penstock",
        description = "Carries transactions through slow, unreliable dependencies at full speed, without losing one.",
        subcommands = {
            DemoCommand.class,
            ServeCommand.class,
            CheckCommand.class,
            ExplainCommand.class,
            SchemaCommand.class,
            LoadCommand.class,
            ProbeCommand.class,
            TopCommand.class,
            ReloadCommand.class,
            DiffCommand.class,
            FindCommand.class,
            KeyCommand.class,
            SimulateCommand.class,
            RaceCommand.class,
            CompareCommand.class,
            RunsCommand.class
        },
        mixinStandardHelpOptions = true,
        versionProvider = Penstock.Version.class,
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "Exit codes: 0 done, 1 it ran and failed, 2 wrong usage, 3 out of memory or threads, 78 bad configuration.",
            "Start with:  penstock demo"
        })
public final class Penstock implements Runnable {
    /** Options whose values may be secret. */
    private static final Set<String> SECRET_OPTIONS =
            Set.of("--header", "--body", "--request", "--send", "--statement");

    @Option(
            names = "--debug",
            description = "Show stack traces of unexpected errors.",
            scope = CommandLine.ScopeType.INHERIT)
    private boolean debug;

    @Spec
    private CommandSpec spec;

    /**
     * Runs the command and ends the JVM with its exit code.
     *
     * @param args the arguments after {@code penstock}
     */
    public static void main(String[] args) {
        Locale.setDefault(Locale.ROOT);
        try {
            System.exit(execute(writer(System.out), writer(System.err), args));
        } catch (OutOfMemoryError none) {
            if (!ThreadWatch.isNoThread(none)) {
                throw none;
            }
            System.err.println("penstock: this process cannot start a thread; " + ThreadWatch.remedy());
            Runtime.getRuntime().halt(CommandLineExit.EXHAUSTED);
        }
    }

    private static PrintWriter writer(PrintStream stream) {
        return new PrintWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8), true);
    }

    static int execute(PrintWriter out, PrintWriter err, String... args) {
        int code = parser(new Penstock())
                .setOut(out)
                .setErr(err)
                .setUsageHelpWidth(100)
                .setExecutionStrategy(Penstock::execute)
                .execute(args);
        out.flush();
        return code;
    }

    /** The parser of a command, with values in the notation of flow files, and errors in one line. */
    static CommandLine parser(Object command) {
        return new CommandLine(command)
                .registerConverter(Duration.class, converter(Durations::parse))
                .registerConverter(Condition.class, converter(Condition::parse))
                .registerConverter(LabelledRequest.class, converter(LabelledRequest::parse))
                .setCaseInsensitiveEnumValuesAllowed(true)
                // Otherwise it would read --body @FILE as a file of arguments.
                .setExpandAtFiles(false)
                .setParameterExceptionHandler((problem, args) -> wrongUsage(problem))
                .setExecutionExceptionHandler((failure, failed, parsed) -> failed(failure, failed));
    }

    private static <T> ITypeConverter<T> converter(Function<String, T> parse) {
        return text -> {
            try {
                return parse.apply(text);
            } catch (IllegalArgumentException wrong) {
                throw new TypeConversionException(wrong.getMessage());
            }
        };
    }

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    private static int wrongUsage(ParameterException problem) {
        CommandLine command = problem.getCommandLine();
        PrintWriter err = command.getErr();
        List<String> near =
                problem instanceof UnmatchedArgumentException unmatched ? unmatched.getSuggestions() : List.of();
        String remedy = near.isEmpty()
                ? "see " + command.getCommandSpec().qualifiedName() + " --help"
                : "did you mean " + near.getFirst() + "?";
        err.println("penstock: " + whatIsWrong(problem) + "; " + remedy);
        return CommandLine.ExitCode.USAGE;
    }

    private static String whatIsWrong(ParameterException problem) {
        if (!(problem instanceof UnmatchedArgumentException unmatched) || unmatched.isUnknownOption()) {
            return oneLine(problem).replaceFirst("^Error: ", "");
        }
        String first = "'" + unmatched.getUnmatched().getFirst() + "'";
        boolean commands = !problem.getCommandLine().getSubcommands().isEmpty();
        return commands ? "unknown command " + first : "unexpected argument " + first;
    }

    /** Rejects unknown commands, even with {@code --help}, for which picocli would print the help of the parent. */
    private static int execute(ParseResult parsed) {
        for (ParseResult at = parsed; at != null; at = at.subcommand()) {
            if (!at.unmatched().isEmpty()) {
                throw new UnmatchedArgumentException(at.commandSpec().commandLine(), at.unmatched());
            }
        }
        return new CommandLine.RunLast().execute(parsed);
    }

    private static int failed(Exception failure, CommandLine command) {
        PrintWriter err = command.getErr();
        if (failure instanceof BadConfig bad) {
            bad.lines().forEach(err::println);
            return CommandLineExit.BAD_CONFIGURATION;
        }
        int code = CommandLineExit.FAILED;
        if (failure instanceof IllegalArgumentException) {
            code = wrongUsage(new ParameterException(command, oneLine(failure), failure));
        } else {
            err.println("penstock: " + oneLine(failure));
        }
        if (isDebug(command.getCommandSpec())) {
            failure.printStackTrace(err);
        }
        return code;
    }

    /** Whether stack traces are enabled; never in tests without the root command. */
    static boolean isDebug(CommandSpec command) {
        return command.root().userObject() instanceof Penstock penstock && penstock.debug;
    }

    private static String oneLine(Exception failure) {
        String message = failure.getMessage();
        return message == null || message.isBlank()
                ? failure.getClass().getSimpleName() + "; run with --debug for the stack trace"
                : message.strip().replaceAll("\\s*\\R\\s*", "; ");
    }

    /** The command line for result files, without possible secrets: sent data, and queries and users of URLs. */
    static String commandLine(CommandSpec command, String... urls) {
        List<String> shown = new ArrayList<>();
        String before = "";
        for (String word : command.commandLine().getParseResult().originalArgs()) {
            int equals = word.indexOf('=');
            if (SECRET_OPTIONS.contains(before)) {
                shown.add(masked(before, word));
            } else if (equals > 0 && SECRET_OPTIONS.contains(word.substring(0, equals))) {
                shown.add(
                        word.substring(0, equals + 1) + masked(word.substring(0, equals), word.substring(equals + 1)));
            } else {
                shown.add(withoutSecrets(word, urls));
            }
            before = SECRET_OPTIONS.contains(before) ? "" : word;
        }
        return (command.parent() == null ? "penstock " + command.name() + " " : "penstock ") + String.join(" ", shown);
    }

    private static String masked(String option, String value) {
        return switch (option) {
            case "--header" -> value.substring(0, value.indexOf(':') + 1) + " ***";
            case "--request" -> "'" + LabelledRequest.withoutSecrets(value) + "'";
            default -> "***";
        };
    }

    private static String withoutSecrets(String word, String... urls) {
        for (String url : urls) {
            if (!url.isEmpty() && word.endsWith(url)) {
                return word.substring(0, word.length() - url.length()) + LoadTarget.withoutSecrets(url);
            }
        }
        return word;
    }

    /** The version of this build, for result files. */
    static String version() {
        String version = Penstock.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    static final class Version implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"penstock " + version() + ", JDK " + Runtime.version()};
        }
    }
}
