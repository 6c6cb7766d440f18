package dev.penstock.cli;

import dev.penstock.cli.OptionConverters.ShareConverter;
import dev.penstock.cli.OptionConverters.SizeConverter;
import dev.penstock.lab.simulate.udp.UdpReport;
import dev.penstock.lab.simulate.udp.UdpSimulator;
import dev.penstock.lab.simulate.udp.UdpSimulatorBuilder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code penstock simulate udp}: a slow and faulty UDP server. */
@Command(
        name = "udp",
        description = "Runs a UDP server that answers late, twice, out of order or not at all.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "It echoes each datagram to the sender, with --find replaced by --with. It reads one at a time, so a",
            "burst larger than its receive buffer is lost. Runs until Ctrl-C or for --for, then prints its",
            "counters.",
            "",
            "Example:  penstock simulate udp --port 9000 --delay 2ms --drop 1%% --receive-buffer 64KB"
        })
final class SimulateUdpCommand extends Subcommand {
    @Mixin
    private SimulatorOptions options = new SimulatorOptions();

    @Mixin
    private DelayOptions delay = new DelayOptions();

    @Option(
            names = "--drop",
            paramLabel = "SHARE",
            converter = ShareConverter.class,
            defaultValue = "0%",
            description = "Drop this share of the datagrams. Default: none.")
    private double drop;

    @Option(
            names = "--duplicate",
            paramLabel = "SHARE",
            converter = ShareConverter.class,
            defaultValue = "0%",
            description = "Send this share of the answers twice. Default: none.")
    private double duplicate;

    @Option(
            names = "--reorder",
            paramLabel = "SHARE",
            converter = ShareConverter.class,
            defaultValue = "0%",
            description = "Delay this share of the answers, so that later ones overtake them. Default: none.")
    private double reorder;

    @Option(
            names = "--reorder-by",
            paramLabel = "TIME",
            defaultValue = "10ms",
            description = "The delay of --reorder. Default: ${DEFAULT-VALUE}.")
    private Duration reorderBy = Duration.ZERO;

    @Option(names = "--find", paramLabel = "TEXT", description = "Replace this text in answers. Default: nothing.")
    private @Nullable String find;

    @Option(names = "--with", paramLabel = "TEXT", description = "The replacement of --find. Default: empty.")
    private @Nullable String with;

    @Option(
            names = "--receive-buffer",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            description =
                    "The socket receive buffer, for instance 64KB: on Linux 64KB hold 56 datagrams of 1,024 bytes."
                            + " Default: that of the system.")
    private @Nullable Long receiveBuffer;

    @Override
    public Integer call() throws IOException {
        UdpSimulator simulator = plan().start();
        return options.run(
                new SimulatorOptions.Running(
                        List.of(simulator.toString()),
                        () -> progress(simulator.report()),
                        () -> simulator.report().lines(),
                        simulator::close),
                out());
    }

    private UdpSimulatorBuilder plan() {
        UdpSimulatorBuilder plan = UdpSimulator.plan()
                .port(options.port())
                .address(options.address())
                .delay(delay.delay())
                .drop(drop)
                .duplicate(duplicate)
                .reorder(reorder, reorderBy)
                .random(options.random());
        checkEffective("--with", find != null, "--find: add the text to replace");
        checkEffective("--reorder-by", reorder > 0, "--reorder: add for instance --reorder 1%");
        if (find != null) {
            plan.replace(bytes(find), bytes(with == null ? "" : with));
        }
        if (receiveBuffer != null) {
            plan.receiveBuffer((int) Math.min(Integer.MAX_VALUE, receiveBuffer));
        }
        return plan;
    }

    /** The UTF-8 bytes of a text, one per character. */
    private static String bytes(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    private static String progress(UdpReport report) {
        return "%,d received  %,d answered  %,d waiting"
                .formatted(report.received(), report.answered(), report.waiting());
    }
}
