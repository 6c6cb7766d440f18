package dev.penstock.races.hop;

import dev.penstock.jms.kit.ChildJvm;
import dev.penstock.kit.program.Programs;
import dev.penstock.lab.report.Contestant.Role;
import dev.penstock.races.ContestantList;
import dev.penstock.races.GatewayMain;
import dev.penstock.races.machine.PeerJars;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** The contestants of the race, each in its own process. */
final class HopContestants {
    static final String HAPROXY = "haproxy";
    static final String SPRING = "spring-cloud-gateway";
    static final String PENSTOCK = "penstock";

    /**
     * JVM options for all contestants on the JVM. With one core, the JVM selects the serial collector by itself; this
     * option selects it on any machine. A young generation of 80 MB is collected every 0.7 s at half load, and objects
     * of connections are copied 4 times instead of 15, which shortens a pause to 0.6 ms.
     */
    private static final List<String> JVM =
            List.of("-Xms128m", "-Xmx128m", "-Xmn80m", "-XX:MaxTenuringThreshold=4", "-XX:+UseSerialGC");

    private static final PeerJars SPRING_JARS = new PeerJars("app-scg");

    static final ContestantList<HopProcess> ALL = ContestantList.<HopProcess>inside("hop")
            .add(
                    HAPROXY,
                    Role.LIMIT,
                    Map.of("how", "HAProxy, one thread, connections to the origin kept alive and shared"),
                    new HopProcess(
                            "haproxy.cfg", false, (_, file) -> List.of(Program.path("haproxy"), "-db", "-f", file)),
                    () -> Programs.find("haproxy").isPresent()
                            ? Optional.empty()
                            : Optional.of(Programs.missing("haproxy")))
            .add(
                    "nginx",
                    Role.LIMIT,
                    "nginx, one process, connections to the origin kept alive",
                    new HopProcess("nginx.conf", false, HopContestants::nginx))
            .add(
                    SPRING,
                    Role.PEER,
                    onTheJvm("Spring Cloud Gateway on WebFlux and Netty, one route"),
                    new HopProcess(
                            "spring.yaml",
                            true,
                            (_, file) -> SPRING_JARS.command(
                                    JVM, SpringMain.class, List.of(), "--spring.config.location=file:" + file)),
                    SPRING_JARS::whyNot)
            .add(
                    PENSTOCK,
                    Role.OURS,
                    onTheJvm("deadline, retry by key, breaker, adaptive limit, queue"),
                    new HopProcess("stages.yaml", true, HopContestants::ours))
            .add(
                    "penstock-observed",
                    Role.OURS,
                    onTheJvm("the same with metrics, and a record and a trace of each hundredth transaction"),
                    new HopProcess("observed.yaml", true, HopContestants::observed))
            // As few stages as a configuration file allows.
            .add(
                    "penstock-bare",
                    Role.OURS,
                    onTheJvm("no retry, no breaker, a fixed limit of 1,000"),
                    new HopProcess("bare.yaml", true, HopContestants::ours));

    /** The same two for clients with TLS and an API key, one of 10,000. */
    static final ContestantList<HopProcess> SECURE = ContestantList.<HopProcess>inside("hop")
            .add(
                    HAPROXY,
                    Role.LIMIT,
                    Map.of("how", "HAProxy with TLS 1.3, and a map of callers by the SHA-256 of their keys"),
                    ALL.named(HAPROXY).with("haproxy-secure.cfg"),
                    HopContestants::whyNotSecure)
            .add(
                    PENSTOCK,
                    Role.OURS,
                    onTheJvm("TLS 1.3, API keys, deadline, retry by key, breaker, adaptive limit, queue"),
                    ALL.named(PENSTOCK).with("secure.yaml"),
                    HopContestants::whyNotSecure);

    private HopContestants() {}

    private static Optional<String> whyNotSecure() {
        return Stream.of("haproxy", "openssl")
                .filter(program -> Programs.find(program).isEmpty())
                .findFirst()
                .map(Programs::missing);
    }

    private static Map<String, String> onTheJvm(String how) {
        return Map.of("how", how, "JVM", String.join(" ", JVM));
    }

    private static List<String> ours(Path folder, String file) {
        return ChildJvm.command(JVM, GatewayMain.class, file);
    }

    private static List<String> observed(Path folder, String file) {
        return Stream.concat(
                        Stream.of("env", "OTEL_TRACES_SAMPLER=traceidratio", "OTEL_TRACES_SAMPLER_ARG=0.01"),
                        ours(folder, file).stream())
                .toList();
    }

    /** The command of an nginx that keeps all its files in a folder. */
    static List<String> nginx(Path folder, String conf) throws IOException {
        return List.of(
                Program.path("nginx"),
                "-p",
                folder.toString(),
                "-e",
                folder.resolve("error.log").toString(),
                "-c",
                conf);
    }

    /**
     * Writes a configuration file from one of this package's templates, which has placeholders such as {@code @PORT@}.
     *
     * @param values of each placeholder
     * @return the path of the file
     */
    static String write(String resource, Path folder, Map<String, String> values) throws IOException {
        String text;
        try (InputStream in = Objects.requireNonNull(HopContestants.class.getResourceAsStream(resource), resource)) {
            text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        for (Map.Entry<String, String> value : values.entrySet()) {
            text = text.replace("@" + value.getKey() + "@", value.getValue());
        }
        return Files.writeString(folder.resolve(resource), text).toString();
    }

    /**
     * A hop.
     *
     * @param template of its configuration file
     * @param isOnTheJvm whether it needs a long warm-up
     * @param command of its process
     */
    record HopProcess(String template, boolean isOnTheJvm, Command command) {
        /** The command of a process, from the folder for its files and its configuration file. */
        interface Command {
            List<String> of(Path folder, String file) throws IOException;
        }

        /** The same process with another configuration. */
        HopProcess with(String other) {
            return new HopProcess(other, isOnTheJvm, command);
        }

        boolean isSecure() {
            return template.contains("secure");
        }

        /** The command of a hop that listens on a port in front of an origin. */
        List<String> command(Path folder, int port, int origin) throws IOException {
            Map<String, String> values =
                    Map.of("PORT", String.valueOf(port), "ORIGIN", String.valueOf(origin), "FOLDER", folder.toString());
            return command.of(folder, write(template, folder, values));
        }
    }
}
