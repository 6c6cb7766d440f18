package dev.penstock.cli;

import dev.penstock.gateway.config.BadConfig;
import dev.penstock.kit.FullRun;
import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** The output of a command and its exit code. */
record Ran(int code, String out, String err) {
    static {
        if (!FullRun.ON) {
            Rehearsal.skip();
        }
    }

    static Ran run(Object command, String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Penstock.parser(command)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .setParameterExceptionHandler((problem, given) -> {
                    err.append(problem.getMessage());
                    return CommandLine.ExitCode.USAGE;
                })
                .setExecutionExceptionHandler((failure, line, parsed) -> {
                    if (failure instanceof BadConfig bad) {
                        bad.lines().forEach(problem -> err.append(problem).append('\n'));
                        return CommandLineExit.BAD_CONFIGURATION;
                    }
                    err.append(failure.getMessage());
                    return failure instanceof IllegalArgumentException
                            ? CommandLine.ExitCode.USAGE
                            : CommandLine.ExitCode.SOFTWARE;
                })
                .execute(args);
        return new Ran(code, out.toString(), err.toString());
    }
}
