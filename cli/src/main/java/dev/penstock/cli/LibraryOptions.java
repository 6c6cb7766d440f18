package dev.penstock.cli;

import dev.penstock.cli.probe.SettingsLibrary;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The options that ask for what was found as settings of other libraries. */
final class LibraryOptions {
    @Option(names = "--for-hikari", description = "Also print it as HikariCP's properties (jdbc).")
    private boolean hikari;

    @Option(names = "--for-c3p0", description = "Also print it as c3p0's properties (jdbc).")
    private boolean c3p0;

    @Option(names = "--for-httpclient", description = "Also print it as code for Apache HttpClient 5 (http).")
    private boolean httpclient;

    @Option(names = "--for-spring-jms", description = "Also print it as properties for spring-jms (jms).")
    private boolean springJms;

    @Option(
            names = "--for-sysctl",
            description = "Also print it as settings of Linux (all but udp, which always does).")
    private boolean sysctl;

    /** Options not given yet; picocli fills them in. */
    LibraryOptions() {}

    /**
     * Those that were asked for.
     *
     * @throws IllegalArgumentException when one cannot be had for such a target, in one line that says what to do
     */
    List<SettingsLibrary> chosen(String target) {
        List<SettingsLibrary> chosen = new ArrayList<>();
        for (SettingsLibrary library : SettingsLibrary.values()) {
            if (isAsked(library)) {
                library.check(target);
                chosen.add(library);
            }
        }
        return chosen;
    }

    private boolean isAsked(SettingsLibrary library) {
        return switch (library) {
            case HIKARI -> hikari;
            case C3P0 -> c3p0;
            case HTTPCLIENT -> httpclient;
            case SPRING_JMS -> springJms;
            case SYSCTL -> sysctl;
        };
    }
}
