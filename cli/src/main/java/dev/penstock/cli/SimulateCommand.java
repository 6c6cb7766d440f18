package dev.penstock.cli;

import picocli.CommandLine.Command;

/** {@code penstock simulate}: slow and faulty dependencies for tests. */
@Command(
        name = "simulate",
        description =
                "Simulates a slow and faulty dependency, or a faulty proxy in front of one, and counts what it receives.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "KIND",
        subcommands = {SimulateHttpCommand.class, SimulateTcpCommand.class, SimulateUdpCommand.class},
        footer = {
            "",
            "Examples:  penstock simulate http --port 8081 --delay 1s --close fin",
            "           penstock simulate tcp --port 8082 --to localhost:8081 --kill-idle 5s --kill blackhole",
            "           penstock simulate udp --port 9000 --delay 2ms --drop 1%%"
        })
final class SimulateCommand extends Subcommand {
    @Override
    public Integer call() {
        throw new IllegalArgumentException("add what to simulate: http, tcp or udp");
    }
}
