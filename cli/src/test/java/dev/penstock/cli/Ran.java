package dev.penstock.cli;

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
        int code = new CommandLine(command)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler((problem, given) -> {
                    err.append(problem.getMessage());
                    return CommandLine.ExitCode.USAGE;
                })
                .setExecutionExceptionHandler((failure, line, parsed) -> {
                    err.append(failure.getMessage());
                    return CommandLine.ExitCode.SOFTWARE;
                })
                .execute(args);
        return new Ran(code, out.toString(), err.toString());
    }
}
