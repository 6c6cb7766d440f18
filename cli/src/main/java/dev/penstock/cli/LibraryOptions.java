package dev.penstock.cli;

import dev.penstock.cli.probe.SettingsLibrary;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** Options to print the findings as settings of other libraries. */
final class LibraryOptions {
    @Option(names = "--for-hikari", description = "Also print the settings as HikariCP properties (jdbc).")
    private boolean hikari;

    @Option(names = "--for-c3p0", description = "Also print the settings as c3p0 properties (jdbc).")
    private boolean c3p0;

    @Option(names = "--for-httpclient", description = "Also print the settings as code for Apache HttpClient 5 (http).")
    private boolean httpclient;

    @Option(names = "--for-spring-jms", description = "Also print the settings as spring-jms properties (jms).")
    private boolean springJms;

    @Option(names = "--for-sysctl", description = "Also print Linux kernel settings (always printed for udp).")
    private boolean sysctl;

    /** For picocli. */
    LibraryOptions() {}

    /**
     * The requested libraries.
     *
     * @throws IllegalArgumentException one does not apply to the target, with a one-line remedy
     */
    List<SettingsLibrary> chosen(String target) {
        List<SettingsLibrary> chosen = new ArrayList<>();
        for (SettingsLibrary library : SettingsLibrary.values()) {
            if (isRequested(library)) {
                library.check(target);
                chosen.add(library);
            }
        }
        return chosen;
    }

    private boolean isRequested(SettingsLibrary library) {
        return switch (library) {
            case HIKARI -> hikari;
            case C3P0 -> c3p0;
            case HTTPCLIENT -> httpclient;
            case SPRING_JMS -> springJms;
            case SYSCTL -> sysctl;
        };
    }
}
